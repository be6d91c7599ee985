package io.elanus.engine.expr.eval;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A set of byte strings, tested against a range of an array without copying it.
///
/// Immutable.
final class TextSet {
  private final byte[] @Nullable [] table;
  private final int mask;
  private final int minBytes;
  private final int maxBytes;

  TextSet(List<byte[]> values) {
    int size = Integer.highestOneBit(Math.max(1, values.size())) * 4;
    table = new byte[size][];
    mask = size - 1;
    int min = Integer.MAX_VALUE;
    int max = -1;
    for (byte[] value : values) {
      min = Math.min(min, value.length);
      max = Math.max(max, value.length);
      int at = hash(value, 0, value.length) & mask;
      while (table[at] != null && !Arrays.equals(table[at], value)) {
        at = (at + 1) & mask;
      }
      table[at] = value;
    }
    minBytes = min;
    maxBytes = max;
  }

  private static int hash(byte[] bytes, int from, int to) {
    int h = to - from;
    for (int i = from; i < to; i++) {
      h = 31 * h + bytes[i];
    }
    return h ^ (h >>> 15);
  }

  boolean mayHoldLength(int lengthBytes) {
    return lengthBytes >= minBytes && lengthBytes <= maxBytes;
  }

  boolean contains(byte[] bytes, int from, int to) {
    int at = hash(bytes, from, to) & mask;
    while (true) {
      byte[] value = table[at];
      if (value == null) {
        return false;
      }
      if (Arrays.equals(value, 0, value.length, bytes, from, to)) {
        return true;
      }
      at = (at + 1) & mask;
    }
  }
}
