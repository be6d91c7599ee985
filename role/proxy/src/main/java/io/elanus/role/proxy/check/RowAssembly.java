package io.elanus.role.proxy.check;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.error.DbException;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.NamedColumn;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Makes complete rows of the columns that a client sent: one column a field of the schema, of the
/// field's type, checked, with nulls and defaults filled in. Columns that are right already are
/// taken as they are, without a copy.
///
/// Confined to the caller.
public final class RowAssembly {
  private static final byte[] EMPTY_OBJECT = "{}".getBytes(StandardCharsets.UTF_8);

  private final CollectionSchema schema;
  private final int rows;
  private final Map<String, Column> given = new HashMap<>();

  /// Looks columns up; error 1100 for unknown, doubled or misplaced ones. `rows` is what the client
  /// claims.
  public RowAssembly(CollectionSchema schema, List<NamedColumn> columns, int rows) {
    if (rows <= 0) {
      throw DbException.invalid(
          "num_rows should be greater than 0", "greater than 0", Integer.toString(rows));
    }
    this.schema = schema;
    this.rows = rows;
    for (NamedColumn column : columns) {
      String name = column.dynamic() ? CollectionSchema.DYNAMIC_FIELD : column.name();
      if (schema.field(name) == null) {
        throw column.dynamic()
            ? DbException.invalid("more fieldData has pass in")
            : DbException.invalid("fieldName " + name + " not exist in collection schema");
      }
      if (given.put(name, column.column()) != null) {
        throw DbException.invalid("duplicated field " + name + " found");
      }
    }
  }

  public boolean has(FieldSchema field) {
    return given.containsKey(field.name());
  }

  /// The column of a field as given, of the field's type; null when there is none.
  public @Nullable Column column(FieldSchema field) {
    Column column = given.get(field.name());
    return column == null ? null : typed(field, column);
  }

  /// Sets or replaces the column of a field.
  public void put(FieldSchema field, Column column) {
    given.put(field.name(), column);
  }

  /// Refuses a field that must be given but is not.
  public void checkComplete() {
    for (FieldSchema field : schema.fields()) {
      if (!has(field) && !canBeAbsent(field)) {
        throw DbException.invalid(
            "fieldSchema(" + field.name() + ") has no corresponding fieldData pass in");
      }
    }
  }

  private static boolean canBeAbsent(FieldSchema field) {
    return field.isNullable() || field.isDynamic() || field.defaultValue() != null;
  }

  /// The rows.
  public ColumnBatch build() {
    checkComplete();
    Map<FieldId, Column> columns = new TreeMap<>();
    for (FieldSchema field : schema.fields()) {
      Column column = given.get(field.name());
      Column complete = column == null ? absent(field) : present(field, column);
      columns.put(field.id(), complete);
    }
    return new ColumnBatch(rows, columns);
  }

  private Column present(FieldSchema field, Column column) {
    Column typed = typed(field, column);
    if (typed.rows() != rows) {
      throw DbException.invalid(
          "the num_rows ("
              + typed.rows()
              + ") of field ("
              + field.name()
              + ") is not equal to passed num_rows ("
              + rows
              + ")",
          rows,
          typed.rows());
    }
    if (typed.hasNulls() && field.defaultValue() != null) {
      typed = withDefaults(field, typed);
    } else if (typed.hasNulls() && field.isDynamic()) {
      typed = withEmptyObjects(typed);
    } else if (typed.hasNulls() && !field.isNullable()) {
      throw DbException.invalid(
          "the length of valid_data of field(" + field.name() + ") is wrong", 0, rows);
    }
    Values.check(field, typed, schema);
    return typed;
  }

  private static Column withEmptyObjects(Column column) {
    ColumnBuilder builder = new ColumnBuilder(DataType.JSON, 0, column.rows());
    for (int i = 0; i < column.rows(); i++) {
      if (column.isNull(i)) {
        builder.addBytes(EMPTY_OBJECT);
      } else {
        builder.addFrom(column, i);
      }
    }
    return builder.build();
  }

  private static Column typed(FieldSchema field, Column column) {
    DataType wanted = field.type();
    DataType got = column.type();
    if (wanted == got) {
      if (got.isVector() && column.dim() != field.dim()) {
        throw DbException.invalid(
            "the dim ("
                + column.dim()
                + ") of field data("
                + field.name()
                + ") is not equal to schema dim ("
                + field.dim()
                + ")",
            field.dim(),
            column.dim());
      }
      return column;
    }
    boolean smallInteger = wanted.isInteger() && wanted != DataType.INT64;
    if (smallInteger && got.isInteger() && got != DataType.INT64) {
      return narrowed(wanted, column);
    }
    throw Values.wrongType(field, column);
  }

  private static Column narrowed(DataType wanted, Column column) {
    ColumnBuilder builder = new ColumnBuilder(wanted, 0, column.rows());
    for (int i = 0; i < column.rows(); i++) {
      if (column.isNull(i)) {
        builder.addNull();
      } else {
        long value = column.integerAt(i);
        Values.fits(wanted, value, i);
        builder.addInteger(value);
      }
    }
    return builder.build();
  }

  private Column absent(FieldSchema field) {
    ColumnBuilder builder = new ColumnBuilder(field.type(), field.dim(), rows);
    for (int i = 0; i < rows; i++) {
      if (field.isDynamic()) {
        builder.addBytes(EMPTY_OBJECT);
      } else {
        addDefault(builder, field);
      }
    }
    return builder.build();
  }

  private static Column withDefaults(FieldSchema field, Column column) {
    ColumnBuilder builder = new ColumnBuilder(field.type(), field.dim(), column.rows());
    for (int i = 0; i < column.rows(); i++) {
      if (column.isNull(i)) {
        addDefault(builder, field);
      } else {
        builder.addFrom(column, i);
      }
    }
    return builder.build();
  }

  /// Adds the field's default value, or null when it has none.
  public static void addDefault(ColumnBuilder builder, FieldSchema field) {
    switch (field.defaultValue()) {
      case null -> builder.addNull();
      case FieldSchema.DefaultValue.Bool(boolean value) -> builder.addBool(value);
      case FieldSchema.DefaultValue.Whole(long value) -> builder.addInteger(value);
      case FieldSchema.DefaultValue.Real(double value) -> {
        if (field.type() == DataType.FLOAT) {
          builder.addFloat((float) value);
        } else {
          builder.addDouble(value);
        }
      }
      case FieldSchema.DefaultValue.Text(String value) -> builder.addText(value);
    }
  }
}
