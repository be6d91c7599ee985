package io.elanus.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Thread-safe: stateless.
final class Reads {
  private Reads() {}

  /// Fills `target` as far as the file goes; answers the count.
  static int fully(LogFile file, ByteBuffer target, long position) throws IOException {
    int start = target.position();
    while (target.hasRemaining()) {
      int count = file.read(target, position + target.position() - start);
      if (count < 0) {
        break;
      }
    }
    return target.position() - start;
  }
}
