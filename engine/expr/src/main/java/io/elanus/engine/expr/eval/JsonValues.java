package io.elanus.engine.expr.eval;

import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Equality between JSON values and constants, numbers by value.
///
/// Thread-safe: stateless.
final class JsonValues {
  private JsonValues() {}

  /// Whether the value that starts with `token` equals `constant`; the parser ends up on its last
  /// token.
  static boolean isEqual(JsonParser parser, JsonToken token, Value constant) {
    return switch (constant) {
      case Value.Bool(boolean wanted) ->
          (JsonTests.isBool(token) && (token == JsonToken.VALUE_TRUE) == wanted) || skip(parser);
      case Value.Text(String wanted) ->
          (token == JsonToken.VALUE_STRING && wanted.equals(parser.getString())) || skip(parser);
      case Value.Int _, Value.Real _ ->
          (JsonTests.isNumber(token) && JsonTests.holds(parser, token, CompareOp.EQ, constant))
              || skip(parser);
      case Value.ListOf(List<Value> elements) ->
          token == JsonToken.START_ARRAY ? isEqualArray(parser, elements) : skip(parser);
    };
  }

  private static boolean skip(JsonParser parser) {
    parser.skipChildren();
    return false;
  }

  private static boolean isEqualArray(JsonParser parser, List<Value> elements) {
    boolean equal = true;
    int i = 0;
    while (true) {
      JsonToken token = parser.nextToken();
      if (token == null || token == JsonToken.END_ARRAY) {
        return equal && i == elements.size();
      }
      if (equal && i < elements.size()) {
        equal = isEqual(parser, token, elements.get(i));
      } else {
        equal = false;
        parser.skipChildren();
      }
      i++;
    }
  }

  /// A set of constants of mixed kinds; each distinct one has an index.
  ///
  /// Immutable.
  static final class Set {
    private final Map<Object, Integer> scalars = new HashMap<>();
    private final List<Value.ListOf> lists = new ArrayList<>();
    private final List<Integer> listIndexes = new ArrayList<>();
    private final int maxDepth;
    private int size;

    Set(List<Value> values) {
      int depth = 0;
      for (Value value : values) {
        if (value instanceof Value.ListOf list) {
          if (!lists.contains(list)) {
            lists.add(list);
            listIndexes.add(size++);
            depth = Math.max(depth, depth(list));
          }
        } else if (scalars.putIfAbsent(key(value), size) == null) {
          size++;
        }
      }
      maxDepth = depth;
    }

    int size() {
      return size;
    }

    private static int depth(Value value) {
      int deepest = 0;
      if (value instanceof Value.ListOf(List<Value> elements)) {
        for (Value element : elements) {
          deepest = Math.max(deepest, depth(element));
        }
        return deepest + 1;
      }
      return deepest;
    }

    /// Equal for equal numbers, whether whole or not.
    private static Object key(Value value) {
      return value instanceof Value.Real(double real)
          ? realKey(real)
          : switch (value) {
            case Value.Bool(boolean v) -> v;
            case Value.Int(long v) -> v;
            case Value.Text(String v) -> v;
            case Value.Real _, Value.ListOf _ -> value;
          };
    }

    private static Object realKey(double real) {
      if (real == Math.rint(real) && real >= -0x1p63 && real < 0x1p63) {
        return (long) real;
      }
      return real;
    }

    /// Index of the constant that equals the value starting with `token`, -1 when none does. The
    /// parser ends up on the value's last token.
    int find(JsonParser parser, JsonToken token) {
      return switch (token) {
        case VALUE_TRUE -> index(true);
        case VALUE_FALSE -> index(false);
        case VALUE_STRING -> index(parser.getString());
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
            index(
                JsonTests.isLong(parser, token)
                    ? (Object) parser.getLongValue()
                    : realKey(parser.getDoubleValue()));
        case START_ARRAY -> findList(parser);
        default -> {
          parser.skipChildren();
          yield -1;
        }
      };
    }

    private int index(Object key) {
      Integer index = scalars.get(key);
      return index == null ? -1 : index;
    }

    private int findList(JsonParser parser) {
      if (lists.isEmpty()) {
        parser.skipChildren();
        return -1;
      }
      Value array = read(parser, JsonToken.START_ARRAY, maxDepth);
      for (int i = 0; i < lists.size(); i++) {
        if (isSame(array, lists.get(i))) {
          return listIndexes.get(i);
        }
      }
      return -1;
    }

    /// The value as a constant; null for what no constant can equal.
    private static @Nullable Value read(JsonParser parser, JsonToken token, int depthLeft) {
      switch (token) {
        case VALUE_TRUE, VALUE_FALSE -> {
          return Value.of(token == JsonToken.VALUE_TRUE);
        }
        case VALUE_STRING -> {
          return Value.of(parser.getString());
        }
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
          return JsonTests.isLong(parser, token)
              ? Value.of(parser.getLongValue())
              : Value.of(parser.getDoubleValue());
        }
        default -> {
          if (token != JsonToken.START_ARRAY || depthLeft == 0) {
            parser.skipChildren();
            return null;
          }
        }
      }
      List<Value> elements = new ArrayList<>();
      boolean plain = true;
      for (JsonToken next = parser.nextToken();
          next != null && next != JsonToken.END_ARRAY;
          next = parser.nextToken()) {
        Value element = read(parser, next, depthLeft - 1);
        if (element == null) {
          plain = false;
        } else {
          elements.add(element);
        }
      }
      return plain ? Value.of(elements) : null;
    }

    private static boolean isSame(@Nullable Value a, Value b) {
      if (a instanceof Value.ListOf(List<Value> x) && b instanceof Value.ListOf(List<Value> y)) {
        boolean same = x.size() == y.size();
        for (int i = 0; same && i < x.size(); i++) {
          same = isSame(x.get(i), y.get(i));
        }
        return same;
      }
      return a != null && key(a).equals(key(b));
    }
  }
}
