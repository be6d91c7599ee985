package io.elanus.engine.expr.eval;

import io.elanus.base.column.ArrayRows;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.eval.ArrayNodes.ElementTest;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;

/// Tests of array elements, by the element type.
///
/// Thread-safe: stateless.
final class ElementTests {
  private ElementTests() {}

  static ElementTest of(DataType element, Expr.Compare e) {
    CompareOp op = e.op();
    if (isText(element)) {
      return text((TextNodes.RowTest) Leaves.compare(0, element, op, e.value()));
    }
    if (element.isFloating()) {
      double wanted = narrowed(element, e.value());
      return real(element, x -> Numbers.holds(op, x, wanted));
    }
    long wanted = whole(e.value());
    return whole(element, x -> op.holds(Long.compare(x, wanted)));
  }

  static ElementTest equal(DataType element, Value value) {
    return in(element, List.of(value));
  }

  static ElementTest of(DataType element, Expr.In e) {
    return in(element, e.values());
  }

  /// Constants of a kind that the element type can't equal are left out.
  static ElementTest in(DataType element, List<Value> values) {
    List<Value> fitting = new ArrayList<>();
    for (Value value : values) {
      boolean fits =
          switch (value) {
            case Value.Text _ -> isText(element);
            case Value.Int _, Value.Real _ -> element.isInteger() || element.isFloating();
            case Value.Bool _ -> element == DataType.BOOL;
            case Value.ListOf _ -> false;
          };
      if (fits) {
        fitting.add(value);
      }
    }
    if (isText(element)) {
      return text((TextNodes.RowTest) Leaves.in(0, element, fitting));
    }
    LongSet set = numberSet(element, fitting);
    return element.isFloating()
        ? real(element, x -> !Double.isNaN(x) && set.contains(NumberNodes.realKey(x)))
        : whole(element, set::contains);
  }

  private static LongSet numberSet(DataType element, List<Value> values) {
    long[] keys = new long[values.size()];
    int n = 0;
    for (Value value : values) {
      if (element.isFloating()) {
        double real = narrowed(element, value);
        if (!Double.isNaN(real)) {
          keys[n++] = NumberNodes.realKey(real);
        }
      } else if (!(value instanceof Value.Real(double real))) {
        keys[n++] = whole(value);
      } else if (real == Math.rint(real) && Math.abs(real) < 0x1p63) {
        keys[n++] = (long) real;
      }
    }
    return LongSet.of(java.util.Arrays.copyOf(keys, n));
  }

  static ElementTest of(DataType element, Expr.Range e) {
    ElementTest low =
        of(
            element,
            new Expr.Compare(
                e.field(), e.lowerIncluded() ? CompareOp.GE : CompareOp.GT, e.lower()));
    ElementTest high =
        of(
            element,
            new Expr.Compare(
                e.field(), e.upperIncluded() ? CompareOp.LE : CompareOp.LT, e.upper()));
    return (bytes, from, index) -> low.test(bytes, from, index) && high.test(bytes, from, index);
  }

  static ElementTest of(DataType element, Expr.Like e) {
    return text(new TextNodes.Like(0, e.pattern()));
  }

  static ElementTest of(DataType element, Expr.Arithmetic e) {
    CompareOp op = e.op();
    if (element.isFloating()) {
      boolean narrow = element == DataType.FLOAT;
      double operand = narrowed(element, e.operand());
      double wanted = narrowed(element, e.value());
      return real(
          element,
          x -> {
            double result = Numbers.apply(e.arith(), x, operand);
            return Numbers.holds(op, narrow ? (float) result : result, wanted);
          });
    }
    long operand = whole(e.operand());
    long wanted = whole(e.value());
    return whole(element, x -> op.holds(Numbers.compareResult(e.arith(), x, operand, wanted)));
  }

  private static boolean isText(DataType element) {
    return element == DataType.VARCHAR || element == DataType.STRING;
  }

  private static double narrowed(DataType element, Value value) {
    return element == DataType.FLOAT ? (float) value.asDouble() : value.asDouble();
  }

  private static long whole(Value value) {
    return value instanceof Value.Bool(boolean truth) ? (truth ? 1 : 0) : Leaves.whole(value);
  }

  private static ElementTest whole(DataType element, LongPredicate test) {
    return (bytes, from, index) -> test.test(ArrayRows.integerAt(element, bytes, from, index));
  }

  private static ElementTest real(DataType element, DoublePredicate test) {
    return (bytes, from, index) -> test.test(ArrayRows.realAt(element, bytes, from, index));
  }

  private static ElementTest text(TextNodes.RowTest test) {
    return (bytes, from, index) -> {
      int start = ArrayRows.textStart(bytes, from, index);
      int end = ArrayRows.textStart(bytes, from, index + 1);
      return test.mayPass(end - start) && test.test(bytes, start, end);
    };
  }
}
