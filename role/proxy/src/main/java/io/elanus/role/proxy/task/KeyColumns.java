package io.elanus.role.proxy.task;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.schema.FieldSchema;

/// Primary keys as the column of their field.
///
/// Thread-safe: stateless.
final class KeyColumns {
  private KeyColumns() {}

  static Column of(FieldSchema key, PrimaryKeys keys) {
    ColumnBuilder column = new ColumnBuilder(key.type(), 0, keys.size());
    switch (keys) {
      case PrimaryKeys.Longs(long[] values) -> {
        for (long value : values) {
          column.addInteger(value);
        }
      }
      case PrimaryKeys.Texts(String[] values) -> {
        for (String value : values) {
          column.addText(value);
        }
      }
    }
    return column.build();
  }
}
