package io.elanus.engine.expr.parse;

import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.ArithOp;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.ContainsMode;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Type rules: which operands go together, and how constants are cast to what they meet.
///
/// Thread-safe: stateless.
final class Typing {
  private Typing() {}

  /// A leaf over `field`; tests of array columns are marked as such.
  static Expr leaf(FieldRef field, Expr test) {
    return field.isArray() ? new Expr.ArrayTest(test) : test;
  }

  private static boolean isText(@Nullable DataType type) {
    return type == DataType.VARCHAR || type == DataType.STRING;
  }

  private static boolean isNumeric(@Nullable DataType type) {
    return type != null && (type.isInteger() || type.isFloating());
  }

  /// `value` as a constant for something of type `type`.
  static Value cast(DataType type, Value value) {
    Value fitting = castOrNull(type, value);
    if (fitting == null) {
      throw ParseFailure.plan(
          "cannot cast value to " + type.wireName() + ", value: " + value.display());
    }
    return fitting;
  }

  static @Nullable Value castOrNull(DataType type, Value value) {
    boolean fits =
        switch (value) {
          case Value.Bool _ -> type == DataType.BOOL;
          case Value.Int _ -> type.isInteger() || type == DataType.TIMESTAMPTZ;
          case Value.Real _ -> type.isFloating();
          case Value.Text _ -> isText(type);
          case Value.ListOf _ -> type == DataType.ARRAY;
        };
    if (fits || type == DataType.JSON) {
      return value;
    }
    return value instanceof Value.Int(long whole) && type.isFloating()
        ? Value.of((double) whole)
        : null;
  }

  private static boolean comparable(@Nullable DataType left, @Nullable DataType right) {
    if (left == null) {
      return false;
    }
    if (left == DataType.JSON) {
      return true;
    }
    if (left == DataType.BOOL) {
      return right == DataType.BOOL || right == DataType.JSON;
    }
    if (isNumeric(left)) {
      return isNumeric(right) || right == DataType.JSON;
    }
    return isText(left) && (isText(right) || right == DataType.JSON);
  }

  /// The type that counts in comparisons: elements stand for their array.
  private static @Nullable DataType comparedType(Operand operand) {
    return switch (operand) {
      case Operand.Constant(Value.ListOf(List<Value> elements), boolean _) ->
          Operand.elementTypeOf(elements);
      case Operand.Constant(Value value, boolean _) -> Operand.typeOf(value);
      case Operand.Column(FieldRef field) -> field.scalarType();
      case Operand.Arithmetic arithmetic -> arithmetic.type();
      case Operand.Length _ -> DataType.INT64;
      case Operand.Test _ -> DataType.BOOL;
    };
  }

  private static DataType plainType(Operand operand) {
    return switch (operand) {
      case Operand.Constant(Value value, boolean _) -> Operand.typeOf(value);
      case Operand.Column(FieldRef field) -> field.type();
      case Operand.Arithmetic arithmetic -> arithmetic.type();
      case Operand.Length _ -> DataType.INT64;
      case Operand.Test _ -> DataType.BOOL;
    };
  }

  private static boolean canCompare(Operand left, Operand right) {
    boolean arrays = plainType(left) == DataType.ARRAY || plainType(right) == DataType.ARRAY;
    if (!arrays) {
      return comparable(plainType(left), plainType(right));
    }
    return plainType(left) == DataType.JSON
        || plainType(right) == DataType.JSON
        || comparable(comparedType(left), comparedType(right));
  }

  /// `left op right` where at least one side is no constant.
  static Expr compare(CompareOp op, Operand left, Operand right) {
    boolean template =
        (left instanceof Operand.Constant l && l.template())
            || (right instanceof Operand.Constant r && r.template());
    if (!template && !canCompare(left, right)) {
      throw ParseFailure.plan(
          "comparisons between "
              + left.typeName()
              + " and "
              + right.typeName()
              + " are not supported");
    }
    if (left instanceof Operand.Constant(Value value, boolean _)) {
      return compareToConstant(op.swapped(), right, value);
    }
    if (right instanceof Operand.Constant(Value value, boolean _)) {
      return compareToConstant(op, left, value);
    }
    if (!(left instanceof Operand.Column(FieldRef a))
        || !(right instanceof Operand.Column(FieldRef b))) {
      throw ParseFailure.plan("only comparison between two fields is supported");
    }
    if (a.isJson() || b.isJson()) {
      throw ParseFailure.plan("two column comparison with JSON type is not supported");
    }
    Expr test = new Expr.CompareFields(a, op, b);
    return a.isArray() || b.isArray() ? new Expr.ArrayTest(test) : test;
  }

  private static Expr compareToConstant(CompareOp op, Operand left, Value value) {
    return switch (left) {
      case Operand.Column(FieldRef field) ->
          leaf(field, new Expr.Compare(field, op, cast(field.comparedType(), value)));
      case Operand.Length(FieldRef field) ->
          leaf(field, new Expr.ArrayLength(field, op, cast(DataType.INT64, value)));
      case Operand.Arithmetic arithmetic -> compareArithmetic(op, arithmetic, value);
      case Operand.Test _ -> throw ParseFailure.plan("not supported to combine multiple fields");
      case Operand.Constant _ -> throw ParseFailure.plan("unexpected comparison of constants");
    };
  }

  private static Expr compareArithmetic(CompareOp op, Operand.Arithmetic left, Value value) {
    Value wanted = cast(left.type(), value);
    FieldRef field = left.field();
    Value constant = left.constant();
    if (field != null && constant != null && left.shape() == Operand.Shape.SIMPLE) {
      Value operand = cast(left.type(), constant);
      boolean divides = left.op() == ArithOp.DIV || left.op() == ArithOp.MOD;
      if (divides && operand.asDouble() == 0) {
        throw ParseFailure.plan("division or modulus by zero");
      }
      return leaf(field, new Expr.Arithmetic(field, left.op(), operand, op, wanted));
    }
    throw ParseFailure.plan(
        switch (left.shape()) {
          case TWO_FIELDS -> "not supported to do arithmetic operations between multiple fields";
          case CONSTANT_FIRST -> "module field is not yet supported";
          case COMPLICATED, SIMPLE -> "complicated arithmetic operations are not supported";
        });
  }

  /// `left op right` where at least one side is no constant.
  static Operand arithmetic(ArithOp op, Operand left, Operand right) {
    refuseWholeArray(left);
    refuseWholeArray(right);
    boolean reverse = left instanceof Operand.Constant;
    DataType a = arithmeticType(reverse ? right : left);
    DataType b = arithmeticType(reverse ? left : right);
    if (!canDoArithmetic(a, b)) {
      throw ParseFailure.parameter(
          "'"
              + op.word()
              + "' cannot perform arithmetic between "
              + a.wireName()
              + " field and "
              + b.wireName()
              + ": query plan failed");
    }
    if (op == ArithOp.MOD && !(isWhole(a) && isWhole(b))) {
      throw ParseFailure.plan("modulo can only apply on integer types");
    }
    if (op.isBitwise() && !(isWhole(a) && isWhole(b))) {
      throw ParseFailure.plan(op.word() + " can only apply on integer types");
    }
    DataType type = a.isFloating() || b.isFloating() ? DataType.DOUBLE : DataType.INT64;
    if (left instanceof Operand.Column(FieldRef field)
        && right instanceof Operand.Constant(Value value, boolean _)) {
      return new Operand.Arithmetic(op, Operand.Shape.SIMPLE, type, field, value);
    }
    if (left instanceof Operand.Constant(Value value, boolean _)
        && right instanceof Operand.Column(FieldRef field)) {
      boolean commutes = op == ArithOp.ADD || op == ArithOp.MUL || op.isBitwise();
      Operand.Shape shape = commutes ? Operand.Shape.SIMPLE : Operand.Shape.CONSTANT_FIRST;
      return new Operand.Arithmetic(op, shape, type, field, value);
    }
    boolean columns = left instanceof Operand.Column && right instanceof Operand.Column;
    return new Operand.Arithmetic(
        op, columns ? Operand.Shape.TWO_FIELDS : Operand.Shape.COMPLICATED, type, null, null);
  }

  static void refuseWholeArray(Operand operand) {
    if (operand instanceof Operand.Column(FieldRef field)
        && field.isArray()
        && field.path().isEmpty()) {
      throw ParseFailure.plan("can not comparisons array fields directly");
    }
  }

  private static DataType arithmeticType(Operand operand) {
    DataType type = comparedType(operand);
    return type == null ? DataType.ARRAY : type;
  }

  private static boolean isWhole(DataType type) {
    return type.isInteger() || type == DataType.JSON;
  }

  private static boolean canDoArithmetic(DataType left, DataType right) {
    if (left.isInteger()) {
      return right.isInteger() || right == DataType.JSON;
    }
    if (left.isFloating()) {
      return isNumeric(right) || right == DataType.JSON;
    }
    return left == DataType.JSON && isNumeric(right);
  }

  /// `lower < field < upper` after casting the bounds.
  static Expr range(
      FieldRef field, Value lower, boolean lowerIncluded, Value upper, boolean upperIncluded) {
    DataType type = field.scalarType();
    Value low = castBound(type, lower);
    Value high = castBound(type, upper);
    Boolean wrong =
        Folding.compare(lowerIncluded && upperIncluded ? CompareOp.GT : CompareOp.GE, low, high);
    if (wrong == null) {
      throw ParseFailure.plan("invalid range operations");
    }
    if (wrong) {
      throw ParseFailure.plan("invalid range: lowerbound is greater than upperbound");
    }
    return leaf(field, new Expr.Range(field, low, lowerIncluded, high, upperIncluded));
  }

  private static Value castBound(DataType type, Value value) {
    if (type == DataType.BOOL) {
      throw ParseFailure.plan("invalid range operations on boolean expr");
    }
    boolean fits =
        isText(type)
            ? value instanceof Value.Text
            : type.isInteger()
                ? value instanceof Value.Int
                : type.isFloating() ? value.isNumber() : type == DataType.JSON;
    if (!fits) {
      throw ParseFailure.plan("invalid range operations");
    }
    return type.isFloating() ? Value.of(value.asDouble()) : value;
  }

  /// `field in [elements]` after casting each element.
  static Expr in(FieldRef field, List<Value> elements) {
    DataType type = field.comparedType();
    List<Value> values = new ArrayList<>(elements.size());
    for (Value element : elements) {
      Value fitting = castOrNull(type, element);
      if (fitting == null) {
        throw ParseFailure.parameter(
            "value '" + element.display() + "' in list cannot be casted to " + type.wireName());
      }
      values.add(fitting);
    }
    return leaf(field, new Expr.In(field, values));
  }

  /// `json_contains` and its forms.
  static Expr contains(FieldRef field, ContainsMode mode, Value value) {
    List<Value> wanted;
    if (mode == ContainsMode.ONE) {
      wanted = List.of(field.isArray() ? cast(field.scalarType(), value) : value);
    } else if (value instanceof Value.ListOf(List<Value> elements)) {
      wanted = elements;
    } else {
      throw ParseFailure.plan(mode.wireName() + " operation element must be an array");
    }
    if (field.isArray()) {
      for (Value element : wanted) {
        if (!comparable(field.scalarType(), Operand.typeOf(element))) {
          throw ParseFailure.plan(
              mode.wireName()
                  + " operation can't compare between array element type: "
                  + field.scalarType().wireName()
                  + " and "
                  + Operand.typeOf(element).wireName());
        }
      }
    }
    return leaf(field, new Expr.Contains(field, mode, wanted));
  }
}
