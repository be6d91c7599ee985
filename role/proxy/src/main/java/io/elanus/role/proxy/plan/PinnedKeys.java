package io.elanus.role.proxy.plan;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.Value;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The values of a partition key that a filter allows, when it says so by `==`, `in`, or an `or` of
/// these, alone or as one operand of an `and`. Only the partitions of these values can hold
/// matches.
///
/// Thread-safe: stateless.
public final class PinnedKeys {
  private PinnedKeys() {}

  /// Null when the filter allows any value.
  public static @Nullable PrimaryKeys of(Expr expr, FieldSchema key) {
    Set<Value> values = pinned(expr, key.id());
    if (values == null) {
      return null;
    }
    int size = values.size();
    int next = 0;
    if (key.type() == DataType.INT64) {
      long[] keys = new long[size];
      for (Value value : values) {
        if (!(value instanceof Value.Int(long number))) {
          return null;
        }
        keys[next++] = number;
      }
      return PrimaryKeys.of(keys);
    }
    String[] keys = new String[size];
    for (Value value : values) {
      if (!(value instanceof Value.Text(String text))) {
        return null;
      }
      keys[next++] = text;
    }
    return PrimaryKeys.of(keys);
  }

  private static @Nullable Set<Value> pinned(Expr expr, FieldId key) {
    if (expr instanceof Expr.Compare(FieldRef field, CompareOp op, Value value)) {
      return field.id().equals(key) && op == CompareOp.EQ ? Set.of(value) : null;
    }
    if (expr instanceof Expr.In(FieldRef field, List<Value> values)) {
      return field.id().equals(key) ? new LinkedHashSet<>(values) : null;
    }
    if (expr instanceof Expr.And(List<Expr> operands)) {
      Set<Value> best = null;
      for (Expr operand : operands) {
        Set<Value> values = pinned(operand, key);
        if (values != null && (best == null || values.size() < best.size())) {
          best = values;
        }
      }
      return best;
    }
    if (expr instanceof Expr.Or(List<Expr> operands)) {
      Set<Value> all = new LinkedHashSet<>();
      for (Expr operand : operands) {
        Set<Value> values = pinned(operand, key);
        if (values == null) {
          return null;
        }
        all.addAll(values);
      }
      return all;
    }
    return null;
  }
}
