package io.elanus.base.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.schema.DataType;
import org.junit.jupiter.api.Test;

final class ArrayRowsTest {
  @Test
  void integersOfEveryWidthReadBack() {
    for (DataType type :
        new DataType[] {DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64}) {
      ArrayRows.Writer writer = new ArrayRows.Writer(type);
      writer.addInteger(-128);
      writer.addInteger(127);
      byte[] bytes = shifted(writer.finish());

      assertThat(bytes).hasSize(3 + 2 * type.widthBytes(0));
      assertThat(ArrayRows.length(type, bytes, 3, bytes.length)).isEqualTo(2);
      assertThat(ArrayRows.integerAt(type, bytes, 3, 0)).isEqualTo(-128);
      assertThat(ArrayRows.integerAt(type, bytes, 3, 1)).isEqualTo(127);
    }
  }

  @Test
  void realsAndBoolsReadBack() {
    ArrayRows.Writer floats = new ArrayRows.Writer(DataType.FLOAT);
    floats.addReal(0.1);
    ArrayRows.Writer doubles = new ArrayRows.Writer(DataType.DOUBLE);
    doubles.addReal(0.1);
    ArrayRows.Writer flags = new ArrayRows.Writer(DataType.BOOL);
    flags.addBool(false);
    flags.addBool(true);

    assertThat(ArrayRows.realAt(DataType.FLOAT, floats.finish(), 0, 0)).isEqualTo(0.1f);
    assertThat(ArrayRows.realAt(DataType.DOUBLE, doubles.finish(), 0, 0)).isEqualTo(0.1);
    assertThat(flags.finish()).containsExactly(0, 1);
  }

  @Test
  void textsReadBackAndTheWriterStartsAnew() {
    ArrayRows.Writer writer = new ArrayRows.Writer(DataType.VARCHAR);
    writer.addText("gone");
    writer.finish();
    for (String text : new String[] {"", "é", "", "z".repeat(200)}) {
      writer.addText(text);
    }
    byte[] bytes = shifted(writer.finish());

    assertThat(ArrayRows.length(DataType.VARCHAR, bytes, 3, bytes.length)).isEqualTo(4);
    assertThat(ArrayRows.textAt(bytes, 3, 0)).isEmpty();
    assertThat(ArrayRows.textAt(bytes, 3, 1)).isEqualTo("é");
    assertThat(ArrayRows.textAt(bytes, 3, 3)).hasSize(200);
    assertThat(ArrayRows.length(DataType.VARCHAR, writer.finish(), 0, 4)).isZero();
  }

  private static byte[] shifted(byte[] bytes) {
    byte[] moved = new byte[bytes.length + 3];
    System.arraycopy(bytes, 0, moved, 3, bytes.length);
    return moved;
  }
}
