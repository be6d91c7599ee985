package io.elanus.role.proxy.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.elanus.base.error.DbException;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.wire.proto.schema.ValueField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Schemas between the wire's form and the domain.
///
/// Thread-safe: stateless.
final class SchemaConverter {
  private SchemaConverter() {}

  /// Reads the serialised schema of a create request; 1100 when the bytes are no schema, or ask for
  /// functions or struct fields, which are not there yet.
  ///
  /// `name` is the collection's name in the request: the schema may leave it out, but not name
  /// another one.
  static CollectionSchema schema(ByteString bytes, String name) {
    io.elanus.wire.proto.schema.CollectionSchema wire;
    try {
      wire = io.elanus.wire.proto.schema.CollectionSchema.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw DbException.invalid("schema can't be read: " + e.getMessage()).causedBy(e);
    }
    if (wire.getFunctionsCount() > 0) {
      throw DbException.invalid("functions in a schema are not supported yet");
    }
    if (wire.getStructArrayFieldsCount() > 0) {
      throw DbException.invalid("struct array fields are not supported yet");
    }
    if (!wire.getName().isEmpty() && !wire.getName().equals(name)) {
      throw DbException.invalid(
          "collection name " + name + " is not the schema's name " + wire.getName());
    }
    List<FieldSchema> fields = new ArrayList<>(wire.getFieldsCount());
    for (io.elanus.wire.proto.schema.FieldSchema field : wire.getFieldsList()) {
      fields.add(field(field));
    }
    return new CollectionSchema(
        name, wire.getDescription(), wire.getEnableDynamicField(), 0, fields);
  }

  /// The properties that a schema message carries.
  static Map<String, String> properties(ByteString bytes) {
    try {
      return Pairs.map(
          io.elanus.wire.proto.schema.CollectionSchema.parseFrom(bytes).getPropertiesList());
    } catch (InvalidProtocolBufferException e) {
      throw DbException.invalid("schema can't be read: " + e.getMessage()).causedBy(e);
    }
  }

  static FieldSchema field(ByteString bytes) {
    try {
      return field(io.elanus.wire.proto.schema.FieldSchema.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw DbException.invalid("field schema can't be read: " + e.getMessage()).causedBy(e);
    }
  }

  private static FieldSchema field(io.elanus.wire.proto.schema.FieldSchema wire) {
    int element = wire.getElementTypeValue();
    return new FieldSchema(
        new FieldId(wire.getFieldID()),
        wire.getName(),
        wire.getDescription(),
        DataType.ofNumber(wire.getDataTypeValue()),
        element == 0 ? null : DataType.ofNumber(element),
        new FieldSchema.Flags(
            wire.getIsPrimaryKey(),
            wire.getAutoID(),
            wire.getIsPartitionKey(),
            wire.getIsClusteringKey(),
            wire.getIsDynamic(),
            wire.getNullable(),
            wire.getIsFunctionOutput()),
        Pairs.map(wire.getTypeParamsList()),
        wire.hasDefaultValue() ? defaultValue(wire.getDefaultValue()) : null);
  }

  private static FieldSchema.@Nullable DefaultValue defaultValue(ValueField value) {
    return switch (value.getDataCase()) {
      case BOOL_DATA -> new FieldSchema.DefaultValue.Bool(value.getBoolData());
      case INT_DATA -> new FieldSchema.DefaultValue.Whole(value.getIntData());
      case LONG_DATA -> new FieldSchema.DefaultValue.Whole(value.getLongData());
      case TIMESTAMPTZ_DATA -> new FieldSchema.DefaultValue.Whole(value.getTimestamptzData());
      case FLOAT_DATA -> new FieldSchema.DefaultValue.Real(value.getFloatData());
      case DOUBLE_DATA -> new FieldSchema.DefaultValue.Real(value.getDoubleData());
      case STRING_DATA -> new FieldSchema.DefaultValue.Text(value.getStringData());
      case BYTES_DATA ->
          new FieldSchema.DefaultValue.Text(value.getBytesData().toString(StandardCharsets.UTF_8));
      case DATA_NOT_SET -> null;
    };
  }

  /// What DescribeCollection shows: the dynamic field and system fields are hidden.
  static io.elanus.wire.proto.schema.CollectionSchema describe(CollectionSchema schema) {
    io.elanus.wire.proto.schema.CollectionSchema.Builder out =
        io.elanus.wire.proto.schema.CollectionSchema.newBuilder()
            .setName(schema.name())
            .setDescription(schema.description())
            .setEnableDynamicField(schema.dynamicFieldEnabled())
            .setVersion(schema.version());
    for (FieldSchema field : schema.fields()) {
      if (!field.isDynamic()) {
        out.addFields(describe(field));
      }
    }
    return out.build();
  }

  private static io.elanus.wire.proto.schema.FieldSchema describe(FieldSchema field) {
    io.elanus.wire.proto.schema.FieldSchema.Builder out =
        io.elanus.wire.proto.schema.FieldSchema.newBuilder()
            .setFieldID(field.id().value())
            .setName(field.name())
            .setDescription(field.description())
            .setDataTypeValue(field.type().number())
            .setIsPrimaryKey(field.isPrimaryKey())
            .setAutoID(field.isAutoId())
            .setIsPartitionKey(field.flags().partitionKey())
            .setIsClusteringKey(field.flags().clusteringKey())
            .setNullable(field.isNullable())
            .setIsFunctionOutput(field.flags().functionOutput())
            .addAllTypeParams(Pairs.list(field.typeParams()));
    DataType element = field.elementType();
    if (element != null) {
      out.setElementTypeValue(element.number());
    }
    FieldSchema.DefaultValue value = field.defaultValue();
    if (value != null) {
      out.setDefaultValue(describe(field.type(), value));
    }
    return out.build();
  }

  private static ValueField describe(DataType type, FieldSchema.DefaultValue value) {
    ValueField.Builder out = ValueField.newBuilder();
    switch (value) {
      case FieldSchema.DefaultValue.Bool bool -> out.setBoolData(bool.value());
      case FieldSchema.DefaultValue.Whole whole -> {
        if (type == DataType.INT64) {
          out.setLongData(whole.value());
        } else {
          out.setIntData((int) whole.value());
        }
      }
      case FieldSchema.DefaultValue.Real real -> {
        if (type == DataType.DOUBLE) {
          out.setDoubleData(real.value());
        } else {
          out.setFloatData((float) real.value());
        }
      }
      case FieldSchema.DefaultValue.Text text -> out.setStringData(text.value());
    }
    return out.build();
  }
}
