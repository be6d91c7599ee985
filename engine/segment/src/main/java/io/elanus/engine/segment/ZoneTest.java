package io.elanus.engine.segment;

import io.elanus.base.id.FieldId;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A necessary condition of a filter: the field's value lies in `[low, high]`, as integers or as
/// doubles. A zone whose values all lie outside holds no match.
///
/// Immutable.
record ZoneTest(
    FieldId field, boolean isFloating, long lowLong, long highLong, double low, double high) {

  private static ZoneTest longs(FieldRef field, long low, long high) {
    return new ZoneTest(field.id(), false, low, high, 0, 0);
  }

  private static ZoneTest doubles(FieldRef field, double low, double high) {
    return new ZoneTest(field.id(), true, 0, 0, low, high);
  }

  /// The conditions that all rows of a match must meet.
  static List<ZoneTest> of(Expr expr) {
    List<ZoneTest> tests = new ArrayList<>();
    if (expr instanceof Expr.And(List<Expr> operands)) {
      for (Expr operand : operands) {
        add(operand, tests);
      }
    } else {
      add(expr, tests);
    }
    return List.copyOf(tests);
  }

  private static void add(Expr expr, List<ZoneTest> to) {
    @Nullable ZoneTest test = null;
    if (expr instanceof Expr.Compare e && covers(e.field())) {
      test = ofCompare(e);
    } else if (expr instanceof Expr.Range e && covers(e.field())) {
      test = ofRange(e);
    } else if (expr instanceof Expr.In e && covers(e.field())) {
      test = ofIn(e);
    }
    if (test != null) {
      to.add(test);
    }
  }

  private static boolean covers(FieldRef field) {
    return field.path().isEmpty() && (field.type().isInteger() || field.type().isFloating());
  }

  private static @Nullable ZoneTest ofCompare(Expr.Compare e) {
    CompareOp op = e.op();
    if (op == CompareOp.NE) {
      return null;
    }
    boolean below = op == CompareOp.LT || op == CompareOp.LE;
    boolean above = op == CompareOp.GT || op == CompareOp.GE;
    if (e.field().type().isFloating()) {
      if (!e.value().isNumber()) {
        return null;
      }
      double value = e.value().asDouble();
      return doubles(
          e.field(),
          below ? Double.NEGATIVE_INFINITY : lowest(e.field(), value),
          above ? Double.POSITIVE_INFINITY : highest(e.field(), value));
    }
    if (!(e.value() instanceof Value.Int(long value))) {
      return null;
    }
    return longs(e.field(), below ? Long.MIN_VALUE : value, above ? Long.MAX_VALUE : value);
  }

  private static @Nullable ZoneTest ofRange(Expr.Range e) {
    if (e.field().type().isFloating()) {
      return e.lower().isNumber() && e.upper().isNumber()
          ? doubles(
              e.field(),
              lowest(e.field(), e.lower().asDouble()),
              highest(e.field(), e.upper().asDouble()))
          : null;
    }
    return e.lower() instanceof Value.Int(long low) && e.upper() instanceof Value.Int(long high)
        ? longs(e.field(), low, high)
        : null;
  }

  private static @Nullable ZoneTest ofIn(Expr.In e) {
    if (e.field().type().isFloating() || e.values().isEmpty()) {
      return null;
    }
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (Value value : e.values()) {
      if (!(value instanceof Value.Int(long v))) {
        return null;
      }
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    return longs(e.field(), low, high);
  }

  /// A FLOAT column may compare with the constant rounded or not: both have to be inside.
  private static double lowest(FieldRef field, double value) {
    return field.type() == DataType.FLOAT ? Math.min(value, (float) value) : value;
  }

  private static double highest(FieldRef field, double value) {
    return field.type() == DataType.FLOAT ? Math.max(value, (float) value) : value;
  }

  /// Whether the zone may hold a match.
  boolean mayMatch(Zones zones, int zone) {
    if (isFloating) {
      return !(zones.minDouble(zone) > high) && !(zones.maxDouble(zone) < low);
    }
    return zones.minLong(zone) <= highLong && zones.maxLong(zone) >= lowLong;
  }
}
