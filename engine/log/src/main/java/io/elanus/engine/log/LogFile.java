package io.elanus.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/// An open file of [LogFiles].
///
/// Thread-safe: positional reads may run beside the one writer.
public interface LogFile extends AutoCloseable {
  long size() throws IOException;

  /// Reads into `target` from `position`; answers the count, which may be short, -1 at the end.
  int read(ByteBuffer target, long position) throws IOException;

  /// Writes all of `source` at `position`.
  void write(ByteBuffer source, long position) throws IOException;

  /// Returns when what was written before is on the disk, size included.
  void force() throws IOException;

  void truncate(long size) throws IOException;

  @Override
  void close() throws IOException;
}
