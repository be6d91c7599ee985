package io.elanus.engine.expr.eval;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the JSON that [RandomFilters] writes into maps, lists, strings, longs, doubles and
/// booleans.
final class NaiveJson {
  static final Object NULL = new Object();

  private final String text;
  private int at;

  NaiveJson(String text) {
    this.text = text;
  }

  Object read() {
    skipBlanks();
    char c = text.charAt(at);
    if (c == '{') {
      Map<String, Object> map = new LinkedHashMap<>();
      at++;
      while (!takes('}')) {
        String key = (String) read();
        takes(':');
        map.put(key, read());
        takes(',');
      }
      return map;
    }
    if (c == '[') {
      List<Object> list = new ArrayList<>();
      at++;
      while (!takes(']')) {
        list.add(read());
        takes(',');
      }
      return list;
    }
    if (c == '"') {
      int end = text.indexOf('"', at + 1);
      String value = text.substring(at + 1, end);
      at = end + 1;
      return value;
    }
    int from = at;
    while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(from, at);
    return switch (word) {
      case "null" -> NULL;
      case "true" -> true;
      case "false" -> false;
      default -> word.indexOf('.') < 0 ? (Object) Long.valueOf(word) : Double.valueOf(word);
    };
  }

  private void skipBlanks() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private boolean takes(char c) {
    skipBlanks();
    if (text.charAt(at) != c) {
      return false;
    }
    at++;
    return true;
  }
}
