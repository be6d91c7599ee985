package io.elanus.role.proxy.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.random.Rng;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.testkit.Seeds;
import io.elanus.wire.proto.milvus.InsertRequest;
import io.elanus.wire.proto.schema.FieldData;
import io.elanus.wire.proto.schema.FloatArray;
import io.elanus.wire.proto.schema.LongArray;
import io.elanus.wire.proto.schema.ScalarField;
import io.elanus.wire.proto.schema.StringArray;
import io.elanus.wire.proto.schema.VectorField;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BulkMarshallerTest {
  private final BulkMarshaller<InsertRequest> marshaller =
      new BulkMarshaller<>(InsertRequest.parser());

  private static FieldData vectors(String name, int rows, int dim, Rng rng) {
    FloatArray.Builder floats = FloatArray.newBuilder();
    for (int i = 0; i < rows * dim; i++) {
      floats.addData((float) rng.nextDouble());
    }
    return FieldData.newBuilder()
        .setType(io.elanus.wire.proto.schema.DataType.FloatVector)
        .setFieldName(name)
        .setVectors(VectorField.newBuilder().setDim(dim).setFloatVector(floats))
        .setFieldId(7)
        .build();
  }

  private static InsertRequest request(Rng rng) {
    int rows = 200 + rng.nextInt(300);
    LongArray.Builder ids = LongArray.newBuilder();
    StringArray.Builder texts = StringArray.newBuilder();
    for (int i = 0; i < rows; i++) {
      ids.addData(rng.nextLong());
      texts.addData("t" + rng.nextInt(1000));
    }
    return InsertRequest.newBuilder()
        .setDbName("db")
        .setCollectionName("c")
        .addFieldsData(
            FieldData.newBuilder()
                .setType(io.elanus.wire.proto.schema.DataType.Int64)
                .setFieldName("id")
                .setScalars(ScalarField.newBuilder().setLongData(ids)))
        .addFieldsData(vectors("v", rows, 16, rng))
        .addFieldsData(
            FieldData.newBuilder()
                .setType(io.elanus.wire.proto.schema.DataType.VarChar)
                .setFieldName("t")
                .setScalars(ScalarField.newBuilder().setStringData(texts)))
        .addFieldsData(vectors("w", rows, 8, rng))
        .setNumRows(rows)
        .setSchemaTimestamp(99)
        .build();
  }

  private static void assertSame(BulkRequest<InsertRequest> bulk, InsertRequest request) {
    List<NamedColumn> got = FieldDataReader.read(bulk.message().getFieldsDataList(), bulk.floats());
    List<NamedColumn> expected = FieldDataReader.read(request.getFieldsDataList(), List.of());
    assertThat(got).hasSameSizeAs(expected);
    for (int i = 0; i < got.size(); i++) {
      assertThat(got.get(i).name()).isEqualTo(expected.get(i).name());
      assertThat(got.get(i).column().type()).isEqualTo(expected.get(i).column().type());
      assertThat(got.get(i).column().dim()).isEqualTo(expected.get(i).column().dim());
      assertThat(got.get(i).column().rows()).isEqualTo(expected.get(i).column().rows());
      assertThat(got.get(i).column().data().mismatch(expected.get(i).column().data()))
          .isEqualTo(-1);
    }
    assertThat(bulk.message().getCollectionName()).isEqualTo(request.getCollectionName());
    assertThat(bulk.message().getNumRows()).isEqualTo(request.getNumRows());
    assertThat(bulk.message().getSchemaTimestamp()).isEqualTo(request.getSchemaTimestamp());
  }

  @Test
  void readsTheSameColumnsAsTheGeneratedParser() {
    Seeds.forEach(
        "bulkMarshaller",
        20,
        rng -> {
          InsertRequest request = request(rng);

          BulkRequest<InsertRequest> bulk = parse(request.toByteArray());

          assertThat(bulk.floats().stream().map(floats -> floats != null))
              .containsExactly(false, true, false, true);
          assertThat(bulk.message().getFieldsData(1).getVectors().getFloatVector().getDataCount())
              .isZero();
          assertSame(bulk, request);
        });
  }

  private BulkRequest<InsertRequest> parse(byte[] bytes) {
    try {
      return marshaller.parse(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void leavesSmallRequestsToTheGeneratedParser() {
    InsertRequest small =
        InsertRequest.newBuilder()
            .setCollectionName("c")
            .addFieldsData(vectors("v", 1, 4, new Rng(1)))
            .setNumRows(1)
            .build();

    BulkRequest<InsertRequest> bulk = parse(small.toByteArray());

    assertThat(bulk.floats()).isEmpty();
    assertSame(bulk, small);
  }

  @Test
  void refusesBrokenBytesInsteadOfReadingPastThem() {
    Seeds.forEach(
        "bulkMarshallerBroken",
        200,
        rng -> {
          byte[] bytes = request(rng).toByteArray();
          byte[] cut = Arrays.copyOf(bytes, 8193 + rng.nextInt(bytes.length - 8193));
          for (int i = 0; i < 3; i++) {
            cut[rng.nextInt(cut.length)] = (byte) rng.nextLong();
          }
          try {
            BulkRequest<InsertRequest> bulk = marshaller.parse(cut);
            assertThat(bulk.sizeBytes()).isEqualTo(cut.length);
          } catch (IOException e) {
            assertThat(e.getMessage()).isNotEmpty();
          }
        });
  }
}
