package io.elanus.engine.segment;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.engine.storage.object.ObjectStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Reads objects of a segment, with errors that name the object.
///
/// Thread-safe: stateless.
final class ColumnFiles {
  private ColumnFiles() {}

  static byte[] getOrFail(ObjectStore store, String key) {
    try {
      return store.get(key);
    } catch (DbException e) {
      throw failed(key, e);
    }
  }

  static MemorySegment mapOrFail(ObjectStore store, String key, Arena arena) {
    try {
      return store.map(key, arena);
    } catch (DbException e) {
      throw failed(key, e);
    }
  }

  private static DbException failed(String key, DbException cause) {
    String what = cause.code() == ErrorCode.IO_KEY_NOT_FOUND ? "is missing" : cause.getMessage();
    return DbException.described(ErrorCode.SEGMENT_LOAD_FAILED, "object " + key + " " + what)
        .causedBy(cause);
  }
}
