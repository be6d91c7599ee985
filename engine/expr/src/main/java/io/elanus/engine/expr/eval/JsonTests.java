package io.elanus.engine.expr.eval;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.engine.expr.tree.ArithOp;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.ContainsMode;
import io.elanus.engine.expr.tree.LikePattern;
import io.elanus.engine.expr.tree.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Tests of JSON values. Values of another family than the constant answer false, and true for
/// `!=`.
///
/// Thread-safe: stateless.
final class JsonTests {
  private JsonTests() {}

  /// A test whose answer for missing and unfit values is the same.
  abstract static class Uniform implements Json.Test {
    private final boolean otherwise;

    Uniform(boolean otherwise) {
      this.otherwise = otherwise;
    }

    @Override
    public boolean whenMissing() {
      return otherwise;
    }
  }

  static final class Compare extends Uniform {
    private final CompareOp op;
    private final Value constant;

    Compare(CompareOp op, Value constant) {
      super(op == CompareOp.NE);
      this.op = op;
      this.constant = constant;
    }

    @Override
    public boolean test(JsonParser parser, JsonToken token) {
      return switch (constant) {
        case Value.Bool(boolean wanted) ->
            isBool(token)
                ? op.holds(Boolean.compare(token == JsonToken.VALUE_TRUE, wanted))
                : whenMissing();
        case Value.Text(String wanted) ->
            token == JsonToken.VALUE_STRING
                ? op.holds(PrimaryKeys.compareUtf8(parser.getString(), wanted))
                : whenMissing();
        case Value.Int _, Value.Real _ ->
            isNumber(token) ? holds(parser, token, op, constant) : whenMissing();
        case Value.ListOf _ ->
            switch (op) {
              case EQ -> JsonValues.isEqual(parser, token, constant);
              case NE -> !JsonValues.isEqual(parser, token, constant);
              case LT, LE, GT, GE -> false;
            };
      };
    }
  }

  static boolean isBool(JsonToken token) {
    return token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE;
  }

  static boolean isNumber(JsonToken token) {
    return token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
  }

  static boolean isLong(JsonParser parser, JsonToken token) {
    return token == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
  }

  /// `number op constant` by value; the parser stands on the number.
  static boolean holds(JsonParser parser, JsonToken token, CompareOp op, Value constant) {
    if (isLong(parser, token)) {
      long x = parser.getLongValue();
      return constant instanceof Value.Int(long wanted)
          ? op.holds(Long.compare(x, wanted))
          : Numbers.holds(op, x, constant.asDouble());
    }
    double x = parser.getDoubleValue();
    return constant instanceof Value.Int(long wanted)
        ? Numbers.holds(op.swapped(), wanted, x)
        : Numbers.holds(op, x, constant.asDouble());
  }

  static final class Range extends Uniform {
    private final Compare lower;
    private final Compare upper;

    Range(Value low, boolean lowIncluded, Value high, boolean highIncluded) {
      super(false);
      lower = new Compare(lowIncluded ? CompareOp.GE : CompareOp.GT, low);
      upper = new Compare(highIncluded ? CompareOp.LE : CompareOp.LT, high);
    }

    @Override
    public boolean test(JsonParser parser, JsonToken token) {
      return lower.test(parser, token) && upper.test(parser, token);
    }
  }

  static final class In extends Uniform {
    private final JsonValues.Set set;

    In(List<Value> values) {
      super(false);
      set = new JsonValues.Set(values);
    }

    @Override
    public boolean test(JsonParser parser, JsonToken token) {
      return set.find(parser, token) >= 0;
    }
  }

  static final class Like extends Uniform {
    private final LikePattern pattern;

    Like(LikePattern pattern) {
      super(false);
      this.pattern = pattern;
    }

    @Override
    public boolean test(JsonParser parser, JsonToken token) {
      if (token != JsonToken.VALUE_STRING) {
        return false;
      }
      byte[] bytes = parser.getString().getBytes(StandardCharsets.UTF_8);
      return pattern.matches(bytes, 0, bytes.length);
    }
  }

  /// Present, and neither null nor made of empty objects and arrays only.
  static final class Exists extends Uniform {
    Exists() {
      super(false);
    }

    @Override
    public boolean test(JsonParser parser, JsonToken token) {
      int depth = 0;
      JsonToken at = token;
      while (true) {
        switch (at) {
          case START_OBJECT, START_ARRAY -> depth++;
          case END_OBJECT, END_ARRAY -> depth--;
          case PROPERTY_NAME, VALUE_NULL -> {}
          default -> {
            return true;
          }
        }
        if (depth == 0) {
          return false;
        }
        JsonToken next = parser.nextToken();
        if (next == null) {
          return false;
        }
        at = next;
      }
    }
  }

  static final class Contains extends Uniform {
    private final ContainsMode mode;
    private final JsonValues.Set wanted;

    Contains(ContainsMode mode, List<Value> values) {
      super(false);
      this.mode = mode;
      this.wanted = new JsonValues.Set(values);
    }

    @Override
    public boolean test(JsonParser parser, JsonToken token) {
      if (token != JsonToken.START_ARRAY) {
        return false;
      }
      boolean all = mode == ContainsMode.ALL;
      boolean[] seen = new boolean[all ? wanted.size() : 0];
      int missing = wanted.size();
      if (missing == 0) {
        return all;
      }
      while (true) {
        JsonToken element = parser.nextToken();
        if (element == null || element == JsonToken.END_ARRAY) {
          return false;
        }
        int found = wanted.find(parser, element);
        if (found < 0) {
          continue;
        }
        if (!all) {
          return true;
        }
        if (!seen[found]) {
          seen[found] = true;
          if (--missing == 0) {
            return true;
          }
        }
      }
    }
  }

  /// Length of an array; everything else, also nothing, has length 0.
  static final class Length implements Json.Test {
    private final CompareOp op;
    private final long wanted;

    Length(CompareOp op, long wanted) {
      this.op = op;
      this.wanted = wanted;
    }

    @Override
    public boolean whenMissing() {
      return op.holds(Long.compare(0, wanted));
    }

    @Override
    public boolean test(JsonParser parser, JsonToken token) {
      if (token != JsonToken.START_ARRAY) {
        return whenMissing();
      }
      long length = 0;
      while (true) {
        JsonToken element = parser.nextToken();
        if (element == null || element == JsonToken.END_ARRAY) {
          return op.holds(Long.compare(length, wanted));
        }
        length++;
        parser.skipChildren();
      }
    }
  }

  static final class Arithmetic extends Uniform {
    private final ArithOp arith;
    private final Value operand;
    private final CompareOp op;
    private final Value value;

    Arithmetic(ArithOp arith, Value operand, CompareOp op, Value value) {
      super(op == CompareOp.NE);
      this.arith = arith;
      this.operand = operand;
      this.op = op;
      this.value = value;
    }

    @Override
    public boolean test(JsonParser parser, JsonToken token) {
      if (!isNumber(token)) {
        return whenMissing();
      }
      if (isLong(parser, token)
          && operand instanceof Value.Int(long k)
          && value instanceof Value.Int(long v)) {
        return op.holds(Numbers.compareResult(arith, parser.getLongValue(), k, v));
      }
      if (arith.isBitwise()) {
        return whenMissing();
      }
      double x = parser.getDoubleValue();
      return Numbers.holds(op, Numbers.apply(arith, x, operand.asDouble()), value.asDouble());
    }
  }
}
