package io.elanus.engine.expr.eval;

import io.elanus.engine.expr.tree.LikePattern;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Tests of VARCHAR columns on the values' UTF-8 bytes.
///
/// Thread-safe: stateless.
final class TextNodes {
  private TextNodes() {}

  /// A test of one value at a time, run for the wanted rows only.
  abstract static class RowTest extends FieldNode {
    RowTest(int slot) {
      super(slot);
    }

    /// Whether a value of this many bytes may pass; a cheap first look.
    boolean mayPass(int lengthBytes) {
      return true;
    }

    abstract boolean test(byte[] bytes, int from, int to);

    @Override
    void fill(Frame frame, long[] wanted, long[] out) {
      TextReader reader = frame.texts(slot);
      for (int w = 0; w < frame.words(); w++) {
        long bits = 0;
        for (long left = wanted[w]; left != 0; left &= left - 1) {
          int bit = Long.numberOfTrailingZeros(left);
          int row = (w << 6) + bit;
          int length = reader.length(row);
          if (mayPass(length)) {
            int at = reader.locate(row);
            if (test(reader.window(), at, at + length)) {
              bits |= 1L << bit;
            }
          }
        }
        out[w] = bits;
      }
    }
  }

  /// `value == constant`, or `!=` when negated.
  static final class Equal extends RowTest {
    private final byte[] constant;
    private final boolean negated;

    Equal(int slot, byte[] constant, boolean negated) {
      super(slot);
      this.constant = constant;
      this.negated = negated;
    }

    @Override
    boolean mayPass(int lengthBytes) {
      return negated || lengthBytes == constant.length;
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      return Arrays.equals(constant, 0, constant.length, bytes, from, to) != negated;
    }

    @Override
    int cost() {
      return 4;
    }
  }

  /// Between two bounds, each of which may be absent, by unsigned byte order.
  static final class Interval extends RowTest {
    private final byte @Nullable [] low;
    private final boolean lowIncluded;
    private final byte @Nullable [] high;
    private final boolean highIncluded;

    Interval(
        int slot,
        byte @Nullable [] low,
        boolean lowIncluded,
        byte @Nullable [] high,
        boolean highIncluded) {
      super(slot);
      this.low = low;
      this.lowIncluded = lowIncluded;
      this.high = high;
      this.highIncluded = highIncluded;
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      if (low != null) {
        int order = Arrays.compareUnsigned(bytes, from, to, low, 0, low.length);
        if (lowIncluded ? order < 0 : order <= 0) {
          return false;
        }
      }
      if (high == null) {
        return true;
      }
      int order = Arrays.compareUnsigned(bytes, from, to, high, 0, high.length);
      return highIncluded ? order <= 0 : order < 0;
    }

    @Override
    int cost() {
      return 4;
    }
  }

  static final class Member extends RowTest {
    private final TextSet set;

    Member(int slot, TextSet set) {
      super(slot);
      this.set = set;
    }

    @Override
    boolean mayPass(int lengthBytes) {
      return set.mayHoldLength(lengthBytes);
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      return set.contains(bytes, from, to);
    }

    @Override
    int cost() {
      return 5;
    }
  }

  static final class Like extends RowTest {
    private final LikePattern pattern;

    Like(int slot, LikePattern pattern) {
      super(slot);
      this.pattern = pattern;
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      return pattern.matches(bytes, from, to);
    }

    @Override
    int cost() {
      return 6;
    }
  }
}
