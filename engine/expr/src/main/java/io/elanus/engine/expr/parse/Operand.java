package io.elanus.engine.expr.parse;

import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.ArithOp;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a part of a filter stands for while it is parsed.
///
/// Immutable.
sealed interface Operand {
  /// The data type's name in error texts.
  String typeName();

  /// A literal, a folded constant or the value of a template variable.
  record Constant(Value value, boolean template) implements Operand {
    Constant(Value value) {
      this(value, false);
    }

    @Override
    public String typeName() {
      if (template) {
        return "None";
      }
      if (value instanceof Value.ListOf(List<Value> elements)) {
        DataType element = elementTypeOf(elements);
        return "Array[" + (element == null ? "None" : element.wireName()) + "]";
      }
      return typeOf(value).wireName();
    }
  }

  record Column(FieldRef field) implements Operand {
    @Override
    public String typeName() {
      return field.isArray()
          ? field.type().wireName() + "[" + field.scalarType().wireName() + "]"
          : field.type().wireName();
    }
  }

  /// Arithmetic that involves a field; `type` is that of the result. `field` and `constant` are
  /// there for the one shape that can be compared, [Shape#SIMPLE].
  record Arithmetic(
      ArithOp op, Shape shape, DataType type, @Nullable FieldRef field, @Nullable Value constant)
      implements Operand {
    @Override
    public String typeName() {
      return type.wireName();
    }
  }

  enum Shape {
    /// One field and one constant, field first or the order not mattering.
    SIMPLE,
    /// A constant minus, over or modulo a field.
    CONSTANT_FIRST,
    TWO_FIELDS,
    COMPLICATED
  }

  record Length(FieldRef field) implements Operand {
    @Override
    public String typeName() {
      return DataType.INT64.wireName();
    }
  }

  /// A predicate.
  record Test(Expr expr) implements Operand {
    @Override
    public String typeName() {
      return DataType.BOOL.wireName();
    }
  }

  /// The type of a constant.
  static DataType typeOf(Value value) {
    return switch (value) {
      case Value.Bool _ -> DataType.BOOL;
      case Value.Int _ -> DataType.INT64;
      case Value.Real _ -> DataType.DOUBLE;
      case Value.Text _ -> DataType.VARCHAR;
      case Value.ListOf _ -> DataType.ARRAY;
    };
  }

  /// The one type of all elements; null when they differ or there are none.
  static @Nullable DataType elementTypeOf(List<Value> elements) {
    DataType common = null;
    for (Value element : elements) {
      DataType type = typeOf(element);
      if (common != null && common != type) {
        return null;
      }
      common = type;
    }
    return common;
  }
}
