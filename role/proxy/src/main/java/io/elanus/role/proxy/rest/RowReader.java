package io.elanus.role.proxy.rest;

import static io.elanus.role.proxy.rest.RestHandler.NODES;

import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.NamedColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON rows as columns of a schema. A field that no row names gives no column: the write decides
/// whether it may be missing. Members that are no field go to the dynamic column.
///
/// Immutable.
record RowReader(List<NamedColumn> columns, int rows) {

  /// What the rows are for: an insert may not bring an automatic key; a partial update may leave
  /// out any field.
  enum Mode {
    INSERT,
    UPSERT,
    PARTIAL
  }

  static RowReader read(CollectionSchema schema, JsonNode data, Mode mode) {
    List<JsonNode> rows = new ArrayList<>();
    if (data.isArray()) {
      data.forEach(rows::add);
    } else {
      rows.add(data);
    }
    for (JsonNode row : rows) {
      if (!row.isObject()) {
        throw wrong("data should hold JSON objects, got " + row);
      }
    }
    FieldSchema key = schema.primaryKey();
    List<NamedColumn> columns = new ArrayList<>();
    TreeSet<String> known = new TreeSet<>();
    for (FieldSchema field : schema.fields()) {
      if (field.isDynamic()) {
        continue;
      }
      known.add(field.name());
      boolean named = rows.stream().anyMatch(row -> row.has(field.name()));
      if (field.equals(key) && key.isAutoId() && mode == Mode.INSERT && named) {
        throw wrong("no need to pass pk field(" + key.name() + ") when autoid==true in insert");
      }
      if (named) {
        columns.add(new NamedColumn(field.name(), false, column(field, rows).build()));
      }
    }
    addDynamic(schema, rows, known, columns);
    return new RowReader(columns, rows.size());
  }

  private static ColumnBuilder column(FieldSchema field, List<JsonNode> rows) {
    ColumnBuilder out = new ColumnBuilder(field.type(), field.dim(), rows.size());
    boolean mayBeNull = field.isNullable() || field.defaultValue() != null;
    for (JsonNode row : rows) {
      @Nullable JsonNode value = row.get(field.name());
      if (value == null || (value.isNull() && (mayBeNull || field.type() != DataType.JSON))) {
        if (!mayBeNull) {
          throw mismatch(field, value);
        }
        out.addNull();
      } else {
        add(field, value, out);
      }
    }
    return out;
  }

  private static void add(FieldSchema field, JsonNode value, ColumnBuilder out) {
    switch (field.type()) {
      case BOOL -> {
        if (!value.isBoolean()) {
          throw mismatch(field, value);
        }
        out.addBool(value.booleanValue());
      }
      case INT8 -> out.addInteger(whole(field, value, Byte.MIN_VALUE, Byte.MAX_VALUE));
      case INT16 -> out.addInteger(whole(field, value, Short.MIN_VALUE, Short.MAX_VALUE));
      case INT32 -> out.addInteger(whole(field, value, Integer.MIN_VALUE, Integer.MAX_VALUE));
      case INT64 -> out.addInteger(whole(field, value, Long.MIN_VALUE, Long.MAX_VALUE));
      case FLOAT -> out.addFloat((float) real(field, value));
      case DOUBLE -> out.addDouble(real(field, value));
      case VARCHAR -> {
        if (!value.isString()) {
          throw mismatch(field, value);
        }
        out.addText(value.stringValue());
      }
      case JSON -> out.addText(jsonText(field.name(), value));
      case FLOAT_VECTOR -> addVector(field, value, out);
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
          throw DbException.described(
              ErrorCode.UNIMPLEMENTED, "REST input of " + field.type().wireName());
    }
  }

  private static long whole(FieldSchema field, JsonNode value, long min, long max) {
    long number;
    try {
      number =
          value.isIntegralNumber() && value.canConvertToLong()
              ? value.longValue()
              : Long.parseLong(value.isString() ? value.stringValue() : value.toString());
    } catch (NumberFormatException e) {
      throw mismatch(field, value).causedBy(e);
    }
    if (number < min || number > max) {
      throw mismatch(field, value);
    }
    return number;
  }

  private static double real(FieldSchema field, JsonNode value) {
    if (value.isNumber()) {
      return RestCall.real(value);
    }
    try {
      return Double.parseDouble(value.isString() ? value.stringValue() : value.toString());
    } catch (NumberFormatException e) {
      throw mismatch(field, value).causedBy(e);
    }
  }

  private static void addVector(FieldSchema field, JsonNode value, ColumnBuilder out) {
    if (!value.isArray()) {
      throw mismatch(field, value);
    }
    if (value.size() != field.dim()) {
      throw wrong(
          "the length("
              + value.size()
              + ") of float vector "
              + field.name()
              + " should be the dimension "
              + field.dim());
    }
    float[] vector = new float[value.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) real(field, value.get(i));
    }
    out.addFloatVector(vector, 0);
  }

  private static void addDynamic(
      CollectionSchema schema,
      List<JsonNode> rows,
      java.util.Set<String> known,
      List<NamedColumn> columns) {
    boolean extra = false;
    ColumnBuilder out = new ColumnBuilder(DataType.JSON, 0, rows.size());
    for (JsonNode row : rows) {
      ObjectNode dynamic = NODES.objectNode();
      for (Map.Entry<String, JsonNode> member : row.properties()) {
        if (!known.contains(member.getKey())) {
          dynamic.set(member.getKey(), representable(member.getKey(), member.getValue()));
        }
      }
      extra |= !dynamic.isEmpty();
      out.addText(dynamic.toString());
    }
    if (!extra) {
      return;
    }
    if (!schema.dynamicFieldEnabled()) {
      throw wrong("has pass more fields without dynamic schema, please check it");
    }
    columns.add(new NamedColumn(CollectionSchema.DYNAMIC_FIELD, true, out.build()));
  }

  private static String jsonText(String name, JsonNode value) {
    return representable(name, value).toString();
  }

  /// `value` itself, unless it holds a number beyond the range of a double: that one would be
  /// stored as something else.
  private static JsonNode representable(String name, JsonNode value) {
    if (value.isDouble() && Double.isInfinite(value.doubleValue())) {
      throw wrong("field " + name + " holds a number beyond the range of a double");
    }
    for (JsonNode member : value) {
      representable(name, member);
    }
    return value;
  }

  private static DbException mismatch(FieldSchema field, @Nullable JsonNode actual) {
    return wrong(
        "field "
            + field.name()
            + ": invalid parameter[expected="
            + field.type().wireName()
            + "][actual="
            + actual
            + "]");
  }

  private static DbException wrong(String why) {
    return DbException.verbatim(
        ErrorCode.INVALID_INSERT_DATA, ErrorCode.INVALID_INSERT_DATA.text() + ", error: " + why);
  }
}
