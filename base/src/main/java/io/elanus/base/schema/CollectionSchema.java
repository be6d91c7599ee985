package io.elanus.base.schema;

import io.elanus.base.id.FieldId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The fields of a collection, in the user's order; the dynamic field `$meta`, when there is one,
/// is last. System fields (row id 0, timestamp 1) are not listed.
///
/// Immutable.
public record CollectionSchema(
    String name,
    String description,
    boolean dynamicFieldEnabled,
    int version,
    List<FieldSchema> fields) {

  public static final FieldId ROW_ID = new FieldId(0);
  public static final FieldId TIMESTAMP = new FieldId(1);
  public static final long FIRST_USER_FIELD_ID = 100;
  public static final String DYNAMIC_FIELD = "$meta";

  public CollectionSchema {
    fields = List.copyOf(fields);
  }

  /// The primary key; a checked schema has exactly one.
  public FieldSchema primaryKey() {
    for (FieldSchema field : fields) {
      if (field.isPrimaryKey()) {
        return field;
      }
    }
    throw new IllegalStateException("schema " + name + " has no primary key");
  }

  public @Nullable FieldSchema field(String fieldName) {
    for (FieldSchema field : fields) {
      if (field.name().equals(fieldName)) {
        return field;
      }
    }
    return null;
  }

  public @Nullable FieldSchema field(FieldId id) {
    for (FieldSchema field : fields) {
      if (field.id().equals(id)) {
        return field;
      }
    }
    return null;
  }

  public @Nullable FieldSchema dynamicField() {
    for (FieldSchema field : fields) {
      if (field.isDynamic()) {
        return field;
      }
    }
    return null;
  }

  public List<FieldSchema> vectorFields() {
    return fields.stream().filter(f -> f.type().isVector()).toList();
  }

  public CollectionSchema withName(String newName) {
    return new CollectionSchema(newName, description, dynamicFieldEnabled, version, fields);
  }
}
