package io.elanus.engine.expr.eval;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A set of longs for membership tests: a bitmap when the values lie close together, else a hash
/// table with open addressing, at most half full.
///
/// Immutable.
final class LongSet {
  private final long min;
  private final long max;
  private final long @Nullable [] bitmap;
  private final long[] table;
  private final int shift;
  private final boolean empty;

  private LongSet(long[] sorted) {
    empty = sorted.length == 0;
    min = empty ? 0 : sorted[0];
    max = empty ? 0 : sorted[sorted.length - 1];
    long span = max - min;
    boolean dense = span >= 0 && span < Math.max(4096L, 64L * sorted.length);
    if (dense) {
      long[] bits = new long[(int) (span >>> 6) + 1];
      for (long value : sorted) {
        long at = value - min;
        bits[(int) (at >>> 6)] |= 1L << (at & 63);
      }
      bitmap = bits;
      table = new long[0];
      shift = 0;
      return;
    }
    bitmap = null;
    int bits = 33 - Integer.numberOfLeadingZeros(sorted.length);
    shift = 64 - bits;
    table = new long[1 << bits];
    // An absent value marks free cells: the smallest value is never absent, so it is left out.
    Arrays.fill(table, min);
    for (long value : sorted) {
      int at = place(value);
      while (table[at] != min && table[at] != value) {
        at = (at + 1) & (table.length - 1);
      }
      table[at] = value;
    }
  }

  static LongSet of(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return new LongSet(sorted);
  }

  private int place(long value) {
    return (int) ((value * 0x9e3779b97f4a7c15L) >>> shift);
  }

  boolean isEmpty() {
    return empty;
  }

  boolean contains(long value) {
    if (empty || value < min || value > max) {
      return false;
    }
    if (bitmap != null) {
      long at = value - min;
      return (bitmap[(int) (at >>> 6)] >>> (at & 63) & 1) != 0;
    }
    if (value == min) {
      return true;
    }
    int at = place(value);
    while (table[at] != min) {
      if (table[at] == value) {
        return true;
      }
      at = (at + 1) & (table.length - 1);
    }
    return false;
  }
}
