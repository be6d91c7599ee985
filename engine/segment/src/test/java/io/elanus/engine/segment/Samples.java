package io.elanus.engine.segment;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.id.FieldId;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Schemas and rows of tests.
final class Samples {
  static final FieldId KEY = new FieldId(100);
  static final FieldId VECTOR = new FieldId(101);
  static final FieldId NUMBER = new FieldId(102);
  static final FieldId TEXT = new FieldId(103);
  static final FieldId REAL = new FieldId(104);
  static final int DIM = 4;

  private Samples() {}

  /// What a row holds; the key is `key`, as number or as text.
  record Row(long key, float[] vector, @Nullable Long number, String text, float real) {}

  static CollectionSchema schema(boolean textKeys) {
    FieldSchema key =
        FieldSchema.of(KEY.value(), "pk", textKeys ? DataType.VARCHAR : DataType.INT64)
            .withFlags(new FieldSchema.Flags(true, false, false, false, false, false, false));
    FieldSchema vector =
        FieldSchema.of(VECTOR.value(), "vec", DataType.FLOAT_VECTOR)
            .withTypeParams(Map.of("dim", Integer.toString(DIM)));
    FieldSchema number =
        FieldSchema.of(NUMBER.value(), "num", DataType.INT64)
            .withFlags(new FieldSchema.Flags(false, false, false, false, false, true, false));
    return new CollectionSchema(
        "c",
        "",
        false,
        1,
        List.of(
            key,
            vector,
            number,
            FieldSchema.of(TEXT.value(), "text", DataType.VARCHAR),
            FieldSchema.of(REAL.value(), "real", DataType.FLOAT)));
  }

  static String textKey(long key) {
    return "k" + key;
  }

  static Row row(Rng rng, long key) {
    float[] vector = new float[DIM];
    for (int i = 0; i < DIM; i++) {
      vector[i] = rng.nextInt(2000) / 1000f - 1;
    }
    @Nullable Long number = rng.nextInt(10) == 0 ? null : (long) rng.nextInt(50);
    return new Row(key, vector, number, "t" + rng.nextInt(9), rng.nextInt(100) / 10f);
  }

  static ColumnBatch batch(List<Row> rows, boolean textKeys) {
    int n = rows.size();
    ColumnBuilder key = new ColumnBuilder(textKeys ? DataType.VARCHAR : DataType.INT64, 0, n);
    ColumnBuilder vector = new ColumnBuilder(DataType.FLOAT_VECTOR, DIM, n);
    ColumnBuilder number = new ColumnBuilder(DataType.INT64, 0, n);
    ColumnBuilder text = new ColumnBuilder(DataType.VARCHAR, 0, n);
    ColumnBuilder real = new ColumnBuilder(DataType.FLOAT, 0, n);
    for (Row row : rows) {
      if (textKeys) {
        key.addText(textKey(row.key));
      } else {
        key.addInteger(row.key);
      }
      vector.addFloatVector(row.vector, 0);
      if (row.number == null) {
        number.addNull();
      } else {
        number.addInteger(row.number);
      }
      text.addText(row.text);
      real.addFloat(row.real);
    }
    Map<FieldId, io.elanus.base.column.Column> columns = new TreeMap<>();
    columns.put(KEY, key.build());
    columns.put(VECTOR, vector.build());
    columns.put(NUMBER, number.build());
    columns.put(TEXT, text.build());
    columns.put(REAL, real.build());
    return new ColumnBatch(n, columns);
  }
}
