package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Turns the schema of a request into that of the catalog: field ids from 100 in order, the dynamic
/// field last. Repeats the checks that protect the catalog; the proxy makes them first.
///
/// Thread-safe: stateless.
final class SchemaAssembler {
  private static final Set<String> SYSTEM_NAMES =
      Set.of("RowID", "Timestamp", "$meta", "$namespace_id");

  private SchemaAssembler() {}

  static CollectionSchema assemble(CollectionSchema given) {
    List<FieldSchema> fields = new ArrayList<>(given.fields().size() + 1);
    for (FieldSchema field : given.fields()) {
      if (!field.isDynamic()) {
        fields.add(field.withId(new FieldId(CollectionSchema.FIRST_USER_FIELD_ID + fields.size())));
      }
    }
    check(fields);
    if (given.dynamicFieldEnabled()) {
      long id = CollectionSchema.FIRST_USER_FIELD_ID + fields.size();
      fields.add(dynamicField(id, false));
    }
    return new CollectionSchema(
        given.name(), given.description(), given.dynamicFieldEnabled(), 0, fields);
  }

  static FieldSchema dynamicField(long id, boolean nullable) {
    FieldSchema.Flags flags =
        new FieldSchema.Flags(false, false, false, false, true, nullable, false);
    return new FieldSchema(
        new FieldId(id),
        CollectionSchema.DYNAMIC_FIELD,
        "dynamic schema",
        DataType.JSON,
        null,
        flags,
        Map.of(),
        null);
  }

  private static void check(List<FieldSchema> fields) {
    Set<String> names = new HashSet<>();
    int primaryKeys = 0;
    boolean vector = false;
    for (FieldSchema field : fields) {
      if (SYSTEM_NAMES.contains(field.name())) {
        throw DbException.invalid(
            "schema contains system field: RowID, Timestamp, $meta, $namespace_id",
            "schema don't contains system field",
            "contains");
      }
      if (!names.add(field.name())) {
        throw DbException.invalid("duplicated field name " + field.name() + " found");
      }
      primaryKeys += field.isPrimaryKey() ? 1 : 0;
      vector |= field.type().isVector();
    }
    if (primaryKeys == 0) {
      throw DbException.of(ErrorCode.PARAMETER_MISSING, "primary key is not specified");
    }
    if (primaryKeys > 1) {
      throw DbException.invalid("there are more than one primary key");
    }
    if (!vector) {
      throw DbException.invalid("schema does not contain vector field");
    }
  }

  /// `schema` with one more field, in front of the dynamic field, and the next version.
  static CollectionSchema withField(CollectionSchema schema, FieldSchema added) {
    List<FieldSchema> fields = new ArrayList<>(schema.fields());
    boolean dynamicIsLast = !fields.isEmpty() && fields.getLast().isDynamic();
    fields.add(dynamicIsLast ? fields.size() - 1 : fields.size(), added);
    return new CollectionSchema(
        schema.name(),
        schema.description(),
        schema.dynamicFieldEnabled() || added.isDynamic(),
        schema.version() + 1,
        fields);
  }

  /// `schema` with `changed` in place of the field of the same id, and the next version.
  static CollectionSchema withChanged(CollectionSchema schema, FieldSchema changed) {
    List<FieldSchema> fields = new ArrayList<>(schema.fields());
    fields.replaceAll(field -> field.id().equals(changed.id()) ? changed : field);
    return new CollectionSchema(
        schema.name(),
        schema.description(),
        schema.dynamicFieldEnabled(),
        schema.version() + 1,
        fields);
  }

  static CollectionSchema withDescription(CollectionSchema schema, String description) {
    return new CollectionSchema(
        schema.name(),
        description,
        schema.dynamicFieldEnabled(),
        schema.version(),
        schema.fields());
  }

  static long nextFieldId(CollectionSchema schema) {
    long largest = CollectionSchema.FIRST_USER_FIELD_ID - 1;
    for (FieldSchema field : schema.fields()) {
      largest = Math.max(largest, field.id().value());
    }
    return largest + 1;
  }

  static boolean hasPartitionKey(CollectionSchema schema) {
    return schema.fields().stream().anyMatch(field -> field.flags().partitionKey());
  }
}
