package io.elanus.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.bytes.ByteReader;
import io.elanus.base.bytes.ByteWriter;
import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.ColumnCodec;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.DataType;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ColumnCodecTest {
  private static ColumnBatch batch() {
    ColumnBuilder ids = new ColumnBuilder(DataType.INT64, 0, 1);
    ColumnBuilder words = new ColumnBuilder(DataType.VARCHAR, 0, 1);
    ColumnBuilder vectors = new ColumnBuilder(DataType.FLOAT_VECTOR, 3, 1);
    for (int i = 0; i < 20; i++) {
      ids.addInteger(i * 1_000_000_007L);
      if (i % 3 == 0) {
        words.addNull();
      } else {
        words.addText("wört" + i);
      }
      vectors.addFloatVector(new float[] {i, -i, 0.5f}, 0);
    }
    return new ColumnBatch(
        20,
        Map.of(
            new FieldId(100), ids.build(),
            new FieldId(101), words.build(),
            new FieldId(102), vectors.build()));
  }

  @Test
  void batchComesBackAsItWas() {
    ByteWriter out = new ByteWriter(16);
    ColumnCodec.write(batch(), out);

    ColumnBatch read = ColumnCodec.readBatch(new ByteReader(out.toArray()), 0);

    Column words = Objects.requireNonNull(read.column(new FieldId(101)));
    assertThat(read.rows()).isEqualTo(20);
    assertThat(words.isNull(3)).isTrue();
    assertThat(words.textAt(4)).isEqualTo("wört4");
    assertThat(Objects.requireNonNull(read.column(new FieldId(100))).longAt(19))
        .isEqualTo(19_000_000_133L);
    assertThat(Objects.requireNonNull(read.column(new FieldId(102))).floatVectorAt(7))
        .containsExactly(7, -7, 0.5f);
  }

  @Test
  void takenRowsKeepNullsAndOrder() {
    ColumnBatch taken = batch().take(new int[] {5, 3});

    Column words = Objects.requireNonNull(taken.column(new FieldId(101)));
    assertThat(words.textAt(0)).isEqualTo("wört5");
    assertThat(words.isNull(1)).isTrue();
  }

  @Test
  void shortRecordIsAnIntegrityError() {
    ByteWriter out = new ByteWriter(16);
    ColumnCodec.write(batch(), out);
    byte[] cut = java.util.Arrays.copyOf(out.toArray(), out.size() - 9);

    assertThatThrownBy(() -> ColumnCodec.readBatch(new ByteReader(cut), 0))
        .isInstanceOf(DbException.class)
        .hasMessageContaining("integrity");
  }

  @Test
  void keysComeBackAsTheyWere() {
    ByteWriter out = new ByteWriter(16);
    ColumnCodec.write(PrimaryKeys.of(1, -5), out);
    ColumnCodec.write(PrimaryKeys.of("a", "ß"), out);
    ByteReader in = new ByteReader(out.toArray());

    assertThat(ColumnCodec.readKeys(in)).isEqualTo(PrimaryKeys.of(1, -5));
    assertThat(ColumnCodec.readKeys(in)).isEqualTo(PrimaryKeys.of("a", "ß"));
  }

  @Test
  void textKeysOrderByTheirBytes() {
    PrimaryKeys keys = PrimaryKeys.of("\uFFFD", "\uD83D\uDE00");

    assertThat(PrimaryKeys.compare(keys, 0, keys, 1)).isNegative();
  }
}
