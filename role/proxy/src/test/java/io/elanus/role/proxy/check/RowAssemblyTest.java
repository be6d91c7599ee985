package io.elanus.role.proxy.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.NamedColumn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowAssemblyTest {
  private static final FieldSchema.Flags NULLABLE =
      new FieldSchema.Flags(false, false, false, false, false, true, false);
  private static final FieldSchema.Flags DYNAMIC =
      new FieldSchema.Flags(false, false, false, false, true, false, false);

  private static final CollectionSchema SCHEMA =
      new CollectionSchema(
          "c",
          "",
          true,
          0,
          List.of(
              FieldSchema.of(100, "id", DataType.INT64)
                  .withFlags(new FieldSchema.Flags(true, false, false, false, false, false, false)),
              FieldSchema.of(101, "v", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "2")),
              FieldSchema.of(102, "small", DataType.INT8).withFlags(NULLABLE),
              new FieldSchema(
                  new FieldId(103),
                  "t",
                  "",
                  DataType.VARCHAR,
                  null,
                  NULLABLE,
                  Map.of("max_length", "4"),
                  new FieldSchema.DefaultValue.Text("dflt")),
              FieldSchema.of(104, "j", DataType.JSON).withFlags(NULLABLE),
              FieldSchema.of(105, "$meta", DataType.JSON).withFlags(DYNAMIC)));

  private static NamedColumn ids(long... ids) {
    ColumnBuilder column = new ColumnBuilder(DataType.INT64, 0, ids.length);
    for (long id : ids) {
      column.addInteger(id);
    }
    return new NamedColumn("id", false, column.build());
  }

  private static NamedColumn vectors(float... values) {
    ColumnBuilder column = new ColumnBuilder(DataType.FLOAT_VECTOR, 2, values.length / 2);
    for (int i = 0; i < values.length; i += 2) {
      column.addFloatVector(values, i);
    }
    return new NamedColumn("v", false, column.build());
  }

  private static NamedColumn integers(@Nullable Integer... values) {
    ColumnBuilder column = new ColumnBuilder(DataType.INT32, 0, values.length);
    for (Integer value : values) {
      if (value == null) {
        column.addNull();
      } else {
        column.addInteger(value);
      }
    }
    return new NamedColumn("small", false, column.build());
  }

  private static NamedColumn texts(String name, boolean json, @Nullable String... values) {
    ColumnBuilder column =
        new ColumnBuilder(json ? DataType.JSON : DataType.VARCHAR, 0, values.length);
    for (String value : values) {
      if (value == null) {
        column.addNull();
      } else {
        column.addText(value);
      }
    }
    return new NamedColumn(name, name.equals("$meta"), column.build());
  }

  private static ColumnBatch build(int rows, NamedColumn... more) {
    List<NamedColumn> columns = new ArrayList<>(List.of(ids(range(rows)), vectors(rows)));
    columns.addAll(List.of(more));
    return new RowAssembly(SCHEMA, columns, rows).build();
  }

  private static NamedColumn vectors(int rows) {
    return vectors(new float[2 * rows]);
  }

  private static long[] range(int rows) {
    long[] ids = new long[rows];
    for (int i = 0; i < rows; i++) {
      ids[i] = i;
    }
    return ids;
  }

  private static Column column(ColumnBatch batch, long id) {
    return Objects.requireNonNull(batch.column(new FieldId(id)));
  }

  @Test
  void fillsAbsentColumnsWithNullsDefaultsAndEmptyObjects() {
    ColumnBatch batch = build(2);

    assertThat(column(batch, 102).isNull(1)).isTrue();
    assertThat(column(batch, 103).textAt(1)).isEqualTo("dflt");
    assertThat(column(batch, 103).hasNulls()).isFalse();
    assertThat(column(batch, 104).isNull(0)).isTrue();
    assertThat(column(batch, 105).textAt(0)).isEqualTo("{}");
  }

  @Test
  void narrowsIntegersAndKeepsNulls() {
    ColumnBatch batch = build(3, integers(-128, null, 127));

    assertThat(column(batch, 102).type()).isEqualTo(DataType.INT8);
    assertThat(column(batch, 102).integerAt(0)).isEqualTo(-128);
    assertThat(column(batch, 102).isNull(1)).isTrue();
    assertThat(column(batch, 102).integerAt(2)).isEqualTo(127);
  }

  @Test
  void turnsExplicitNullsIntoTheDefault() {
    ColumnBatch batch = build(2, texts("t", false, "ab", null));

    assertThat(column(batch, 103).textAt(0)).isEqualTo("ab");
    assertThat(column(batch, 103).textAt(1)).isEqualTo("dflt");
  }

  @Test
  void takesRightColumnsWithoutCopying() {
    NamedColumn vectors = vectors(1);

    ColumnBatch batch = new RowAssembly(SCHEMA, List.of(ids(1), vectors), 1).build();

    assertThat(column(batch, 101)).isSameAs(vectors.column());
  }

  private static void refused(String message, int rows, NamedColumn... columns) {
    assertThatThrownBy(() -> new RowAssembly(SCHEMA, List.of(columns), rows).build())
        .hasMessageContaining(message);
  }

  @Test
  void refusesWrongSetsOfColumns() {
    refused("fieldSchema(v) has no corresponding fieldData pass in", 1, ids(1));
    refused(
        "fieldName x not exist in collection schema",
        1,
        ids(1),
        vectors(1),
        texts("x", false, "a"));
    refused("duplicated field id found", 1, ids(1), ids(2), vectors(1));
    refused("num_rows should be greater than 0", 0, ids(), vectors(0));
  }

  @Test
  void refusesOtherRowCountsThanClaimed() {
    refused(
        "the num_rows (1) of field (id) is not equal to passed num_rows (2): invalid"
            + " parameter[expected=2][actual=1]",
        2,
        ids(1),
        vectors(2));
  }

  @Test
  void refusesOtherDimensionsThanTheSchemas() {
    ColumnBuilder wide = new ColumnBuilder(DataType.FLOAT_VECTOR, 3, 1);
    wide.addFloatVector(new float[3], 0);

    refused(
        "the dim (3) of field data(v) is not equal to schema dim (2)",
        1,
        ids(1),
        new NamedColumn("v", false, wide.build()));
  }

  @Test
  void refusesValuesThatDontFit() {
    refused(
        "the 1th element (128) out of range: [-128, 127]",
        2,
        ids(1, 2),
        vectors(2),
        integers(0, 128));
    refused(
        "length of varchar field t exceeds max length, row number: 1, length: 6, max length: 4",
        2,
        ids(1, 2),
        vectors(2),
        texts("t", false, "ok", "äöü"));
    refused("value 'NaN' is not a number or infinity", 1, ids(1), vectors(1, Float.NaN));
    refused(
        "value '-Inf' is not a number or infinity", 1, ids(1), vectors(1, Float.NEGATIVE_INFINITY));
    refused(
        "varchar field 't' is illegal, array type mismatch: invalid parameter[expected=need string"
            + " array]",
        1,
        ids(1),
        vectors(1),
        new NamedColumn("t", false, ids(1).column()));
  }

  @Test
  void refusesBrokenAndLargeJson() {
    refused("json field 'j' is illegal", 1, ids(1), vectors(1), texts("j", true, "{\"a\":"));
    String large = "\"" + "x".repeat(65536) + "\"";
    assertThat(large.getBytes(StandardCharsets.UTF_8).length).isGreaterThan(65536);
    refused(
        "of json field (j) exceeds max length (65536)",
        1,
        ids(1),
        vectors(1),
        texts("j", true, large));
  }

  @Test
  void refusesBadDynamicRows() {
    refused(
        "invalid dynamic field data, only json map is supported",
        1,
        ids(1),
        vectors(1),
        texts("$meta", true, "[1]"));
    refused(
        "cannot set json key to: $meta",
        1,
        ids(1),
        vectors(1),
        texts("$meta", true, "{\"$meta\":1}"));
    refused(
        "dynamic field name cannot include the static field name: small",
        1,
        ids(1),
        vectors(1),
        texts("$meta", true, "{\"a\":{\"small\":1},\"small\":2}"));
  }

  @Test
  void refusesNullsWhereThereMayBeNone() {
    ColumnBuilder ids = new ColumnBuilder(DataType.INT64, 0, 1);
    ids.addNull();

    refused(
        "the length of valid_data of field(id) is wrong",
        1,
        new NamedColumn("id", false, ids.build()),
        vectors(1));
  }
}
