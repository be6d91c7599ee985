package io.elanus.role.proxy.reduce;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.DataType;
import io.elanus.role.proxy.check.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Cuts dynamic rows down to the keys that were asked for, and merges them for partial updates.
///
/// Thread-safe: stateless.
public final class DynamicKeys {
  private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.UTF_8);

  private DynamicKeys() {}

  /// Rows of `column` with `keys` only; an absent key stays absent. No keys means the whole rows.
  public static Column trim(Column column, Set<String> keys) {
    if (keys.isEmpty()) {
      return column;
    }
    ColumnBuilder builder = new ColumnBuilder(DataType.JSON, 0, column.rows());
    for (int i = 0; i < column.rows(); i++) {
      if (column.isNull(i)) {
        builder.addBytes(EMPTY);
        continue;
      }
      ObjectNode row = object(column.bytesAt(i));
      ObjectNode kept = JsonText.mapper().createObjectNode();
      for (String key : keys) {
        JsonNode value = row.get(key);
        if (value != null) {
          kept.set(key, value);
        }
      }
      builder.addBytes(JsonText.mapper().writeValueAsBytes(kept));
    }
    return builder.build();
  }

  /// `stored` with the keys of `update` set.
  public static byte[] merge(byte[] stored, byte[] update) {
    ObjectNode merged = object(stored);
    merged.setAll(object(update));
    return JsonText.mapper().writeValueAsBytes(merged);
  }

  private static ObjectNode object(byte[] json) {
    try {
      if (JsonText.mapper().readTree(json) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException e) {
      throw DbException.described(ErrorCode.DATA_INTEGRITY, "a dynamic row is no JSON").causedBy(e);
    }
    throw DbException.described(ErrorCode.DATA_INTEGRITY, "a dynamic row is no JSON object");
  }
}
