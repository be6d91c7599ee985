package io.elanus.engine.expr.parse;

import io.elanus.base.error.DbException;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.expr.tree.FieldRef;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/// Names outside of filters: output fields, and fields to group or order by (search contract,
/// section 2).
///
/// Thread-safe: stateless.
public final class FieldNames {
  private FieldNames() {}

  /// The field or place that `name` means: a field, a dynamic key, `json["k"]["l"]`, `$meta["k"]`.
  /// Error 1100 when it means nothing.
  public static FieldRef resolve(String name, CollectionSchema schema) {
    String text = name.strip();
    FieldSchema field = schema.field(text);
    if (field != null) {
      return new FieldRef(field);
    }
    try {
      Tokens tokens = Lexer.tokenize(text);
      Parser parser = new Parser(tokens, schema, Map.of(), ZoneOffset.UTC);
      FieldRef found = parser.takeName();
      if (parser.peek() != TokenKind.END) {
        throw ParseFailure.plan("invalid expression: " + text);
      }
      return found;
    } catch (ParseFailure failure) {
      throw DbException.invalid("cannot parse identifier: " + text + ": " + failure.getMessage());
    }
  }

  /// What the output field `name` means: a field (path empty) or one key of the dynamic field.
  /// Error 1100 for anything deeper, for keys of JSON fields and for unknown names.
  public static FieldRef resolveOutput(String name, CollectionSchema schema) {
    String text = name.strip();
    FieldSchema field = schema.field(text);
    if (field != null) {
      return new FieldRef(field);
    }
    if (schema.dynamicField() == null) {
      throw DbException.invalid("field " + text + " not exist");
    }
    FieldRef found;
    try {
      found = resolve(text, schema);
    } catch (DbException e) {
      throw unreadable(text).causedBy(e);
    }
    List<String> path = found.path();
    if (!found.field().isDynamic() || path.size() != 1) {
      throw unreadable(text);
    }
    return found;
  }

  private static DbException unreadable(String name) {
    return DbException.invalid("parse output field name failed: " + name);
  }
}
