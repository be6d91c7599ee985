package io.elanus.engine.expr.parse;

import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.expr.tree.FieldRef;
import java.util.ArrayList;
import java.util.List;

/// Resolves names and paths against a schema (expression contract, section 4).
///
/// Immutable.
final class Names {
  private final CollectionSchema schema;

  Names(CollectionSchema schema) {
    this.schema = schema;
  }

  /// A plain name: a field, or a key of the dynamic field.
  FieldRef name(String name) {
    FieldSchema field = fieldOrDynamic(name);
    if (field.type() == DataType.TEXT) {
      throw ParseFailure.parameter(
          "filter on text field (" + field.name() + ") is not supported yet");
    }
    return new FieldRef(field, field.name().equals(name) ? List.of() : List.of(name));
  }

  /// A name with bracketed keys, as the lexer found it.
  FieldRef path(String text) {
    int bracket = text.indexOf('[');
    String name = text.substring(0, bracket);
    FieldSchema field = fieldOrDynamic(name);
    if (field.type() != DataType.JSON && field.type() != DataType.ARRAY) {
      throw ParseFailure.parameter(
          field.type().wireName() + " data type not supported accessed with []");
    }
    List<String> path = new ArrayList<>();
    if (!field.name().equals(name)) {
      path.add(name);
    }
    int at = bracket;
    while (at < text.length()) {
      int end = keyEnd(text, at + 1);
      path.add(key(text, text.substring(at + 1, end), field));
      at = end + 1;
    }
    if (field.type() == DataType.ARRAY && path.size() > 1) {
      throw ParseFailure.plan("an array field has one index only: " + text);
    }
    return new FieldRef(field, path);
  }

  private static String key(String whole, String key, FieldSchema field) {
    if (Character.isDigit(key.charAt(0))) {
      return key;
    }
    String text = Literals.string(key);
    if (text.isEmpty()) {
      throw ParseFailure.parameter("invalid identifier: " + whole);
    }
    if (field.type() == DataType.ARRAY) {
      throw ParseFailure.plan("can only access array field with integer index");
    }
    return text;
  }

  /// Index of the `]` that closes the key starting at `from`.
  private static int keyEnd(String text, int from) {
    int i = from;
    while (text.charAt(i) != '"' && text.charAt(i) != '\'') {
      if (text.charAt(i) == ']') {
        return i;
      }
      i++;
    }
    char quote = text.charAt(i++);
    while (text.charAt(i) != quote) {
      i += text.charAt(i) == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  private FieldSchema fieldOrDynamic(String name) {
    FieldSchema field = schema.field(name);
    if (field == null) {
      field = schema.dynamicField();
    }
    if (field == null) {
      throw ParseFailure.parameter("field " + name + " not exist");
    }
    return field;
  }
}
