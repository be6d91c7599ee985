package io.elanus.engine.expr.tree;

import java.util.List;

/// A constant of a filter: a literal, or what a template variable stands for.
///
/// Immutable.
public sealed interface Value {
  record Bool(boolean value) implements Value {}

  record Int(long value) implements Value {}

  record Real(double value) implements Value {}

  record Text(String value) implements Value {}

  /// An array; elements may differ in kind and may be arrays themselves.
  record ListOf(List<Value> elements) implements Value {
    public ListOf {
      elements = List.copyOf(elements);
    }
  }

  static Value of(boolean value) {
    return new Bool(value);
  }

  static Value of(long value) {
    return new Int(value);
  }

  static Value of(double value) {
    return new Real(value);
  }

  static Value of(String value) {
    return new Text(value);
  }

  static Value of(List<Value> elements) {
    return new ListOf(elements);
  }

  /// Whether this is an integer or a floating point number.
  default boolean isNumber() {
    return this instanceof Int || this instanceof Real;
  }

  /// The number as a double; 0 for other kinds.
  default double asDouble() {
    return switch (this) {
      case Int(long v) -> v;
      case Real(double v) -> v;
      case Bool _, Text _, ListOf _ -> 0;
    };
  }

  /// The form in which the contract's error texts show a value, e.g. `int64_val:7`.
  default String display() {
    return switch (this) {
      case Bool(boolean v) -> "bool_val:" + v;
      case Int(long v) -> "int64_val:" + v;
      case Real(double v) -> "float_val:" + number(v);
      case Text(String v) -> "string_val:\"" + v + "\"";
      case ListOf(List<Value> elements) -> {
        StringBuilder text = new StringBuilder("array_val:{");
        for (int i = 0; i < elements.size(); i++) {
          text.append(i == 0 ? "array:{" : " array:{")
              .append(elements.get(i).display())
              .append('}');
        }
        yield text.append('}').toString();
      }
    };
  }

  private static String number(double v) {
    return v == Math.rint(v) && Math.abs(v) < 1e15 ? Long.toString((long) v) : Double.toString(v);
  }
}
