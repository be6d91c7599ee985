package io.elanus.testkit;

import io.elanus.base.random.Rng;
import io.elanus.engine.log.LogFile;
import io.elanus.engine.log.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A disk in memory that can be full, fail to sync, lose what wasn't synced, tear writes and flip
/// bits. One instance is the root folder; folders made from it share the disk.
///
/// Thread-safe: guarded by the disk's monitor.
public final class FaultyFiles implements LogFiles {
  /// What a crash does with that which wasn't synced.
  public enum Crash {
    /// The process ends, the system lives: everything written is there.
    PROCESS,
    /// A power cut, and nothing that wasn't synced reached the disk.
    LOSE_UNSYNCED,
    /// A power cut while the system was writing back: of each unsynced write any sectors are there.
    TEAR_UNSYNCED
  }

  private static final int SECTOR_BYTES = 512;

  private final Disk disk;
  private final String path;

  public FaultyFiles() {
    this(new Disk(), "");
  }

  private FaultyFiles(Disk disk, String path) {
    this.disk = disk;
    this.path = path;
  }

  /// An unsynced change of a file's content; `bytes` null means a cut to `position`.
  private record Change(long position, byte @Nullable [] bytes) {}

  private static final class Node {
    byte[] content = new byte[0];
    byte[] synced = new byte[0];
    final List<Change> pending = new ArrayList<>();

    void apply(Change change) {
      content = applied(content, change.position(), change.bytes());
      pending.add(change);
    }

    void force() {
      synced = content.clone();
      pending.clear();
    }
  }

  private static byte[] applied(byte[] content, long position, byte @Nullable [] bytes) {
    if (bytes == null) {
      return Arrays.copyOf(content, (int) Math.min(position, content.length));
    }
    int end = (int) position + bytes.length;
    byte[] result = end > content.length ? Arrays.copyOf(content, end) : content;
    System.arraycopy(bytes, 0, result, (int) position, bytes.length);
    return result;
  }

  private static final class Disk {
    final TreeMap<String, Node> names = new TreeMap<>();
    final TreeMap<String, Node> syncedNames = new TreeMap<>();
    long room = Long.MAX_VALUE;
    int failForces;
    int failTruncates;
    int failCreates;
    int forces;
    long generation;
  }

  /// Ends the process or the machine: every open handle is dead, content is what survived.
  public void crash(Crash how, Rng rng) {
    synchronized (disk) {
      disk.generation++;
      disk.failForces = 0;
      disk.failTruncates = 0;
      disk.failCreates = 0;
      if (how == Crash.PROCESS) {
        return;
      }
      boolean tear = how == Crash.TEAR_UNSYNCED;
      Map<String, Node> after = survivingNames(tear, rng);
      disk.names.clear();
      disk.names.putAll(after);
      disk.syncedNames.clear();
      disk.syncedNames.putAll(after);
      for (Node node : after.values()) {
        node.content = tear ? torn(node, rng) : node.synced;
        node.synced = node.content.clone();
        node.pending.clear();
      }
    }
  }

  private Map<String, Node> survivingNames(boolean tear, Rng rng) {
    TreeMap<String, Node> after = new TreeMap<>(disk.syncedNames);
    if (!tear) {
      return after;
    }
    for (var name : disk.names.entrySet()) {
      if (!after.containsKey(name.getKey()) && rng.nextInt(2) == 0) {
        after.put(name.getKey(), name.getValue());
      }
    }
    for (String name : disk.syncedNames.keySet()) {
      if (!disk.names.containsKey(name) && rng.nextInt(2) == 0) {
        after.remove(name);
      }
    }
    return after;
  }

  private static byte[] torn(Node node, Rng rng) {
    byte[] content = node.synced.clone();
    for (Change change : node.pending) {
      byte[] bytes = change.bytes();
      if (bytes == null) {
        if (rng.nextInt(2) == 0) {
          content = applied(content, change.position(), null);
        }
        continue;
      }
      for (int at = 0; at < bytes.length; ) {
        long start = change.position() + at;
        int length = (int) Math.min(bytes.length - at, SECTOR_BYTES - start % SECTOR_BYTES);
        if (rng.nextInt(3) > 0) {
          content = applied(content, start, Arrays.copyOfRange(bytes, at, at + length));
        }
        at += length;
      }
    }
    return content;
  }

  /// Writes beyond `bytes` more bytes fail as on a full disk, after a part of them was written.
  public void leaveRoomFor(long bytes) {
    synchronized (disk) {
      disk.room = bytes;
    }
  }

  /// The disk has room again.
  public void makeRoom() {
    leaveRoomFor(Long.MAX_VALUE);
  }

  /// The next `count` syncs of file content fail.
  public void failForces(int count) {
    synchronized (disk) {
      disk.failForces = count;
    }
  }

  /// The next `count` truncations of files fail.
  public void failTruncates(int count) {
    synchronized (disk) {
      disk.failTruncates = count;
    }
  }

  /// The next `count` creations of files fail.
  public void failCreates(int count) {
    synchronized (disk) {
      disk.failCreates = count;
    }
  }

  /// Syncs of file content so far.
  public int forceCount() {
    synchronized (disk) {
      return disk.forces;
    }
  }

  /// Paths of all files, such as `folder/name`.
  public List<String> paths() {
    synchronized (disk) {
      return List.copyOf(disk.names.keySet());
    }
  }

  public byte[] content(String filePath) {
    synchronized (disk) {
      return node(filePath).content.clone();
    }
  }

  /// Replaces a file's content, synced.
  public void setContent(String filePath, byte[] content) {
    synchronized (disk) {
      Node node = node(filePath);
      node.content = content.clone();
      node.force();
    }
  }

  public void flipBit(String filePath, int offset, int bit) {
    byte[] content = content(filePath);
    content[offset] ^= (byte) (1 << bit);
    setContent(filePath, content);
  }

  public void cut(String filePath, int size) {
    setContent(filePath, Arrays.copyOf(content(filePath), size));
  }

  public void remove(String filePath) {
    synchronized (disk) {
      disk.names.remove(filePath);
      disk.syncedNames.remove(filePath);
    }
  }

  private Node node(String filePath) {
    Node node = disk.names.get(filePath);
    if (node == null) {
      throw new IllegalArgumentException("no file " + filePath + " among " + disk.names.keySet());
    }
    return node;
  }

  @Override
  public LogFiles folder(String name) {
    return new FaultyFiles(disk, path + name + "/");
  }

  @Override
  public String describe(String name) {
    return path + name;
  }

  @Override
  public List<String> names() {
    synchronized (disk) {
      List<String> names = new ArrayList<>();
      for (String name : disk.names.keySet()) {
        if (name.startsWith(path) && name.indexOf('/', path.length()) < 0) {
          names.add(name.substring(path.length()));
        }
      }
      return names;
    }
  }

  @Override
  public LogFile create(String name) throws IOException {
    synchronized (disk) {
      if (disk.failCreates > 0) {
        disk.failCreates--;
        throw new IOException("injected: can't create " + name);
      }
      if (disk.names.containsKey(path + name)) {
        throw new FileAlreadyExistsException(path + name);
      }
      Node node = new Node();
      disk.names.put(path + name, node);
      return new Handle(disk, node);
    }
  }

  @Override
  public LogFile open(String name) throws IOException {
    synchronized (disk) {
      Node node = disk.names.get(path + name);
      if (node == null) {
        throw new NoSuchFileException(path + name);
      }
      return new Handle(disk, node);
    }
  }

  @Override
  public void delete(String name) {
    synchronized (disk) {
      disk.names.remove(path + name);
    }
  }

  @Override
  public void forceFolder() {
    synchronized (disk) {
      disk.syncedNames.keySet().removeIf(name -> isHere(name) && !disk.names.containsKey(name));
      disk.names.forEach((name, node) -> {
        if (isHere(name)) {
          disk.syncedNames.put(name, node);
        }
      });
    }
  }

  private boolean isHere(String name) {
    return name.startsWith(path) && name.indexOf('/', path.length()) < 0;
  }

  private static final class Handle implements LogFile {
    private final Disk disk;
    private final Node node;
    private final long generation;
    private boolean closed;

    Handle(Disk disk, Node node) {
      this.disk = disk;
      this.node = node;
      this.generation = disk.generation;
    }

    private void check() throws IOException {
      if (closed || generation != disk.generation) {
        throw new IOException("handle is dead");
      }
    }

    @Override
    public long size() throws IOException {
      synchronized (disk) {
        check();
        return node.content.length;
      }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      synchronized (disk) {
        check();
        if (position >= node.content.length) {
          return -1;
        }
        int count = (int) Math.min(target.remaining(), node.content.length - position);
        target.put(node.content, (int) position, count);
        return count;
      }
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      synchronized (disk) {
        check();
        long growth = Math.max(0, position + source.remaining() - node.content.length);
        int fits = (int) Math.max(0, source.remaining() - Math.max(0, growth - disk.room));
        byte[] bytes = new byte[fits];
        source.get(bytes);
        if (disk.room != Long.MAX_VALUE) {
          disk.room -= Math.min(growth, disk.room);
        }
        node.apply(new Change(position, bytes));
        if (source.hasRemaining()) {
          throw new IOException("No space left on device");
        }
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (disk) {
        check();
        if (disk.failForces > 0) {
          disk.failForces--;
          throw new IOException("injected: sync failed");
        }
        disk.forces++;
        node.force();
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      synchronized (disk) {
        check();
        if (disk.failTruncates > 0) {
          disk.failTruncates--;
          throw new IOException("injected: truncation failed");
        }
        if (size < node.content.length) {
          node.apply(new Change(size, null));
        }
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
