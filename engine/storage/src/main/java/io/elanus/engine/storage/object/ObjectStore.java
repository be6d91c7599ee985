package io.elanus.engine.storage.object;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;

/// SPI of the object store. Calls block: run them on a blocking executor, never on a loop.
///
/// Errors: IO_KEY_NOT_FOUND for a missing object, IO_UNEXPECTED_EOF for a range beyond its end,
/// IO_FAILED when the disk or the service failed (nothing is stored then), PARAMETER_INVALID for
/// keys against the rules of [ObjectKeys].
///
/// Thread-safe: callable from any thread.
public interface ObjectStore extends AutoCloseable {
  /// Stores the remaining bytes of `content` under `key`, replacing what was there. Readers see the
  /// old object or the new one, never a mixture. The buffer's position isn't moved.
  void put(String key, ByteBuffer content);

  default void put(String key, byte[] content) {
    put(key, ByteBuffer.wrap(content));
  }

  /// The same for content that is produced piece by piece.
  void put(String key, ObjectWriter writer);

  /// Stores `content` unless `key` exists; true when it was stored. Of concurrent callers exactly
  /// one wins.
  boolean putIfAbsent(String key, ByteBuffer content);

  default boolean putIfAbsent(String key, byte[] content) {
    return putIfAbsent(key, ByteBuffer.wrap(content));
  }

  /// The whole object, which has to fit an array.
  byte[] get(String key);

  /// `length` bytes from `offset`; all of them or an error.
  byte[] getRange(String key, long offset, int length);

  /// Fills `target` with the object's bytes from `offset` on; all of it or an error.
  void readInto(String key, long offset, MemorySegment target);

  /// The object's bytes, read-only, valid until `arena` is closed, also when the object is deleted
  /// or replaced meanwhile. A copy unless [#mapsInPlace].
  MemorySegment map(String key, Arena arena);

  /// Whether [#map] maps files instead of copying.
  boolean mapsInPlace();

  /// Objects whose key starts with `prefix` (not necessarily at a `/`), ordered by key.
  List<ObjectStat> list(String prefix);

  /// Removes the object; true when it was there.
  boolean delete(String key);

  /// Removes every object whose key starts with `prefix`; answers how many.
  default int deleteAll(String prefix) {
    int deleted = 0;
    for (ObjectStat stat : list(prefix)) {
      if (delete(stat.key())) {
        deleted++;
      }
    }
    return deleted;
  }

  /// Size in bytes; empty when there is no such object.
  OptionalLong size(String key);

  default boolean exists(String key) {
    return size(key).isPresent();
  }

  /// Idempotent.
  @Override
  void close();
}
