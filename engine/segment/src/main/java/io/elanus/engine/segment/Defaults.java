package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.schema.FieldSchema.DefaultValue;
import java.nio.charset.StandardCharsets;

/// What rows hold in a field that was added after they were written: the field's default, or null.
///
/// Thread-safe: stateless.
public final class Defaults {
  private static final byte[] EMPTY_JSON = "{}".getBytes(StandardCharsets.UTF_8);

  private Defaults() {}

  /// A column of `rows` such values, on the heap.
  public static Column column(FieldSchema field, int rows) {
    ColumnBuilder builder = new ColumnBuilder(field.type(), field.dim(), rows);
    for (int i = 0; i < rows; i++) {
      append(field, builder);
    }
    return builder.build();
  }

  /// Appends one such value.
  public static void append(FieldSchema field, ColumnBuilder to) {
    DefaultValue value = field.defaultValue();
    if (value == null) {
      if (field.isDynamic()) {
        to.addBytes(EMPTY_JSON);
      } else {
        to.addNull();
      }
      return;
    }
    switch (value) {
      case DefaultValue.Bool(boolean v) -> to.addBool(v);
      case DefaultValue.Whole(long v) -> to.addInteger(v);
      case DefaultValue.Real(double v) -> addReal(field, v, to);
      case DefaultValue.Text(String v) -> to.addText(v);
    }
  }

  private static void addReal(FieldSchema field, double value, ColumnBuilder to) {
    if (field.type() == io.elanus.base.schema.DataType.FLOAT) {
      to.addFloat((float) value);
    } else {
      to.addDouble(value);
    }
  }
}
