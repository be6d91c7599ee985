package io.elanus.role.proxy.rest;

import static io.elanus.role.proxy.rest.RestHandler.NODES;

import io.elanus.base.error.DbException;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Schemas between their REST form and the domain.
///
/// Thread-safe: stateless.
final class RestSchemas {
  private RestSchemas() {}

  /// A full schema object.
  static CollectionSchema schema(String name, String description, JsonNode object) {
    boolean autoId = RestCall.flag(object, "autoID", RestCall.flag(object, "autoId", false));
    if (!RestCall.objects(object, "functions").isEmpty()) {
      throw DbException.invalid("functions in a schema are not supported yet");
    }
    if (!RestCall.objects(object, "structFields").isEmpty()) {
      throw DbException.invalid("struct fields in a schema are not supported yet");
    }
    List<FieldSchema> fields = new ArrayList<>();
    RestCall.objects(object, "fields").forEach(node -> fields.add(field(node, autoId)));
    return new CollectionSchema(
        name, description, RestCall.flag(object, "enableDynamicField", false), 0, fields);
  }

  /// The schema of the quick form: `id`, `vector`, dynamic field on.
  static CollectionSchema quick(RestCall call, String name, long dim) {
    @Nullable ObjectNode params = RestCall.object(call.body(), "params");
    String idType = call.text("idType", "Int64");
    boolean text =
        switch (idType) {
          case "Int64", "int64" -> false;
          case "VarChar", "Varchar" -> true;
          default ->
              throw DbException.invalid(
                  "idType can only be [Int64 Varchar], however got " + idType);
        };
    Map<String, String> keyParams = new TreeMap<>();
    if (text) {
      String length = params == null ? "" : RestCall.text(params, "max_length", "");
      if (length.isEmpty()) {
        throw RestCall.missing("max_length");
      }
      keyParams.put("max_length", length);
    }
    FieldSchema key =
        FieldSchema.of(
                0, call.text("primaryFieldName", "id"), text ? DataType.VARCHAR : DataType.INT64)
            .withFlags(flags(true, call.flag("autoID", false), false, false))
            .withTypeParams(keyParams);
    FieldSchema vector =
        FieldSchema.of(0, call.text("vectorFieldName", "vector"), DataType.FLOAT_VECTOR)
            .withTypeParams(Map.of("dim", Long.toString(dim)));
    boolean dynamic = params == null || RestCall.flag(params, "enableDynamicField", true);
    return new CollectionSchema(
        name, call.text("description", ""), dynamic, 0, List.of(key, vector));
  }

  private static FieldSchema.Flags flags(
      boolean primary, boolean autoId, boolean partitionKey, boolean nullable) {
    return new FieldSchema.Flags(primary, autoId, partitionKey, false, false, nullable, false);
  }

  static FieldSchema field(JsonNode node, boolean autoId) {
    String name = RestCall.text(node, "fieldName", "");
    if (name.isEmpty()) {
      throw RestCall.missing("fieldName");
    }
    if (RestCall.text(node, "dataType", "").isEmpty()) {
      throw RestCall.missing("dataType");
    }
    DataType type = CollectionRoutes.typeOf(node, "dataType");
    @Nullable DataType element =
        RestCall.text(node, "elementDataType", "").isEmpty()
            ? null
            : CollectionRoutes.typeOf(node, "elementDataType");
    boolean primary = RestCall.flag(node, "isPrimary", false);
    FieldSchema.Flags flags =
        new FieldSchema.Flags(
            primary,
            primary && autoId,
            RestCall.flag(node, "isPartitionKey", false),
            RestCall.flag(node, "isClusteringKey", false),
            false,
            RestCall.flag(node, "nullable", false),
            false);
    return new FieldSchema(
        new FieldId(0),
        name,
        RestCall.text(node, "description", ""),
        type,
        element,
        flags,
        RestCall.properties(node, "elementTypeParams"),
        defaultValue(type, node.get("defaultValue")));
  }

  private static FieldSchema.@Nullable DefaultValue defaultValue(
      DataType type, @Nullable JsonNode node) {
    if (node == null || node.isNull()) {
      return null;
    }
    if (type == DataType.BOOL && node.isBoolean()) {
      return new FieldSchema.DefaultValue.Bool(node.booleanValue());
    }
    if (type.isInteger() && node.isIntegralNumber()) {
      return new FieldSchema.DefaultValue.Whole(RestCall.whole("defaultValue", node));
    }
    if (type.isFloating() && node.isNumber()) {
      return new FieldSchema.DefaultValue.Real(RestCall.real(node));
    }
    if (type == DataType.VARCHAR && node.isString()) {
      return new FieldSchema.DefaultValue.Text(node.stringValue());
    }
    throw DbException.invalid("convert defaultValue fail", type.wireName(), node);
  }

  /// An entry of `fields` in a description.
  static ObjectNode describe(FieldSchema field) {
    ObjectNode out = NODES.objectNode();
    out.put("name", field.name());
    out.put("type", field.type().wireName());
    out.put("primaryKey", field.isPrimaryKey());
    out.put("partitionKey", field.flags().partitionKey());
    out.put("clusteringKey", field.flags().clusteringKey());
    out.put("autoId", field.isAutoId());
    out.put("nullable", field.isNullable());
    out.put("description", field.description());
    out.put("id", field.id().value());
    out.put("isFunctionOutput", field.flags().functionOutput());
    DataType element = field.elementType();
    if (element != null) {
      out.put("elementType", element.wireName());
    }
    FieldSchema.DefaultValue value = field.defaultValue();
    if (value != null) {
      describeDefault(out.putObject("defaultValue"), field.type(), value);
    }
    if (!field.typeParams().isEmpty()) {
      ArrayNode params = out.putArray("params");
      field
          .typeParams()
          .forEach((key, text) -> params.addObject().put("key", key).put("value", text));
    }
    return out;
  }

  /// The wire's oneof as JSON, e.g. `{"Data":{"IntData":5}}`.
  private static void describeDefault(
      ObjectNode out, DataType type, FieldSchema.DefaultValue value) {
    ObjectNode data = out.putObject("Data");
    switch (value) {
      case FieldSchema.DefaultValue.Bool bool -> data.put("BoolData", bool.value());
      case FieldSchema.DefaultValue.Whole whole ->
          data.put(type == DataType.INT64 ? "LongData" : "IntData", whole.value());
      case FieldSchema.DefaultValue.Real real ->
          data.put(type == DataType.DOUBLE ? "DoubleData" : "FloatData", real.value());
      case FieldSchema.DefaultValue.Text text -> data.put("StringData", text.value());
    }
  }
}
