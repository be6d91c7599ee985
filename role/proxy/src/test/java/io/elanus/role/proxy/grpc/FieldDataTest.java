package io.elanus.role.proxy.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.testkit.Seeds;
import io.elanus.wire.proto.schema.FieldData;
import io.elanus.wire.proto.schema.FloatArray;
import io.elanus.wire.proto.schema.IntArray;
import io.elanus.wire.proto.schema.LongArray;
import io.elanus.wire.proto.schema.ScalarField;
import io.elanus.wire.proto.schema.StringArray;
import io.elanus.wire.proto.schema.VectorField;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FieldDataTest {
  private static Column randomColumn(DataType type, Rng rng) {
    int dim = type == DataType.FLOAT_VECTOR ? 3 : 0;
    int rows = rng.nextInt(20);
    ColumnBuilder out = new ColumnBuilder(type, dim, rows);
    for (int i = 0; i < rows; i++) {
      if (dim == 0 && rng.nextInt(4) == 0) {
        out.addNull();
        continue;
      }
      switch (type) {
        case BOOL -> out.addBool(rng.nextInt(2) == 0);
        case INT8 -> out.addInteger((byte) rng.nextLong());
        case INT16 -> out.addInteger((short) rng.nextLong());
        case INT32 -> out.addInteger(rng.nextInt(1 << 30));
        case INT64 -> out.addInteger(rng.nextLong());
        case FLOAT -> out.addFloat((float) rng.nextDouble());
        case DOUBLE -> out.addDouble(rng.nextDouble());
        case VARCHAR -> out.addText("ä" + rng.nextLong());
        case JSON -> out.addText("{\"a\":" + rng.nextInt(100) + "}");
        case FLOAT_VECTOR ->
            out.addFloatVector(
                new float[] {(float) rng.nextDouble(), rng.nextInt(9), -rng.nextInt(9)}, 0);
        default -> throw new AssertionError(type);
      }
    }
    return out.build();
  }

  private static Column there(Column column) {
    FieldData sent = FieldDataWriter.write(new NamedColumn("f", false, column));
    NamedColumn read = FieldDataReader.read(List.of(sent), List.of()).get(0);
    assertThat(read.name()).isEqualTo("f");
    return read.column();
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {
        "BOOL",
        "INT8",
        "INT16",
        "INT32",
        "INT64",
        "FLOAT",
        "DOUBLE",
        "VARCHAR",
        "JSON",
        "FLOAT_VECTOR"
      })
  void bringsColumnsThroughTheWireUnchanged(DataType type) {
    Seeds.forEach(
        "fieldData" + type,
        30,
        rng -> {
          Column column = randomColumn(type, rng);

          Column back = there(column);

          assertThat(back.type()).isEqualTo(type);
          assertThat(back.rows()).isEqualTo(column.rows());
          assertThat(back.data().mismatch(column.data())).isEqualTo(-1);
          for (int i = 0; i < column.rows(); i++) {
            assertThat(back.isNull(i)).isEqualTo(column.isNull(i));
          }
        });
  }

  @Test
  void expandsTheCompactValuesOfNullableColumns() {
    FieldData compact =
        FieldData.newBuilder()
            .setType(io.elanus.wire.proto.schema.DataType.Int64)
            .setFieldName("n")
            .setScalars(
                ScalarField.newBuilder().setLongData(LongArray.newBuilder().addData(7).addData(8)))
            .addAllValidData(List.of(false, true, false, true))
            .build();

    Column column = FieldDataReader.read(List.of(compact), List.of()).get(0).column();

    assertThat(column.rows()).isEqualTo(4);
    assertThat(column.isNull(0)).isTrue();
    assertThat(column.longAt(1)).isEqualTo(7);
    assertThat(column.isNull(2)).isTrue();
    assertThat(column.longAt(3)).isEqualTo(8);
  }

  @Test
  void refusesValuesThatDontMatchTheirValidity() {
    FieldData bad =
        FieldData.newBuilder()
            .setType(io.elanus.wire.proto.schema.DataType.VarChar)
            .setFieldName("t")
            .setScalars(
                ScalarField.newBuilder().setStringData(StringArray.newBuilder().addData("x")))
            .addAllValidData(List.of(false, true, true))
            .build();

    assertThatThrownBy(() -> FieldDataReader.read(List.of(bad), List.of()))
        .hasMessageContaining("the length of valid_data of field(t) is wrong");
  }

  @Test
  void refusesIntegersThatOverflowTheirType() {
    FieldData bad =
        FieldData.newBuilder()
            .setType(io.elanus.wire.proto.schema.DataType.Int8)
            .setFieldName("i")
            .setScalars(
                ScalarField.newBuilder().setIntData(IntArray.newBuilder().addData(1).addData(200)))
            .build();

    assertThatThrownBy(() -> FieldDataReader.read(List.of(bad), List.of()))
        .hasMessageContaining("the 1th element (200) out of range: [-128, 127]");
  }

  @Test
  void refusesVectorsOfBrokenLength() {
    FieldData bad =
        FieldData.newBuilder()
            .setType(io.elanus.wire.proto.schema.DataType.FloatVector)
            .setFieldName("v")
            .setVectors(
                VectorField.newBuilder()
                    .setDim(2)
                    .setFloatVector(FloatArray.newBuilder().addData(1).addData(2).addData(3)))
            .build();

    assertThatThrownBy(() -> FieldDataReader.read(List.of(bad), List.of()))
        .hasMessageContaining("the length(3) of float data should divide the dim(2)");
  }

  @Test
  void refusesValuesThatAreNotOfTheType() {
    ScalarField longs =
        ScalarField.newBuilder().setLongData(LongArray.newBuilder().addData(1)).build();
    ScalarField texts =
        ScalarField.newBuilder().setStringData(StringArray.newBuilder().addData("1")).build();

    for (DataType type : List.of(DataType.VARCHAR, DataType.JSON, DataType.BOOL, DataType.INT8)) {
      refusesData(type, longs);
    }
    for (DataType type : List.of(DataType.INT64, DataType.FLOAT, DataType.DOUBLE, DataType.JSON)) {
      refusesData(type, texts);
    }
  }

  private static void refusesData(DataType type, ScalarField values) {
    FieldData bad =
        FieldData.newBuilder()
            .setTypeValue(type.number())
            .setFieldName("f")
            .setScalars(values)
            .build();

    assertThatThrownBy(() -> FieldDataReader.read(List.of(bad), List.of()))
        .isInstanceOf(DbException.class)
        .hasMessageContaining("the data of field f is not of its type");
  }

  @Test
  void refusesADimThatNoVectorHas() {
    FieldData bad =
        FieldData.newBuilder()
            .setType(io.elanus.wire.proto.schema.DataType.FloatVector)
            .setFieldName("v")
            .setVectors(VectorField.newBuilder().setDim(1L << 40))
            .build();

    assertThatThrownBy(() -> FieldDataReader.read(List.of(bad), List.of()))
        .isInstanceOf(DbException.class);
  }

  @Test
  void writesKeysOfBothKinds() {
    assertThat(FieldDataWriter.ids(PrimaryKeys.of(3L, -1L)).getIntId().getDataList())
        .containsExactly(3L, -1L);
    assertThat(FieldDataWriter.ids(PrimaryKeys.of("a", "b")).getStrId().getDataList())
        .containsExactly("a", "b");
  }

  @Test
  void bringsSchemasThroughTheWireButForTheDynamicField() {
    CollectionSchema schema =
        new CollectionSchema(
            "c",
            "what it is",
            true,
            0,
            List.of(
                FieldSchema.of(100, "id", DataType.INT64)
                    .withFlags(
                        new FieldSchema.Flags(true, true, false, false, false, false, false)),
                FieldSchema.of(101, "v", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "8")),
                FieldSchema.of(102, "t", DataType.VARCHAR)
                    .withTypeParams(Map.of("max_length", "9"))
                    .withFlags(
                        new FieldSchema.Flags(false, false, true, false, false, true, false))));
    CollectionSchema withDynamic =
        new CollectionSchema(
            "c",
            "what it is",
            true,
            0,
            java.util.stream.Stream.concat(
                    schema.fields().stream(),
                    java.util.stream.Stream.of(
                        FieldSchema.of(103, "$meta", DataType.JSON)
                            .withFlags(
                                new FieldSchema.Flags(
                                    false, false, false, false, true, false, false))))
                .toList());

    ByteString wire = SchemaConverter.describe(withDynamic).toByteString();

    assertThat(SchemaConverter.schema(wire, "c")).isEqualTo(schema);
    assertThatThrownBy(() -> SchemaConverter.schema(wire, "other"))
        .hasMessageContaining("collection name other is not the schema's name c");
  }
}
