package io.elanus.engine.expr.parse;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.engine.expr.tree.ArithOp;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.Value;
import org.jspecify.annotations.Nullable;

/// Arithmetic and comparison between two constants, done while parsing.
///
/// Thread-safe: stateless.
final class Folding {
  private static final double LONG_LIMIT = 0x1p63;

  private Folding() {}

  /// `a op b`. Integers stay integers and are refused when they leave int64; division by zero is
  /// refused.
  static Value arithmetic(ArithOp op, Value a, Value b) {
    if (op == ArithOp.MOD && !(a instanceof Value.Int && b instanceof Value.Int)) {
      throw ParseFailure.plan("modulo can only apply on integer");
    }
    if (op.isBitwise() && !(a instanceof Value.Int && b instanceof Value.Int)) {
      throw ParseFailure.plan(op.word() + " can only apply on integer");
    }
    if (a instanceof Value.Bool || b instanceof Value.Bool) {
      throw ParseFailure.plan(op.word() + " cannot apply on bool field");
    }
    if (a instanceof Value.Text || b instanceof Value.Text) {
      throw ParseFailure.plan(op.word() + " cannot apply on string field");
    }
    if (!a.isNumber() || !b.isNumber()) {
      throw ParseFailure.plan(op.word() + " cannot apply on array field");
    }
    boolean divides = op == ArithOp.DIV || op == ArithOp.MOD;
    if (divides && b.asDouble() == 0) {
      throw ParseFailure.plan("cannot " + op.word() + " by zero");
    }
    if (a instanceof Value.Int(long x) && b instanceof Value.Int(long y)) {
      try {
        return Value.of(
            switch (op) {
              case ADD -> Math.addExact(x, y);
              case SUB -> Math.subtractExact(x, y);
              case MUL -> Math.multiplyExact(x, y);
              case DIV -> Math.divideExact(x, y);
              case MOD -> x % y;
              case BIT_AND -> x & y;
              case BIT_OR -> x | y;
              case BIT_XOR -> x ^ y;
            });
      } catch (ArithmeticException e) {
        throw ParseFailure.plan("integer overflow: " + x + " " + op.text() + " " + y);
      }
    }
    double x = a.asDouble();
    double y = b.asDouble();
    return Value.of(
        switch (op) {
          case ADD -> x + y;
          case SUB -> x - y;
          case MUL -> x * y;
          case DIV -> x / y;
          case MOD, BIT_AND, BIT_OR, BIT_XOR -> x % y;
        });
  }

  /// `a ** b`: an integer when both are, the exponent is not negative and the result fits.
  static @Nullable Value power(Value a, Value b) {
    if (!a.isNumber() || !b.isNumber()) {
      return null;
    }
    double result = Math.pow(a.asDouble(), b.asDouble());
    if (a instanceof Value.Int(long x)
        && b instanceof Value.Int(long y)
        && y >= 0
        && Math.abs(result) < LONG_LIMIT) {
      return Value.of(wholePower(x, y));
    }
    return Value.of(result);
  }

  private static long wholePower(long base, long exponent) {
    long result = 1;
    long square = base;
    for (long left = exponent; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  /// `a op b`, or null when the kinds can't be compared.
  static @Nullable Boolean compare(CompareOp op, Value a, Value b) {
    boolean equality = op == CompareOp.EQ || op == CompareOp.NE;
    if (a instanceof Value.Bool(boolean x) && b instanceof Value.Bool(boolean y)) {
      return equality ? op.holds(Boolean.compare(x, y)) : null;
    }
    if (a instanceof Value.Text(String x) && b instanceof Value.Text(String y)) {
      return op.holds(PrimaryKeys.compareUtf8(x, y));
    }
    if (a instanceof Value.Int(long x) && b instanceof Value.Int(long y)) {
      return op.holds(Long.compare(x, y));
    }
    if (a.isNumber() && b.isNumber()) {
      double x = a.asDouble();
      double y = b.asDouble();
      return switch (op) {
        case LT -> x < y;
        case LE -> x <= y;
        case GT -> x > y;
        case GE -> x >= y;
        case EQ -> x == y;
        case NE -> x != y;
      };
    }
    return null;
  }
}
