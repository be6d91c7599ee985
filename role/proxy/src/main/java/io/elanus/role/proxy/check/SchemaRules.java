package io.elanus.role.proxy.check;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a schema must look like, checked in the contract's order (schema contract, section 3). What
/// the contract allows and this build can't do yet is refused at the end, never ignored.
///
/// Immutable.
public final class SchemaRules {
  private static final int MAX_DESCRIPTION_BYTES = 1024;

  private final Bounds bounds;

  /// How much a schema may hold.
  public record Bounds(
      int maxFields,
      int maxVectorFields,
      int maxDimension,
      int maxVarCharLength,
      int maxShards,
      int maxPartitions) {}

  public SchemaRules(Bounds bounds) {
    this.bounds = bounds;
  }

  /// Checks a new collection. `partitions` is what the client asked for, 0 for nothing.
  public void checkCollection(
      CollectionSchema schema, int shards, int partitions, Map<String, String> properties) {
    if (shards > bounds.maxShards()) {
      throw DbException.invalid(
          "maximum shards's number should be limited to " + bounds.maxShards());
    }
    checkCounts(schema);
    Names.collection(schema.name());
    int bytes = schema.description().getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
    if (bytes > MAX_DESCRIPTION_BYTES) {
      throw DbException.invalid(
          "collection description length exceeds the maximum limit of "
              + MAX_DESCRIPTION_BYTES
              + " bytes, got "
              + bytes);
    }
    checkPrimaryKey(schema);
    for (FieldSchema field : schema.fields()) {
      if (field.isDynamic()) {
        throw DbException.invalid("cannot explicitly set a field as a dynamic field");
      }
    }
    checkAutoId(schema);
    schema.fields().forEach(SchemaRules::checkType);
    checkPartitionKey(schema, partitions, properties);
    PropertyRules.check(properties);
    checkClusteringKey(schema);
    for (FieldSchema field : schema.fields()) {
      checkField(field, schema.name());
    }
    checkDuplicates(schema);
    for (FieldSchema field : schema.fields()) {
      checkDefault(field);
      checkSupported(field);
    }
  }

  private void checkCounts(CollectionSchema schema) {
    if (schema.fields().size() > bounds.maxFields()) {
      throw DbException.invalid(
          "maximum field's number should be limited to " + bounds.maxFields());
    }
    int vectors = schema.vectorFields().size();
    if (vectors > bounds.maxVectorFields()) {
      throw DbException.invalid(
          "maximum vector field's number should be limited to " + bounds.maxVectorFields());
    }
    if (vectors == 0) {
      throw DbException.invalid("schema does not contain vector field");
    }
  }

  private static void checkPrimaryKey(CollectionSchema schema) {
    FieldSchema key = null;
    for (FieldSchema field : schema.fields()) {
      if (!field.isPrimaryKey()) {
        continue;
      }
      if (key != null) {
        throw DbException.invalid(
            "there are more than one primary key, field name = "
                + key.name()
                + ", "
                + field.name());
      }
      if (field.type() != DataType.INT64 && field.type() != DataType.VARCHAR) {
        throw DbException.invalid("the data type of primary key should be Int64 or VarChar");
      }
      key = field;
    }
    if (key == null) {
      throw DbException.of(ErrorCode.PARAMETER_MISSING, "primary key is not specified");
    }
  }

  private static void checkAutoId(CollectionSchema schema) {
    FieldSchema auto = null;
    for (FieldSchema field : schema.fields()) {
      if (!field.isAutoId()) {
        continue;
      }
      if (auto != null) {
        throw DbException.invalid(
            "only one field can speficy AutoID with true, field name = "
                + auto.name()
                + ", "
                + field.name());
      }
      if (!field.isPrimaryKey()) {
        throw DbException.invalid(
            "only primary field can speficy AutoID with true, field name = " + field.name());
      }
      auto = field;
    }
  }

  private static void checkType(FieldSchema field) {
    if (field.type() == DataType.STRING) {
      throw DbException.invalid(
          "string data type not supported yet, please use VarChar type instead");
    }
    if (field.type() == DataType.ARRAY) {
      DataType element = field.elementType();
      boolean fits =
          element != null
              && (element == DataType.BOOL
                  || element.isInteger()
                  || element.isFloating()
                  || element == DataType.VARCHAR);
      if (!fits) {
        throw DbException.invalid(
            "element type "
                + (element == null ? "None" : element.wireName())
                + " is not supported");
      }
    }
  }

  private void checkPartitionKey(
      CollectionSchema schema, int partitions, Map<String, String> properties) {
    FieldSchema key = null;
    for (FieldSchema field : schema.fields()) {
      if (!field.flags().partitionKey()) {
        continue;
      }
      if (key != null) {
        throw DbException.invalid(
            "there are more than one partition key, field name = "
                + key.name()
                + ", "
                + field.name());
      }
      checkPartitionKey(field, partitions);
      key = field;
    }
    if (key == null && partitions != 0) {
      throw DbException.invalid(
          "num_partitions should only be specified with partition key field enabled");
    }
    if (key == null && "true".equalsIgnoreCase(properties.get("partitionkey.isolation"))) {
      throw DbException.invalid(
          "partition key isolation mode is enabled but no partition key field is set. Please set"
              + " the partition key first");
    }
  }

  private void checkPartitionKey(FieldSchema field, int partitions) {
    if (field.isPrimaryKey()) {
      throw DbException.invalid("the partition key field must not be primary field");
    }
    if (field.isNullable()) {
      throw DbException.invalid("partition key field not support nullable");
    }
    if (field.type() != DataType.INT64 && field.type() != DataType.VARCHAR) {
      throw DbException.invalid("the data type of partition key should be Int64 or VarChar");
    }
    if (partitions < 0) {
      throw DbException.invalid(
          "the specified partitions should be greater than 0 if partition key is used");
    }
    if (partitions > bounds.maxPartitions()) {
      throw DbException.invalid(
          "partition number ("
              + partitions
              + ") exceeds max configuration ("
              + bounds.maxPartitions()
              + ")");
    }
  }

  private static void checkClusteringKey(CollectionSchema schema) {
    FieldSchema key = null;
    for (FieldSchema field : schema.fields()) {
      if (!field.flags().clusteringKey()) {
        continue;
      }
      DataType type = field.type();
      if (type.isVector()) {
        throw DbException.verbatim(
            ErrorCode.ILLEGAL_COLLECTION_SCHEMA,
            "vector clustering key not allowed[collection=" + schema.name() + "]");
      }
      if (!type.isInteger() && !type.isFloating() && type != DataType.VARCHAR) {
        throw illegalSchema(
            schema.name(),
            "clustering key field "
                + field.name()
                + " has unsupported data type "
                + type.wireName());
      }
      if (key != null) {
        throw illegalSchema(
            schema.name(),
            "there are more than one clustering key, field name = "
                + key.name()
                + ", "
                + field.name());
      }
      key = field;
    }
  }

  private static DbException illegalSchema(String collection, String message) {
    return DbException.withFields(ErrorCode.ILLEGAL_COLLECTION_SCHEMA, "collection", collection)
        .inContext(message);
  }

  /// Name and type parameters of one field.
  private void checkField(FieldSchema field, String collection) {
    Names.field(field.name());
    if (field.type().isVector()) {
      checkDimension(field);
    }
    boolean texts =
        field.type() == DataType.VARCHAR
            || (field.type() == DataType.ARRAY && field.elementType() == DataType.VARCHAR);
    if (texts) {
      checkMaxLength(field, collection);
    }
    if (field.type() == DataType.ARRAY) {
      checkMaxCapacity(field, collection);
    }
  }

  private void checkDimension(FieldSchema field) {
    String text = field.typeParams().get("dim");
    if (field.type() == DataType.SPARSE_FLOAT_VECTOR) {
      if (text != null) {
        throw DbException.invalid(
            "dim should not be specified for sparse vector field " + field.name() + "(0)");
      }
      return;
    }
    if (text == null) {
      throw DbException.invalid(
          "dimension is not defined in field type params of field "
              + field.name()
              + ", check type param `dim` for vector field");
    }
    long dim = number(text, "dim", field);
    int max = bounds.maxDimension();
    if (dim <= 1) {
      throw DbException.invalid("invalid dimension: " + dim + ". should be in range 2 ~ " + max);
    }
    String head = "invalid dimension: " + dim + " of field " + field.name() + ". ";
    if (field.type() == DataType.BINARY_VECTOR) {
      if (dim % 8 != 0) {
        throw DbException.invalid(head + "binary vector dimension should be multiple of 8. ");
      }
      if (dim > 8L * max) {
        throw DbException.invalid(
            head + "binary vector dimension should be in range 2 ~ " + 8L * max);
      }
    } else if (dim > max) {
      throw DbException.invalid(head + "float vector dimension should be in range 2 ~ " + max);
    }
  }

  private void checkMaxLength(FieldSchema field, String collection) {
    String text = field.typeParams().get("max_length");
    if (text == null) {
      throw DbException.of(
          ErrorCode.PARAMETER_MISSING,
          "type param(max_length) should be specified for the field("
              + field.name()
              + ") of collection "
              + collection);
    }
    long length = number(text, "max_length", field);
    checkMaxLength(field.name(), length);
  }

  /// The range of `max_length`.
  public void checkMaxLength(String field, long length) {
    if (length <= 0 || length > bounds.maxVarCharLength()) {
      throw DbException.invalid(
          "the maximum length specified for the field("
              + field
              + ") should be in (0, "
              + bounds.maxVarCharLength()
              + "], but got "
              + length
              + " instead");
    }
  }

  private static void checkMaxCapacity(FieldSchema field, String collection) {
    String text = field.typeParams().get("max_capacity");
    if (text == null) {
      throw DbException.of(
          ErrorCode.PARAMETER_MISSING,
          "type param(max_capacity) should be specified for array field "
              + field.name()
              + " of collection "
              + collection);
    }
    long capacity = number(text, "max_capacity", field);
    if (capacity <= 0 || capacity > 4096) {
      throw DbException.invalid(
          "the maximum capacity specified for a Array should be in (0, 4096]");
    }
  }

  private static long number(String text, String key, FieldSchema field) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw DbException.invalid(
              "the value for " + key + " of field " + field.name() + " must be an integer")
          .causedBy(e);
    }
  }

  private static void checkDuplicates(CollectionSchema schema) {
    Set<String> names = new HashSet<>();
    for (FieldSchema field : schema.fields()) {
      if (!names.add(field.name())) {
        throw DbException.invalid("duplicated field name " + field.name() + " found");
      }
    }
  }

  /// The contract's word for the kind of a default value.
  private static String wireNameOf(FieldSchema.DefaultValue value) {
    return switch (value) {
      case FieldSchema.DefaultValue.Bool v -> "DataType_Bool";
      case FieldSchema.DefaultValue.Whole v -> "DataType_Int64";
      case FieldSchema.DefaultValue.Real v -> "DataType_Double";
      case FieldSchema.DefaultValue.Text v -> "DataType_VarChar";
    };
  }

  private static void checkDefault(FieldSchema field) {
    FieldSchema.@Nullable DefaultValue value = field.defaultValue();
    if (field.isPrimaryKey() && field.isNullable()) {
      throw DbException.invalid("primary field not support null");
    }
    if (value == null) {
      return;
    }
    if (field.isPrimaryKey()) {
      throw DbException.invalid("primary field not support default_value");
    }
    DataType type = field.type();
    if (type.isVector() || type == DataType.ARRAY || type == DataType.JSON) {
      throw DbException.invalid(
          "type not support default_value, type:" + type.wireName() + ", name:" + field.name());
    }
    boolean fits =
        switch (value) {
          case FieldSchema.DefaultValue.Bool v -> type == DataType.BOOL;
          case FieldSchema.DefaultValue.Whole v -> type.isInteger() || type == DataType.TIMESTAMPTZ;
          case FieldSchema.DefaultValue.Real v -> type.isFloating();
          case FieldSchema.DefaultValue.Text v ->
              type == DataType.VARCHAR || type == DataType.GEOMETRY || type == DataType.TIMESTAMPTZ;
        };
    if (!fits) {
      throw DbException.invalid(
          "type ("
              + type.wireName()
              + ") of field ("
              + field.name()
              + ") is not equal to the type("
              + wireNameOf(value)
              + ") of default_value");
    }
    if (value instanceof FieldSchema.DefaultValue.Whole(long number)) {
      long bits = type == DataType.INT8 ? 8 : type == DataType.INT16 ? 16 : 64;
      long limit = bits == 64 ? Long.MAX_VALUE : (1L << (bits - 1)) - 1;
      if (number > limit || number < -limit - 1) {
        throw DbException.invalid("default_value is overflow", "(" + limit + ")", number);
      }
    }
    if (value instanceof FieldSchema.DefaultValue.Text(String text)
        && type == DataType.VARCHAR
        && text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > field.maxLengthBytes()) {
      throw DbException.invalid(
          "the length of string exceeds max length", field.maxLengthBytes(), text.length());
    }
  }

  private static void checkSupported(FieldSchema field) {
    switch (field.type()) {
      case BOOL, INT8, INT16, INT32, INT64, FLOAT, DOUBLE, VARCHAR, JSON -> {}
      case FLOAT_VECTOR -> {
        if (field.isNullable()) {
          throw unsupported("nullable vector", field);
        }
      }
      case STRING,
          ARRAY,
          GEOMETRY,
          TEXT,
          TIMESTAMPTZ,
          BINARY_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          SPARSE_FLOAT_VECTOR,
          INT8_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT ->
          throw unsupported("data type " + field.type().wireName(), field);
    }
    if (field.flags().functionOutput()) {
      throw unsupported("function output", field);
    }
    for (String key : List.of("enable_match", "enable_analyzer")) {
      if ("true".equalsIgnoreCase(field.typeParams().get(key))) {
        throw unsupported(key, field);
      }
    }
  }

  private static DbException unsupported(String what, FieldSchema field) {
    return DbException.invalid(what + " of field " + field.name() + " is not supported yet");
  }

  /// Checks a field that is added to `schema`; names of its fields are checked by the coordinator
  /// too.
  public void checkAddedField(FieldSchema field, CollectionSchema schema) {
    long userFields = schema.fields().stream().filter(f -> !f.isDynamic()).count();
    if (userFields >= bounds.maxFields()) {
      throw DbException.invalid(
          "The number of fields has reached the maximum value " + bounds.maxFields());
    }
    if (field.type().isVector() && schema.vectorFields().size() >= bounds.maxVectorFields()) {
      throw DbException.invalid(
          "maximum vector field's number should be limited to " + bounds.maxVectorFields());
    }
    String name = field.name();
    if (Set.of("RowID", "Timestamp", "$meta", "$namespace_id").contains(name)) {
      throw DbException.invalid("not support to add system field, field name = " + name);
    }
    if (field.isPrimaryKey()) {
      throw DbException.invalid("not support to add pk field, field name = " + name);
    }
    if (!field.isNullable()) {
      throw DbException.invalid(
          "added field must be nullable, please check it, field name = " + name);
    }
    boolean fixedDim = field.type().isVector() && field.type() != DataType.SPARSE_FLOAT_VECTOR;
    if (fixedDim && field.typeParams().isEmpty()) {
      throw DbException.invalid("vector field must have dimension specified, field name = " + name);
    }
    if (field.isAutoId()) {
      throw DbException.invalid(
          "only primary field can speficy AutoID with true, field name = " + name);
    }
    if (field.flags().partitionKey()) {
      throw DbException.invalid("not support to add partition key field, field name  = " + name);
    }
    checkType(field);
    checkField(field, schema.name());
    if (schema.field(name) != null) {
      throw DbException.invalid("duplicate field name: " + name);
    }
    checkDefault(field);
    checkSupported(field);
  }
}
