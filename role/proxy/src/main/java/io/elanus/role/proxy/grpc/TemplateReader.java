package io.elanus.role.proxy.grpc;

import io.elanus.base.error.DbException;
import io.elanus.role.proxy.api.TemplateArgument;
import io.elanus.wire.proto.schema.TemplateArrayValue;
import io.elanus.wire.proto.schema.TemplateValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Template values of filters.
///
/// Thread-safe: stateless.
final class TemplateReader {
  private TemplateReader() {}

  static Map<String, TemplateArgument> read(Map<String, TemplateValue> values) {
    if (values.isEmpty()) {
      return Map.of();
    }
    Map<String, TemplateArgument> out = new TreeMap<>();
    values.forEach((name, value) -> out.put(name, read(name, value)));
    return out;
  }

  private static TemplateArgument read(String name, TemplateValue value) {
    return switch (value.getValCase()) {
      case BOOL_VAL -> new TemplateArgument.Bool(value.getBoolVal());
      case INT64_VAL -> new TemplateArgument.Whole(value.getInt64Val());
      case FLOAT_VAL -> new TemplateArgument.Real(value.getFloatVal());
      case STRING_VAL -> new TemplateArgument.Text(value.getStringVal());
      case ARRAY_VAL -> array(name, value.getArrayVal());
      case VAL_NOT_SET -> throw DbException.invalid("template value {" + name + "} is empty");
    };
  }

  private static TemplateArgument array(String name, TemplateArrayValue array) {
    List<TemplateArgument> values = new ArrayList<>();
    switch (array.getDataCase()) {
      case BOOL_DATA ->
          array.getBoolData().getDataList().forEach(v -> values.add(new TemplateArgument.Bool(v)));
      case LONG_DATA ->
          array.getLongData().getDataList().forEach(v -> values.add(new TemplateArgument.Whole(v)));
      case DOUBLE_DATA ->
          array
              .getDoubleData()
              .getDataList()
              .forEach(v -> values.add(new TemplateArgument.Real(v)));
      case STRING_DATA ->
          array
              .getStringData()
              .getDataList()
              .forEach(v -> values.add(new TemplateArgument.Text(v)));
      case ARRAY_DATA ->
          array.getArrayData().getDataList().forEach(v -> values.add(array(name, v)));
      case JSON_DATA ->
          array.getJsonData().getDataList().forEach(v -> values.add(json(name, v.toStringUtf8())));
      case DATA_NOT_SET -> {}
    }
    return new TemplateArgument.Many(values);
  }

  /// Mixed arrays arrive as JSON texts.
  private static TemplateArgument json(String name, String text) {
    String value = text.strip();
    if (value.equals("true") || value.equals("false")) {
      return new TemplateArgument.Bool(Boolean.parseBoolean(value));
    }
    if (value.length() >= 2 && value.charAt(0) == '"') {
      return new TemplateArgument.Text(
          tools.jackson.databind.json.JsonMapper.shared().readValue(value, String.class));
    }
    try {
      return value.matches("[-+]?[0-9]+")
          ? new TemplateArgument.Whole(Long.parseLong(value))
          : new TemplateArgument.Real(Double.parseDouble(value));
    } catch (NumberFormatException e) {
      throw DbException.invalid(
              "template value {" + name + "} holds " + value + ", which is not supported")
          .causedBy(e);
    }
  }
}
