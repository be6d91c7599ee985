package io.elanus.engine.expr.eval;

import io.elanus.base.error.Invariant;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.ArithOp;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Chooses the node for a test of a bool, number or text column.
///
/// Thread-safe: stateless.
final class Leaves {
  private Leaves() {}

  static long whole(Value value) {
    Invariant.check(value instanceof Value.Int, "%s is no integer", value);
    return ((Value.Int) value).value();
  }

  private static byte[] utf8(Value value) {
    Invariant.check(value instanceof Value.Text, "%s is no text", value);
    return ((Value.Text) value).value().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean truth(Value value) {
    Invariant.check(value instanceof Value.Bool, "%s is no bool", value);
    return ((Value.Bool) value).value();
  }

  static Node compare(int slot, DataType type, CompareOp op, Value value) {
    return switch (type) {
      case BOOL -> {
        boolean wanted = truth(value);
        yield new NumberNodes.Flag(
            slot,
            op.holds(Boolean.compare(false, wanted)),
            op.holds(Boolean.compare(true, wanted)));
      }
      case INT8, INT16, INT32, INT64, TIMESTAMPTZ -> compareLong(slot, op, whole(value));
      case FLOAT -> compareFloat(slot, op, (float) value.asDouble());
      case DOUBLE -> compareDouble(slot, op, value.asDouble());
      default -> compareText(slot, op, utf8(value));
    };
  }

  private static Node compareLong(int slot, CompareOp op, long value) {
    boolean none =
        (op == CompareOp.LT && value == Long.MIN_VALUE)
            || (op == CompareOp.GT && value == Long.MAX_VALUE);
    if (none) {
      return longInterval(slot, 1, 0, false);
    }
    return switch (op) {
      case LT -> longInterval(slot, Long.MIN_VALUE, value - 1, false);
      case LE -> longInterval(slot, Long.MIN_VALUE, value, false);
      case GT -> longInterval(slot, value + 1, Long.MAX_VALUE, false);
      case GE -> longInterval(slot, value, Long.MAX_VALUE, false);
      case EQ -> longInterval(slot, value, value, false);
      case NE -> longInterval(slot, value, value, true);
    };
  }

  private static Node longInterval(int slot, long low, long high, boolean outside) {
    return new NumberNodes.LongInterval(slot, low, high, outside);
  }

  private static Node compareDouble(int slot, CompareOp op, double value) {
    double infinity = Double.POSITIVE_INFINITY;
    if ((op == CompareOp.LT && value == -infinity) || (op == CompareOp.GT && value == infinity)) {
      return new NumberNodes.RealInterval(slot, infinity, -infinity, false);
    }
    return switch (op) {
      case LT -> new NumberNodes.RealInterval(slot, -infinity, Math.nextDown(value), false);
      case LE -> new NumberNodes.RealInterval(slot, -infinity, value, false);
      case GT -> new NumberNodes.RealInterval(slot, Math.nextUp(value), infinity, false);
      case GE -> new NumberNodes.RealInterval(slot, value, infinity, false);
      case EQ -> new NumberNodes.RealInterval(slot, value, value, false);
      case NE -> new NumberNodes.RealInterval(slot, value, value, true);
    };
  }

  private static Node compareFloat(int slot, CompareOp op, float value) {
    double infinity = Double.POSITIVE_INFINITY;
    if ((op == CompareOp.LT && value == -infinity) || (op == CompareOp.GT && value == infinity)) {
      return new NumberNodes.RealInterval(slot, infinity, -infinity, false);
    }
    return switch (op) {
      case LT -> new NumberNodes.RealInterval(slot, -infinity, Math.nextDown(value), false);
      case LE -> new NumberNodes.RealInterval(slot, -infinity, value, false);
      case GT -> new NumberNodes.RealInterval(slot, Math.nextUp(value), infinity, false);
      case GE -> new NumberNodes.RealInterval(slot, value, infinity, false);
      case EQ -> new NumberNodes.RealInterval(slot, value, value, false);
      case NE -> new NumberNodes.RealInterval(slot, value, value, true);
    };
  }

  private static Node compareText(int slot, CompareOp op, byte[] value) {
    return switch (op) {
      case LT -> new TextNodes.Interval(slot, null, false, value, false);
      case LE -> new TextNodes.Interval(slot, null, false, value, true);
      case GT -> new TextNodes.Interval(slot, value, false, null, false);
      case GE -> new TextNodes.Interval(slot, value, true, null, false);
      case EQ -> new TextNodes.Equal(slot, value, false);
      case NE -> new TextNodes.Equal(slot, value, true);
    };
  }

  static Node range(int slot, Expr.Range e) {
    DataType type = e.field().type();
    if (type.isInteger()) {
      long low = whole(e.lower());
      long high = whole(e.upper());
      boolean none =
          (!e.lowerIncluded() && low == Long.MAX_VALUE)
              || (!e.upperIncluded() && high == Long.MIN_VALUE);
      return none
          ? longInterval(slot, 1, 0, false)
          : longInterval(
              slot, e.lowerIncluded() ? low : low + 1, e.upperIncluded() ? high : high - 1, false);
    }
    if (type.isFloating()) {
      return new LogicNodes.And(
          List.of(
              compare(slot, type, e.lowerIncluded() ? CompareOp.GE : CompareOp.GT, e.lower()),
              compare(slot, type, e.upperIncluded() ? CompareOp.LE : CompareOp.LT, e.upper())));
    }
    return new TextNodes.Interval(
        slot, utf8(e.lower()), e.lowerIncluded(), utf8(e.upper()), e.upperIncluded());
  }

  static Node in(int slot, DataType type, List<Value> values) {
    if (type == DataType.BOOL) {
      return new NumberNodes.Flag(
          slot, values.contains(Value.of(false)), values.contains(Value.of(true)));
    }
    if (type.isInteger() || type == DataType.TIMESTAMPTZ) {
      long[] wanted = new long[values.size()];
      for (int i = 0; i < wanted.length; i++) {
        wanted[i] = whole(values.get(i));
      }
      return new NumberNodes.LongMember(slot, LongSet.of(wanted));
    }
    if (type.isFloating()) {
      long[] keys = new long[values.size()];
      int n = 0;
      for (Value value : values) {
        double wanted = value.asDouble();
        if (!Double.isNaN(wanted)) {
          keys[n++] = NumberNodes.realKey(type == DataType.FLOAT ? (float) wanted : wanted);
        }
      }
      return new NumberNodes.RealMember(slot, LongSet.of(java.util.Arrays.copyOf(keys, n)));
    }
    List<byte[]> wanted = new ArrayList<>(values.size());
    for (Value value : values) {
      wanted.add(utf8(value));
    }
    return new TextNodes.Member(slot, new TextSet(wanted));
  }

  /// Sums and differences of integers become plain comparisons: `x + k op v` is `x op v - k` unless
  /// that leaves int64, where the answer is the same for every x.
  static Node arithmetic(int slot, Expr.Arithmetic e) {
    if (e.field().type().isFloating()) {
      return new NumberNodes.RealArithmetic(
          slot, e.arith(), e.operand().asDouble(), e.op(), e.value().asDouble());
    }
    long k = whole(e.operand());
    long v = whole(e.value());
    if (e.arith() == ArithOp.ADD || e.arith() == ArithOp.SUB) {
      boolean add = e.arith() == ArithOp.ADD;
      long moved = add ? v - k : v + k;
      boolean left = ((add ? v ^ k : ~(v ^ k)) & (v ^ moved)) < 0;
      if (!left) {
        return compareLong(slot, e.op(), moved);
      }
      int order = v < 0 ? 1 : -1;
      return e.op().holds(order)
          ? longInterval(slot, Long.MIN_VALUE, Long.MAX_VALUE, false)
          : longInterval(slot, 1, 0, false);
    }
    return new NumberNodes.LongArithmetic(slot, e.arith(), k, e.op(), v);
  }

  /// Joins equalities and `in` lists on one plain field under an `or` into one `in`.
  static List<Expr> mergeEqualities(List<Expr> operands) {
    Map<FieldRef, List<Value>> groups = new LinkedHashMap<>();
    List<Expr> rest = new ArrayList<>();
    int joined = 0;
    for (Expr operand : operands) {
      FieldRef field = null;
      List<Value> values = List.of();
      if (operand instanceof Expr.Compare(FieldRef f, CompareOp op, Value value)
          && op == CompareOp.EQ) {
        field = f;
        values = List.of(value);
      } else if (operand instanceof Expr.In(FieldRef f, List<Value> wanted)) {
        field = f;
        values = wanted;
      }
      if (field == null || field.isJson()) {
        rest.add(operand);
      } else {
        groups.computeIfAbsent(field, _ -> new ArrayList<>()).addAll(values);
        joined++;
      }
    }
    if (joined == groups.size()) {
      return operands;
    }
    groups.forEach((field, values) -> rest.add(new Expr.In(field, values)));
    return rest;
  }
}
