package io.elanus.engine.expr.eval;

import io.elanus.engine.expr.tree.ArithOp;
import io.elanus.engine.expr.tree.CompareOp;

/// Comparison by value across number types, and integer arithmetic that never wraps.
///
/// Thread-safe: stateless.
final class Numbers {
  private Numbers() {}

  /// The order of `x arith k` against `v`, as whole numbers of any size; `k` is not 0 for division.
  static int compareResult(ArithOp arith, long x, long k, long v) {
    return switch (arith) {
      case ADD -> {
        long sum = x + k;
        yield ((x ^ sum) & (k ^ sum)) < 0 ? (k > 0 ? 1 : -1) : Long.compare(sum, v);
      }
      case SUB -> {
        long difference = x - k;
        yield ((x ^ k) & (x ^ difference)) < 0 ? (x >= 0 ? 1 : -1) : Long.compare(difference, v);
      }
      case MUL -> {
        long low = x * k;
        long high = Math.multiplyHigh(x, k);
        yield high == low >> 63 ? Long.compare(low, v) : high < 0 ? -1 : 1;
      }
      case DIV -> x == Long.MIN_VALUE && k == -1 ? 1 : Long.compare(x / k, v);
      case MOD -> Long.compare(x % k, v);
      case BIT_AND -> Long.compare(x & k, v);
      case BIT_OR -> Long.compare(x | k, v);
      case BIT_XOR -> Long.compare(x ^ k, v);
    };
  }

  /// Not for the bitwise operations.
  static double apply(ArithOp arith, double x, double k) {
    return switch (arith) {
      case ADD -> x + k;
      case SUB -> x - k;
      case MUL -> x * k;
      case DIV -> x / k;
      case MOD -> x % k;
      case BIT_AND, BIT_OR, BIT_XOR -> throw new IllegalStateException(arith + " of reals");
    };
  }

  /// `a op b`; with NaN only `!=` holds.
  static boolean holds(CompareOp op, double a, double b) {
    return switch (op) {
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      case EQ -> a == b;
      case NE -> a != b;
    };
  }

  /// `a op b` by value, without rounding `a` to a double.
  static boolean holds(CompareOp op, long a, double b) {
    return Double.isNaN(b) ? op == CompareOp.NE : op.holds(compare(a, b));
  }

  /// The order of a whole number against a double that is no NaN.
  static int compare(long a, double b) {
    if (b >= 0x1p63) {
      return -1;
    }
    if (b < -0x1p63) {
      return 1;
    }
    long whole = (long) b;
    if (a != whole) {
      return Long.compare(a, whole);
    }
    double rest = b - whole;
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
  }
}
