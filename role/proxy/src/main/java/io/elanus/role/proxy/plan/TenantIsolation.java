package io.elanus.role.proxy.plan;

import io.elanus.base.error.DbException;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import java.util.List;

/// With `partitionkey.isolation` a search has to name the one tenant that it is for: the filter
/// says `key == value`, alone or as one operand of an `and`.
///
/// Thread-safe: stateless.
public final class TenantIsolation {
  private static final String REFUSED = "partition key isolation does not support ";

  private TenantIsolation() {}

  /// Refuses a filter that does not pin the key to one value, code 1100.
  public static void check(Expr filter, FieldSchema key) {
    if (!pins(filter, key.id())) {
      throw DbException.invalid(
          "partition key not found in expr or the expr is invalid when validating partition key"
              + " isolation");
    }
  }

  private static boolean pins(Expr expr, FieldId key) {
    return switch (expr) {
      case Expr.Compare(FieldRef field, CompareOp op, var _) when field.id().equals(key) -> {
        if (op != CompareOp.EQ) {
          throw refused(nameOf(op));
        }
        yield true;
      }
      case Expr.In(FieldRef field, var _) when field.id().equals(key) -> throw refused("IN");
      case Expr.Range range when range.field().id().equals(key) -> throw refused("BinaryRange");
      case Expr.And(List<Expr> operands) -> anyPins(operands, key);
      case Expr.Or(List<Expr> operands) when anyPins(operands, key) -> throw refused("OR");
      case Expr.Not(Expr operand) when pins(operand, key) -> throw refused("NOT");
      default -> false;
    };
  }

  /// Looks at every operand, for each may be one that is refused.
  private static boolean anyPins(List<Expr> operands, FieldId key) {
    boolean any = false;
    for (Expr operand : operands) {
      any |= pins(operand, key);
    }
    return any;
  }

  private static DbException refused(String what) {
    return DbException.invalid(REFUSED + what);
  }

  /// The contract's words for operators.
  private static String nameOf(CompareOp op) {
    return switch (op) {
      case LT -> "LessThan";
      case LE -> "LessEqual";
      case GT -> "GreaterThan";
      case GE -> "GreaterEqual";
      case EQ -> "Equal";
      case NE -> "NotEqual";
    };
  }
}
