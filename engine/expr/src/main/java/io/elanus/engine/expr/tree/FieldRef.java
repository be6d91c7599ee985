package io.elanus.engine.expr.tree;

import io.elanus.base.id.FieldId;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.util.List;

/// A field, or a place inside a JSON document or array: `path` holds keys and decimal indexes from
/// the root, empty for the field itself. A dynamic key `k` is field `$meta` with path `[k]`.
///
/// Immutable.
public record FieldRef(FieldSchema field, List<String> path) {
  public FieldRef {
    path = List.copyOf(path);
  }

  public FieldRef(FieldSchema field) {
    this(field, List.of());
  }

  public FieldId id() {
    return field.id();
  }

  public DataType type() {
    return field.type();
  }

  public boolean isJson() {
    return field.type() == DataType.JSON;
  }

  public boolean isArray() {
    return field.type() == DataType.ARRAY;
  }

  /// The element type of an array field, the field's own type otherwise.
  public DataType scalarType() {
    DataType element = field.elementType();
    return isArray() && element != null ? element : field.type();
  }

  /// The type a constant must fit: the element type for an access by index, else the field's type.
  public DataType comparedType() {
    return path.isEmpty() ? field.type() : scalarType();
  }
}
