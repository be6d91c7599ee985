package io.elanus.role.proxy.rest;

import static io.elanus.role.proxy.rest.RestHandler.NODES;

import io.elanus.base.column.Column;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.role.proxy.api.NamedColumn;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Columns as JSON rows; keys of the dynamic column become members of the row.
///
/// Confined to the caller.
final class RowWriter {
  private final List<NamedColumn> columns;
  private final boolean longsAsNumbers;

  RowWriter(List<NamedColumn> columns, boolean longsAsNumbers) {
    this.columns = columns;
    this.longsAsNumbers = longsAsNumbers;
  }

  int rows() {
    return columns.isEmpty() ? 0 : columns.getFirst().column().rows();
  }

  ObjectNode row(int row) {
    ObjectNode out = NODES.objectNode();
    for (NamedColumn named : columns) {
      Column column = named.column();
      if (!named.dynamic()) {
        out.set(named.name(), value(column, row));
      } else if (!column.isNull(row)) {
        JsonNode dynamic = RestHandler.JSON.readTree(column.bytesAt(row));
        dynamic.properties().forEach(e -> out.set(e.getKey(), e.getValue()));
      }
    }
    return out;
  }

  private JsonNode value(Column column, int row) {
    if (column.isNull(row)) {
      return NODES.nullNode();
    }
    return switch (column.type()) {
      case BOOL -> NODES.booleanNode(column.boolAt(row));
      case INT8, INT16, INT32 -> NODES.numberNode(column.integerAt(row));
      case INT64 -> longNode(column.longAt(row), longsAsNumbers);
      case FLOAT -> NODES.numberNode(column.floatAt(row));
      case DOUBLE -> NODES.numberNode(column.doubleAt(row));
      case STRING, VARCHAR, JSON, TEXT -> NODES.stringNode(column.textAt(row));
      case FLOAT_VECTOR -> {
        ArrayNode vector = NODES.arrayNode();
        for (float element : column.floatVectorAt(row)) {
          vector.add(element);
        }
        yield vector;
      }
      case ARRAY,
          GEOMETRY,
          TIMESTAMPTZ,
          BINARY_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          SPARSE_FLOAT_VECTOR,
          INT8_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT ->
          throw DbException.described(
              ErrorCode.UNIMPLEMENTED, "REST output of " + column.type().wireName());
    };
  }

  static JsonNode key(PrimaryKeys keys, int index, boolean longsAsNumbers) {
    return switch (keys) {
      case PrimaryKeys.Longs longs -> longNode(longs.values()[index], longsAsNumbers);
      case PrimaryKeys.Texts texts -> NODES.stringNode(texts.values()[index]);
    };
  }

  private static JsonNode longNode(long value, boolean asNumber) {
    return asNumber ? NODES.numberNode(value) : NODES.stringNode(Long.toString(value));
  }
}
