package io.elanus.role.proxy.plan;

import io.elanus.base.error.DbException;
import io.elanus.engine.expr.tree.Value;
import io.elanus.role.proxy.api.TemplateArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Values of `{name}` variables: as the parser takes them, and written into the filter's text,
/// which is what shards get.
///
/// Thread-safe: stateless.
final class Templates {
  private Templates() {}

  static Map<String, Value> values(Map<String, TemplateArgument> templates) {
    if (templates.isEmpty()) {
      return Map.of();
    }
    Map<String, Value> values = new TreeMap<>();
    templates.forEach((name, argument) -> values.put(name, value(argument)));
    return values;
  }

  private static Value value(TemplateArgument argument) {
    return switch (argument) {
      case TemplateArgument.Bool(boolean v) -> Value.of(v);
      case TemplateArgument.Whole(long v) -> Value.of(v);
      case TemplateArgument.Real(double v) -> Value.of(v);
      case TemplateArgument.Text(String v) -> Value.of(v);
      case TemplateArgument.Many(List<TemplateArgument> many) -> {
        List<Value> elements = new ArrayList<>(many.size());
        for (TemplateArgument element : many) {
          elements.add(value(element));
        }
        yield Value.of(elements);
      }
    };
  }

  /// `filter` with every variable outside of string literals replaced by its literal. The filter
  /// was parsed before, so every variable has a value.
  static String fill(String filter, Map<String, Value> values) {
    StringBuilder out = new StringBuilder(filter.length() + 64);
    int i = 0;
    while (i < filter.length()) {
      char c = filter.charAt(i);
      if (c == '"' || c == '\'') {
        int end = stringEnd(filter, i);
        out.append(filter, i, end);
        i = end;
      } else if (c == '{') {
        int end = filter.indexOf('}', i);
        @Nullable Value value = end < 0 ? null : values.get(filter.substring(i + 1, end).strip());
        if (value == null) {
          out.append(c);
          i++;
        } else {
          literal(out, value);
          i = end + 1;
        }
      } else {
        out.append(c);
        i++;
      }
    }
    return out.toString();
  }

  private static int stringEnd(String filter, int from) {
    char quote = filter.charAt(from);
    int i = from + 1;
    while (i < filter.length() && filter.charAt(i) != quote) {
      i += filter.charAt(i) == '\\' ? 2 : 1;
    }
    return Math.min(filter.length(), i + 1);
  }

  private static void literal(StringBuilder out, Value value) {
    switch (value) {
      case Value.Bool(boolean v) -> out.append(v);
      case Value.Int(long v) -> out.append(v);
      case Value.Real(double v) -> {
        if (Double.isNaN(v) || Double.isInfinite(v)) {
          throw DbException.invalid("template value " + v + " is not a number");
        }
        out.append(v);
      }
      case Value.Text(String v) -> text(out, v);
      case Value.ListOf(List<Value> elements) -> {
        out.append('[');
        for (int i = 0; i < elements.size(); i++) {
          if (i > 0) {
            out.append(',');
          }
          literal(out, elements.get(i));
        }
        out.append(']');
      }
    }
  }

  static void text(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> out.append(c);
      }
    }
    out.append('"');
  }
}
