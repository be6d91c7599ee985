package io.elanus.engine.storage.object;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An [ObjectStore] on the heap, for tests and throw-away databases.
///
/// Thread-safe: guarded by `lock`.
public final class MemoryObjectStore implements ObjectStore {
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final TreeMap<String, byte[]> objects = new TreeMap<>();

  @Override
  public void put(String key, ByteBuffer content) {
    store(key, bytesOf(content), true);
  }

  @Override
  public void put(String key, ObjectWriter writer) {
    ObjectKeys.valid(key);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (WritableByteChannel out = Channels.newChannel(bytes)) {
      writer.writeTo(out);
    } catch (IOException e) {
      throw DbException.described(ErrorCode.IO_FAILED, "writing object " + key).causedBy(e);
    }
    store(key, bytes.toByteArray(), true);
  }

  @Override
  public boolean putIfAbsent(String key, ByteBuffer content) {
    return store(key, bytesOf(content), false);
  }

  private static byte[] bytesOf(ByteBuffer content) {
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    return bytes;
  }

  private boolean store(String key, byte[] content, boolean replace) {
    ObjectKeys.valid(key);
    synchronized (lock) {
      if (!replace && objects.containsKey(key)) {
        return false;
      }
      String below = objects.ceilingKey(key + "/");
      boolean isFolder = below != null && below.startsWith(key + "/");
      if (isFolder || liesBelowObject(key)) {
        throw ObjectKeys.folderConflict(key);
      }
      objects.put(key, content);
      return true;
    }
  }

  @GuardedBy("lock")
  private boolean liesBelowObject(String key) {
    for (int at = key.indexOf('/'); at > 0; at = key.indexOf('/', at + 1)) {
      if (objects.containsKey(key.substring(0, at))) {
        return true;
      }
    }
    return false;
  }

  private byte[] find(String key) {
    ObjectKeys.valid(key);
    byte[] found;
    synchronized (lock) {
      found = objects.get(key);
    }
    if (found == null) {
      throw ObjectKeys.notFound(key);
    }
    return found;
  }

  @Override
  public byte[] get(String key) {
    return find(key).clone();
  }

  @Override
  public byte[] getRange(String key, long offset, int length) {
    byte[] target = new byte[length];
    readInto(key, offset, MemorySegment.ofArray(target));
    return target;
  }

  @Override
  public void readInto(String key, long offset, MemorySegment target) {
    byte[] found = find(key);
    long length = target.byteSize();
    if (offset < 0 || offset > found.length - length) {
      throw ObjectKeys.beyondEnd(key, offset, length, found.length);
    }
    MemorySegment.copy(MemorySegment.ofArray(found), offset, target, 0, length);
  }

  @Override
  public MemorySegment map(String key, Arena arena) {
    byte[] found = find(key);
    MemorySegment copy = arena.allocate(found.length, 64);
    copy.copyFrom(MemorySegment.ofArray(found));
    return copy.asReadOnly();
  }

  @Override
  public boolean mapsInPlace() {
    return false;
  }

  @Override
  public List<ObjectStat> list(String prefix) {
    ObjectKeys.validPrefix(prefix);
    List<ObjectStat> found = new ArrayList<>();
    synchronized (lock) {
      for (Map.Entry<String, byte[]> object : objects.tailMap(prefix).entrySet()) {
        if (!object.getKey().startsWith(prefix)) {
          break;
        }
        found.add(new ObjectStat(object.getKey(), object.getValue().length));
      }
    }
    return found;
  }

  @Override
  public boolean delete(String key) {
    ObjectKeys.valid(key);
    synchronized (lock) {
      return objects.remove(key) != null;
    }
  }

  @Override
  public OptionalLong size(String key) {
    ObjectKeys.valid(key);
    synchronized (lock) {
      byte @Nullable [] found = objects.get(key);
      return found == null ? OptionalLong.empty() : OptionalLong.of(found.length);
    }
  }

  @Override
  public void close() {}
}
