package io.elanus.engine.expr.eval;

import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.ArithOp;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.ContainsMode;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The semantics of filters, one row at a time and by other means than the product: null for
/// unknown, exact decimal numbers, regular expressions for LIKE, whole documents for JSON.
final class NaiveEvaluator {
  private static final Object MISSING = new Object();

  private final CollectionSchema schema;

  NaiveEvaluator(CollectionSchema schema) {
    this.schema = schema;
  }

  private @Nullable Object value(FieldRef field, @Nullable Object[] row) {
    return row[schema.fields().indexOf(field.field())];
  }

  @Nullable Boolean eval(Expr expr, @Nullable Object[] row) {
    return switch (expr) {
      case Expr.Constant(boolean value) -> value;
      case Expr.And(List<Expr> operands) -> {
        Boolean result = true;
        for (Expr operand : operands) {
          Boolean b = eval(operand, row);
          if (b == null) {
            result = (result == null || result) ? null : false;
          } else if (!b) {
            result = false;
          }
        }
        yield result;
      }
      case Expr.Or(List<Expr> operands) -> {
        Boolean result = false;
        for (Expr operand : operands) {
          Boolean b = eval(operand, row);
          if (b == null) {
            result = (result == null || !result) ? null : true;
          } else if (b) {
            result = true;
          }
        }
        yield result;
      }
      case Expr.Not(Expr operand) -> {
        Boolean b = eval(operand, row);
        yield b == null ? null : !b;
      }
      case Expr.IsNull(FieldRef field, boolean negated) -> (value(field, row) == null) != negated;
      case Expr.Exists(FieldRef field) -> {
        Object doc = value(field, row);
        yield doc != null && !isEmpty(place(field, doc));
      }
      case Expr.CompareFields(FieldRef left, CompareOp op, FieldRef right) -> {
        Object a = value(left, row);
        Object b = value(right, row);
        yield (a == null || b == null) ? null : compare(a, op, b);
      }
      case Expr.Compare e ->
          leaf(e.field(), row, v -> compare(v, e.op(), constant(e.field(), e.value())));
      case Expr.In e ->
          leaf(
              e.field(),
              row,
              v ->
                  e.values().stream()
                      .anyMatch(c -> compare(v, CompareOp.EQ, constant(e.field(), c))));
      case Expr.Range e ->
          leaf(
              e.field(),
              row,
              v ->
                  compare(
                          v,
                          e.lowerIncluded() ? CompareOp.GE : CompareOp.GT,
                          constant(e.field(), e.lower()))
                      && compare(
                          v,
                          e.upperIncluded() ? CompareOp.LE : CompareOp.LT,
                          constant(e.field(), e.upper())));
      case Expr.Like e ->
          leaf(e.field(), row, v -> v instanceof String s && like(e.pattern().text(), s));
      case Expr.Contains e -> leaf(e.field(), row, v -> contains(v, e.mode(), e.values()));
      case Expr.ArrayLength e ->
          leaf(
              e.field(),
              row,
              v ->
                  compare(
                      (long) (v instanceof List<?> list ? list.size() : 0),
                      e.op(),
                      object(e.value())));
      case Expr.Arithmetic e -> leaf(e.field(), row, v -> arithmetic(e, v));
      default -> throw new IllegalArgumentException(expr.toString());
    };
  }

  private interface ValueTest {
    boolean test(Object value);
  }

  private @Nullable Boolean leaf(FieldRef field, @Nullable Object[] row, ValueTest test) {
    Object value = value(field, row);
    if (value == null) {
      return null;
    }
    return test.test(field.isJson() ? place(field, value) : value);
  }

  private static Object place(FieldRef field, Object text) {
    Object at = new NaiveJson((String) text).read();
    for (String key : field.path()) {
      if (at instanceof Map<?, ?> map && map.containsKey(key)) {
        at = Objects.requireNonNull(map.get(key));
      } else if (at instanceof List<?> list
          && key.matches("\\d+")
          && Integer.parseInt(key) < list.size()) {
        at = Objects.requireNonNull(list.get(Integer.parseInt(key)));
      } else {
        return MISSING;
      }
    }
    return at;
  }

  private static boolean isEmpty(Object value) {
    return value.equals(MISSING)
        || value.equals(NaiveJson.NULL)
        || (value instanceof Map<?, ?> map && map.values().stream().allMatch(v -> isEmpty(v)))
        || (value instanceof List<?> list && list.stream().allMatch(v -> isEmpty(v)));
  }

  private static Object object(Value value) {
    return switch (value) {
      case Value.Bool(boolean v) -> v;
      case Value.Int(long v) -> v;
      case Value.Real(double v) -> v;
      case Value.Text(String v) -> v;
      case Value.ListOf(List<Value> elements) ->
          elements.stream().map(NaiveEvaluator::object).toList();
    };
  }

  private static Object constant(FieldRef field, Value value) {
    return field.type() == DataType.FLOAT ? (Object) (float) value.asDouble() : object(value);
  }

  /// Values of different families differ and have no order.
  private static boolean compare(Object a, CompareOp op, Object b) {
    if (a instanceof Boolean x && b instanceof Boolean y) {
      return op.holds(x.compareTo(y));
    }
    if (a instanceof String x && b instanceof String y) {
      return op.holds(
          Arrays.compareUnsigned(
              x.getBytes(StandardCharsets.UTF_8), y.getBytes(StandardCharsets.UTF_8)));
    }
    if (a instanceof Number x && b instanceof Number y) {
      if (Double.isNaN(x.doubleValue()) || Double.isNaN(y.doubleValue())) {
        return op == CompareOp.NE;
      }
      return op.holds(exact(x).compareTo(exact(y)));
    }
    boolean lists = a instanceof List<?> && b instanceof List<?>;
    boolean equal = lists && sameList((List<?>) a, (List<?>) b);
    return op == CompareOp.NE ? !equal : op == CompareOp.EQ && equal;
  }

  private static boolean sameList(List<?> a, List<?> b) {
    boolean same = a.size() == b.size();
    for (int i = 0; same && i < a.size(); i++) {
      same =
          compare(Objects.requireNonNull(a.get(i)), CompareOp.EQ, Objects.requireNonNull(b.get(i)));
    }
    return same;
  }

  private static BigDecimal exact(Number number) {
    return number instanceof Double || number instanceof Float
        ? new BigDecimal(number.doubleValue())
        : BigDecimal.valueOf(number.longValue());
  }

  private static boolean like(String pattern, String value) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      boolean escaped =
          c == '\\' && i + 1 < pattern.length() && "%_".indexOf(pattern.charAt(i + 1)) >= 0;
      if (escaped) {
        i++;
      }
      regex.append(
          escaped
              ? Pattern.quote("" + pattern.charAt(i))
              : c == '%' ? ".*" : c == '_' ? "." : Pattern.quote("" + c));
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(value).matches();
  }

  private static boolean contains(Object value, ContainsMode mode, List<Value> wanted) {
    if (!(value instanceof List<?> list)) {
      return false;
    }
    java.util.function.Predicate<Value> held =
        w ->
            list.stream()
                .anyMatch(v -> compare(Objects.requireNonNull(v), CompareOp.EQ, object(w)));
    return mode == ContainsMode.ALL
        ? wanted.stream().allMatch(held)
        : wanted.stream().anyMatch(held);
  }

  private static boolean arithmetic(Expr.Arithmetic e, Object value) {
    if (!(value instanceof Number number)) {
      return e.op() == CompareOp.NE;
    }
    if (number instanceof Float) {
      double k = (float) e.operand().asDouble();
      float x = (float) real(e.arith(), number.doubleValue(), k);
      return compare(x, e.op(), (float) e.value().asDouble());
    }
    if (number instanceof Double && e.arith().isBitwise()) {
      return e.op() == CompareOp.NE;
    }
    if (number instanceof Double) {
      double x = real(e.arith(), number.doubleValue(), e.operand().asDouble());
      return compare(x, e.op(), e.value().asDouble());
    }
    BigInteger x = BigInteger.valueOf(number.longValue());
    BigInteger k = BigInteger.valueOf(((Value.Int) e.operand()).value());
    BigInteger result =
        switch (e.arith()) {
          case ADD -> x.add(k);
          case SUB -> x.subtract(k);
          case MUL -> x.multiply(k);
          case DIV -> x.divide(k);
          case MOD -> x.remainder(k);
          case BIT_AND -> x.and(k);
          case BIT_OR -> x.or(k);
          case BIT_XOR -> x.xor(k);
        };
    return e.op().holds(result.compareTo(BigInteger.valueOf(((Value.Int) e.value()).value())));
  }

  private static double real(ArithOp op, double x, double k) {
    return switch (op) {
      case ADD -> x + k;
      case SUB -> x - k;
      case MUL -> x * k;
      case DIV -> x / k;
      case MOD -> x % k;
      case BIT_AND, BIT_OR, BIT_XOR -> throw new IllegalArgumentException(op.text());
    };
  }
}
