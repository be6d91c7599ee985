package io.elanus.role.streaming.tail;

import io.elanus.base.config.Key;
import io.elanus.base.error.DbException;

/// Sizes of the in-memory tail.
///
/// Immutable.
public record TailConfig(
    @Key(
            value = "streaming.walWriteAheadBuffer.capacity",
            defaultValue = "64m",
            doc = "Confirmed messages of a PChannel that are kept for readers that lag behind.")
        String capacity,
    @Key(
            value = "elanus.streaming.readChunkKb",
            max = "1048576",
            defaultValue = "4096",
            unit = "KB",
            doc = "How much of the log a reader that catches up takes at once.")
        int readChunkKb) {
  public TailConfig {
    parseBytes(capacity);
  }

  public long capacityBytes() {
    return parseBytes(capacity);
  }

  public int readChunkBytes() {
    return readChunkKb << 10;
  }

  /// `65536`, `64k`, `64m`, `1g`.
  static long parseBytes(String text) {
    String lower = text.strip().toLowerCase(java.util.Locale.ROOT);
    if (lower.endsWith("b")) {
      lower = lower.substring(0, lower.length() - 1);
    }
    int shift = lower.endsWith("k") ? 10 : lower.endsWith("m") ? 20 : lower.endsWith("g") ? 30 : 0;
    String digits = shift == 0 ? lower : lower.substring(0, lower.length() - 1);
    try {
      return Math.multiplyExact(Long.parseLong(digits.strip()), 1L << shift);
    } catch (ArithmeticException | NumberFormatException e) {
      throw DbException.invalid("size in bytes", "a number, with k, m or g", text).causedBy(e);
    }
  }
}
