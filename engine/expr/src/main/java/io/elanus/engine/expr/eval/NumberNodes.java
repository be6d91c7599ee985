package io.elanus.engine.expr.eval;

import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.ArithOp;
import io.elanus.engine.expr.tree.CompareOp;

/// Tests of bool, integer and floating point columns. Every comparison with a constant is an
/// interval with both ends included, possibly turned around; so one loop a type does them all.
///
/// Thread-safe: stateless.
final class NumberNodes {
  private NumberNodes() {}

  private static void fillWords(long[] out, int words, boolean value) {
    for (int w = 0; w < words; w++) {
      out[w] = value ? -1L : 0L;
    }
  }

  private static void invert(long[] out, int words) {
    for (int w = 0; w < words; w++) {
      out[w] = ~out[w];
    }
  }

  /// `low <= x <= high`, or not that when `outside`; no integer lies in it when `low > high`.
  static final class LongInterval extends FieldNode {
    private final long low;
    private final long high;
    private final boolean outside;

    LongInterval(int slot, long low, long high, boolean outside) {
      super(slot);
      this.low = low;
      this.high = high;
      this.outside = outside;
    }

    @Override
    void fill(Frame frame, long[] wanted, long[] out) {
      if (low > high) {
        fillWords(out, frame.words(), outside);
        return;
      }
      switch (frame.type(slot)) {
        case INT8 -> byteInterval(frame.bytes(slot), frame.rows(), low, high - low, out);
        case INT16 -> shortInterval(frame.shorts(slot), frame.rows(), low, high - low, out);
        case INT32 -> intInterval(frame.ints(slot), frame.rows(), low, high - low, out);
        default -> longInterval(frame.longs(slot), frame.rows(), low, high - low, out);
      }
      if (outside) {
        invert(out, frame.words());
      }
    }

    @Override
    int cost() {
      return 1;
    }
  }

  // In all four: x lies in the interval exactly when x - low, taken as unsigned, is at most its
  // span.

  private static void byteInterval(byte[] values, int rows, long low, long span, long[] out) {
    for (int base = 0; base < rows; base += 64) {
      int end = Math.min(64, rows - base);
      long bits = 0;
      for (int i = 0; i < end; i++) {
        bits |= (Long.compareUnsigned(values[base + i] - low, span) <= 0 ? 1L : 0L) << i;
      }
      out[base >>> 6] = bits;
    }
  }

  private static void shortInterval(short[] values, int rows, long low, long span, long[] out) {
    for (int base = 0; base < rows; base += 64) {
      int end = Math.min(64, rows - base);
      long bits = 0;
      for (int i = 0; i < end; i++) {
        bits |= (Long.compareUnsigned(values[base + i] - low, span) <= 0 ? 1L : 0L) << i;
      }
      out[base >>> 6] = bits;
    }
  }

  private static void intInterval(int[] values, int rows, long low, long span, long[] out) {
    for (int base = 0; base < rows; base += 64) {
      int end = Math.min(64, rows - base);
      long bits = 0;
      for (int i = 0; i < end; i++) {
        bits |= (Long.compareUnsigned(values[base + i] - low, span) <= 0 ? 1L : 0L) << i;
      }
      out[base >>> 6] = bits;
    }
  }

  private static void longInterval(long[] values, int rows, long low, long span, long[] out) {
    for (int base = 0; base < rows; base += 64) {
      int end = Math.min(64, rows - base);
      long bits = 0;
      for (int i = 0; i < end; i++) {
        bits |= (Long.compareUnsigned(values[base + i] - low, span) <= 0 ? 1L : 0L) << i;
      }
      out[base >>> 6] = bits;
    }
  }

  /// `low <= x <= high` on FLOAT (as 32-bit values) or DOUBLE; NaN lies nowhere.
  static final class RealInterval extends FieldNode {
    private final double low;
    private final double high;
    private final boolean outside;

    RealInterval(int slot, double low, double high, boolean outside) {
      super(slot);
      this.low = low;
      this.high = high;
      this.outside = outside;
    }

    @Override
    void fill(Frame frame, long[] wanted, long[] out) {
      int rows = frame.rows();
      if (frame.type(slot) == DataType.FLOAT) {
        floatInterval(frame.floats(slot), rows, (float) low, (float) high, out);
      } else {
        doubleInterval(frame.doubles(slot), rows, low, high, out);
      }
      if (outside) {
        invert(out, frame.words());
      }
    }

    @Override
    int cost() {
      return 1;
    }
  }

  private static void floatInterval(float[] values, int rows, float low, float high, long[] out) {
    for (int base = 0; base < rows; base += 64) {
      int end = Math.min(64, rows - base);
      long bits = 0;
      for (int i = 0; i < end; i++) {
        float x = values[base + i];
        bits |= ((x >= low ? 1L : 0L) & (x <= high ? 1L : 0L)) << i;
      }
      out[base >>> 6] = bits;
    }
  }

  private static void doubleInterval(
      double[] values, int rows, double low, double high, long[] out) {
    for (int base = 0; base < rows; base += 64) {
      int end = Math.min(64, rows - base);
      long bits = 0;
      for (int i = 0; i < end; i++) {
        double x = values[base + i];
        bits |= ((x >= low ? 1L : 0L) & (x <= high ? 1L : 0L)) << i;
      }
      out[base >>> 6] = bits;
    }
  }

  /// A bool column: which of its two values pass.
  static final class Flag extends FieldNode {
    private final boolean allowFalse;
    private final boolean allowTrue;

    Flag(int slot, boolean allowFalse, boolean allowTrue) {
      super(slot);
      this.allowFalse = allowFalse;
      this.allowTrue = allowTrue;
    }

    @Override
    void fill(Frame frame, long[] wanted, long[] out) {
      if (allowFalse == allowTrue) {
        fillWords(out, frame.words(), allowTrue);
        return;
      }
      byte[] values = frame.bytes(slot);
      int rows = frame.rows();
      for (int base = 0; base < rows; base += 64) {
        int end = Math.min(64, rows - base);
        long bits = 0;
        for (int i = 0; i < end; i++) {
          bits |= (values[base + i] != 0 ? 1L : 0L) << i;
        }
        out[base >>> 6] = allowTrue ? bits : ~bits;
      }
    }

    @Override
    int cost() {
      return 1;
    }
  }

  /// An integer column in a set.
  static final class LongMember extends FieldNode {
    private final LongSet set;

    LongMember(int slot, LongSet set) {
      super(slot);
      this.set = set;
    }

    @Override
    void fill(Frame frame, long[] wanted, long[] out) {
      if (set.isEmpty()) {
        fillWords(out, frame.words(), false);
        return;
      }
      long[] values = frame.longs(slot);
      int rows = frame.rows();
      for (int base = 0; base < rows; base += 64) {
        int end = Math.min(64, rows - base);
        long bits = 0;
        for (int i = 0; i < end; i++) {
          bits |= (set.contains(values[base + i]) ? 1L : 0L) << i;
        }
        out[base >>> 6] = bits;
      }
    }

    @Override
    int cost() {
      return 2;
    }
  }

  /// A FLOAT or DOUBLE column in a set of [#realKey]s.
  static final class RealMember extends FieldNode {
    private final LongSet keys;

    RealMember(int slot, LongSet keys) {
      super(slot);
      this.keys = keys;
    }

    @Override
    void fill(Frame frame, long[] wanted, long[] out) {
      double[] values = frame.doubles(slot);
      int rows = frame.rows();
      for (int base = 0; base < rows; base += 64) {
        int end = Math.min(64, rows - base);
        long bits = 0;
        for (int i = 0; i < end; i++) {
          double x = values[base + i];
          bits |= (!Double.isNaN(x) && keys.contains(realKey(x)) ? 1L : 0L) << i;
        }
        out[base >>> 6] = bits;
      }
    }

    @Override
    int cost() {
      return 2;
    }
  }

  /// Equal for equal numbers; both zeros are one.
  static long realKey(double value) {
    return Double.doubleToLongBits(value + 0.0);
  }

  /// Integer arithmetic whose result is compared as the whole number it is, however large.
  static final class LongArithmetic extends FieldNode {
    private final ArithOp arith;
    private final long operand;
    private final CompareOp op;
    private final long value;

    LongArithmetic(int slot, ArithOp arith, long operand, CompareOp op, long value) {
      super(slot);
      this.arith = arith;
      this.operand = operand;
      this.op = op;
      this.value = value;
    }

    @Override
    void fill(Frame frame, long[] wanted, long[] out) {
      long[] values = frame.longs(slot);
      int rows = frame.rows();
      for (int base = 0; base < rows; base += 64) {
        int end = Math.min(64, rows - base);
        long bits = 0;
        for (int i = 0; i < end; i++) {
          int order = Numbers.compareResult(arith, values[base + i], operand, value);
          bits |= (op.holds(order) ? 1L : 0L) << i;
        }
        out[base >>> 6] = bits;
      }
    }

    @Override
    int cost() {
      return 2;
    }
  }

  /// Floating point arithmetic, in 32 bits on FLOAT columns.
  static final class RealArithmetic extends FieldNode {
    private final ArithOp arith;
    private final double operand;
    private final CompareOp op;
    private final double value;

    RealArithmetic(int slot, ArithOp arith, double operand, CompareOp op, double value) {
      super(slot);
      this.arith = arith;
      this.operand = operand;
      this.op = op;
      this.value = value;
    }

    @Override
    void fill(Frame frame, long[] wanted, long[] out) {
      boolean narrow = frame.type(slot) == DataType.FLOAT;
      double[] values = frame.doubles(slot);
      double k = narrow ? (float) operand : operand;
      double v = narrow ? (float) value : value;
      int rows = frame.rows();
      for (int base = 0; base < rows; base += 64) {
        int end = Math.min(64, rows - base);
        long bits = 0;
        for (int i = 0; i < end; i++) {
          // Rounding the double result once more gives the 32-bit result of these four operations.
          double result = Numbers.apply(arith, values[base + i], k);
          bits |= (Numbers.holds(op, narrow ? (float) result : result, v) ? 1L : 0L) << i;
        }
        out[base >>> 6] = bits;
      }
    }

    @Override
    int cost() {
      return 2;
    }
  }
}
