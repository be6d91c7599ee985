package io.elanus.engine.expr.eval;

import io.elanus.base.random.Rng;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.TestTable;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Generates tables and filter texts over them; values and constants come from small pools, so that
/// they often meet.
final class RandomFilters {
  static final List<DataType> TYPES =
      List.of(
          DataType.BOOL,
          DataType.INT8,
          DataType.INT16,
          DataType.INT32,
          DataType.INT64,
          DataType.FLOAT,
          DataType.DOUBLE,
          DataType.VARCHAR,
          DataType.JSON);
  private static final String[] OPS = {"<", "<=", ">", ">=", "==", "!="};
  private static final String[] KEYS = {
    "[\"a\"]", "[\"b\"]", "[\"a\"][\"b\"]", "[\"l\"]", "[\"l\"][1]", ""
  };

  private final Rng rng;

  RandomFilters(Rng rng) {
    this.rng = rng;
  }

  static String name(DataType type, int copy) {
    String base =
        switch (type) {
          case BOOL -> "flag";
          case INT8 -> "i8";
          case INT16 -> "i16";
          case INT32 -> "i32";
          case INT64 -> "i64";
          case FLOAT -> "f32";
          case DOUBLE -> "f64";
          case VARCHAR -> "text";
          default -> "json";
        };
    return base + "_" + copy;
  }

  /// Two columns a type, the second nullable.
  TestTable table(int rows) {
    TestTable table = new TestTable();
    for (DataType type : TYPES) {
      table.field(name(type, 0), type).nullable(name(type, 1), type);
    }
    for (int r = 0; r < rows; r++) {
      @Nullable Object[] row = new @Nullable Object[2 * TYPES.size()];
      for (int f = 0; f < TYPES.size(); f++) {
        row[2 * f] = value(TYPES.get(f));
        row[2 * f + 1] = rng.nextInt(3) == 0 ? null : value(TYPES.get(f));
      }
      table.row(row);
    }
    return table;
  }

  private Object value(DataType type) {
    return switch (type) {
      case BOOL -> rng.nextInt(2) == 0;
      case INT8 -> (byte) edge(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case INT16 -> (short) edge(Short.MIN_VALUE, Short.MAX_VALUE);
      case INT32 -> (int) edge(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case INT64 -> edge(Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT -> rng.nextInt(20) == 0 ? Float.NaN : (float) real();
      case DOUBLE -> rng.nextInt(20) == 0 ? Double.NaN : real();
      case VARCHAR -> word();
      default -> json(2);
    };
  }

  private long edge(long min, long max) {
    return switch (rng.nextInt(8)) {
      case 0 -> min;
      case 1 -> max;
      case 2 -> max - 1;
      default -> rng.nextInt(11) - 5;
    };
  }

  private double real() {
    double[] pool = {0, -0.0, 0.1, 0.5, 1, -1, 2, 3.25, 1e10, -1e10, 9007199254740992.0};
    return pool[rng.nextInt(pool.length)];
  }

  private String word() {
    StringBuilder out = new StringBuilder();
    String[] letters = {"a", "b", "%", "_", "é", "中", "😀", "\uff5e"};
    for (int n = rng.nextInt(4); n > 0; n--) {
      out.append(letters[rng.nextInt(letters.length)]);
    }
    return out.toString();
  }

  private String json(int depth) {
    return switch (rng.nextInt(depth == 0 ? 6 : 9)) {
      case 0 -> "null";
      case 1 -> rng.nextInt(2) == 0 ? "true" : "false";
      case 2 -> Long.toString(edge(Long.MIN_VALUE, Long.MAX_VALUE));
      case 3 -> number(real());
      case 4, 5 -> "\"" + word() + "\"";
      case 6 -> list(depth);
      default ->
          "{\"a\": "
              + json(depth - 1)
              + ", \"b\" :"
              + json(depth - 1)
              + ",\"l\": "
              + list(depth)
              + "}";
    };
  }

  private String list(int depth) {
    StringBuilder out = new StringBuilder("[");
    for (int n = rng.nextInt(4); n > 0; n--) {
      out.append(json(depth - 1)).append(n == 1 ? "" : ", ");
    }
    return out.append(']').toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  String filter(int depth) {
    if (depth > 0) {
      switch (rng.nextInt(5)) {
        case 0 -> {
          return "(" + filter(depth - 1) + " and " + filter(depth - 1) + ")";
        }
        case 1 -> {
          return "(" + filter(depth - 1) + " or " + filter(depth - 1) + ")";
        }
        case 2 -> {
          return "not (" + filter(depth - 1) + ")";
        }
        default -> {}
      }
    }
    return leaf();
  }

  private String leaf() {
    DataType type = TYPES.get(rng.nextInt(TYPES.size()));
    String field = name(type, rng.nextInt(2));
    boolean json = type == DataType.JSON;
    String place = json ? field + KEYS[rng.nextInt(KEYS.length)] : field;
    switch (rng.nextInt(9)) {
      case 0 -> {
        return field + (rng.nextInt(2) == 0 ? " is null" : " is not null");
      }
      case 1 -> {
        return place + (rng.nextInt(2) == 0 ? " in [" : " not in [") + constants(type) + "]";
      }
      case 2 -> {
        String range = range(type, place);
        if (range != null) {
          return range;
        }
      }
      case 3 -> {
        if (type == DataType.VARCHAR || json) {
          return place + " like \"" + pattern() + "\"";
        }
        return twoFields(type);
      }
      case 4 -> {
        if (type.isInteger() || type.isFloating() || json) {
          return arithmetic(type, place);
        }
      }
      case 5, 6 -> {
        if (json) {
          return jsonForm(field, place);
        }
      }
      default -> {}
    }
    return rng.nextInt(4) == 0
        ? constant(type) + " " + op() + " " + place
        : place + " " + op() + " " + constant(type);
  }

  private String op() {
    return OPS[rng.nextInt(OPS.length)];
  }

  private String twoFields(DataType type) {
    DataType other = type;
    if (type.isInteger() || type.isFloating()) {
      other = TYPES.get(1 + rng.nextInt(6));
    }
    if (type == DataType.JSON || type == DataType.VARCHAR) {
      other = DataType.VARCHAR;
      type = DataType.VARCHAR;
    }
    return name(type, rng.nextInt(2)) + " " + op() + " " + name(other, rng.nextInt(2));
  }

  private String jsonForm(String field, String place) {
    String list = "[" + constants(DataType.JSON) + "]";
    return switch (rng.nextInt(6)) {
      case 0 -> " exists " + field + "[\"a\"]";
      case 1 -> "json_contains(" + place + ", " + constant(DataType.JSON) + ")";
      case 2 -> "json_contains_all(" + place + ", " + list + ")";
      case 3 -> "json_contains_any(" + place + ", " + list + ")";
      case 4 -> "array_length(" + place + ") " + op() + " " + rng.nextInt(4);
      default -> place + " " + (rng.nextInt(2) == 0 ? "==" : "!=") + " " + list;
    };
  }

  private String arithmetic(DataType type, String place) {
    String[] ariths =
        type.isFloating()
            ? new String[] {"+", "-", "*", "/"}
            : new String[] {"+", "-", "*", "/", "%", "&", "|", "^"};
    String arith = ariths[rng.nextInt(ariths.length)];
    boolean divides = arith.equals("/") || arith.equals("%");
    String operand =
        divides
            ? Integer.toString(rng.nextInt(2) == 0 ? -1 : 2 + rng.nextInt(3))
            : Long.toString(edge(Long.MIN_VALUE + 1, Long.MAX_VALUE));
    DataType valueType = type == DataType.JSON ? DataType.INT64 : type;
    return "(" + place + " " + arith + " " + operand + ") " + op() + " " + constant(valueType);
  }

  private @Nullable String range(DataType type, String place) {
    if (type == DataType.BOOL) {
      return null;
    }
    if (type == DataType.VARCHAR) {
      return "\"a\" <= " + place + " < \"b" + word() + "\"";
    }
    int low = rng.nextInt(8) - 4;
    return low
        + (rng.nextInt(2) == 0 ? " < " : " <= ")
        + place
        + (rng.nextInt(2) == 0 ? " < " : " <= ")
        + (low + 1 + rng.nextInt(4));
  }

  private String pattern() {
    StringBuilder out = new StringBuilder();
    String[] parts = {"%", "_", "\\\\%", "\\\\_", "a", "b", "中"};
    for (int n = rng.nextInt(5); n > 0; n--) {
      out.append(parts[rng.nextInt(parts.length)]);
    }
    return out.toString();
  }

  private String constants(DataType type) {
    StringBuilder out = new StringBuilder();
    int n = rng.nextInt(10) == 0 ? 40 : rng.nextInt(4);
    for (; n > 0; n--) {
      out.append(constant(type)).append(n == 1 ? "" : ", ");
    }
    return out.toString();
  }

  private String constant(DataType type) {
    if (type == DataType.BOOL) {
      return rng.nextInt(2) == 0 ? "true" : "false";
    }
    if (type == DataType.VARCHAR) {
      return "\"" + word() + "\"";
    }
    if (type.isInteger()) {
      return Long.toString(edge(Long.MIN_VALUE, Long.MAX_VALUE));
    }
    if (type.isFloating()) {
      return rng.nextInt(2) == 0 ? Integer.toString(rng.nextInt(7) - 3) : number(real());
    }
    return switch (rng.nextInt(6)) {
      case 0 -> "true";
      case 1 -> "\"" + word() + "\"";
      case 2 -> number(real());
      case 3 -> "[" + constant(DataType.JSON) + "]";
      default -> Long.toString(rng.nextInt(7) - 3);
    };
  }
}
