package io.elanus.role.proxy.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.elanus.base.column.Column;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.wire.proto.schema.BoolArray;
import io.elanus.wire.proto.schema.DoubleArray;
import io.elanus.wire.proto.schema.FieldData;
import io.elanus.wire.proto.schema.FloatArray;
import io.elanus.wire.proto.schema.IDs;
import io.elanus.wire.proto.schema.IntArray;
import io.elanus.wire.proto.schema.JSONArray;
import io.elanus.wire.proto.schema.LongArray;
import io.elanus.wire.proto.schema.ScalarField;
import io.elanus.wire.proto.schema.StringArray;
import io.elanus.wire.proto.schema.VectorField;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// Result columns in the wire's form: scalars expanded, with `valid_data` when a value is null.
///
/// Thread-safe: stateless.
final class FieldDataWriter {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private FieldDataWriter() {}

  static FieldData write(NamedColumn named) {
    Column column = named.column();
    FieldData.Builder out =
        FieldData.newBuilder()
            .setTypeValue(column.type().number())
            .setFieldName(named.name())
            .setIsDynamic(named.dynamic());
    if (column.type().isVector()) {
      out.setVectors(vectors(column));
    } else {
      out.setScalars(scalars(column));
    }
    if (column.hasNulls()) {
      for (int i = 0; i < column.rows(); i++) {
        out.addValidData(!column.isNull(i));
      }
    }
    return out.build();
  }

  private static VectorField vectors(Column column) {
    return switch (column.type()) {
      case FLOAT_VECTOR -> {
        FloatArray.Builder data = FloatArray.newBuilder();
        long values = (long) column.rows() * column.dim();
        for (long i = 0; i < values; i++) {
          data.addData(column.data().get(FLOAT, 4 * i));
        }
        yield VectorField.newBuilder().setDim(column.dim()).setFloatVector(data).build();
      }
      case BINARY_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          SPARSE_FLOAT_VECTOR,
          INT8_VECTOR,
          ARRAY_OF_VECTOR ->
          throw unsupported(column);
      case BOOL,
          INT8,
          INT16,
          INT32,
          INT64,
          FLOAT,
          DOUBLE,
          STRING,
          VARCHAR,
          ARRAY,
          JSON,
          GEOMETRY,
          TEXT,
          TIMESTAMPTZ,
          ARRAY_OF_STRUCT ->
          throw new IllegalStateException(column.type() + " is no vector");
    };
  }

  private static DbException unsupported(Column column) {
    return DbException.described(
        ErrorCode.UNIMPLEMENTED, "results of type " + column.type().wireName());
  }

  private static ScalarField scalars(Column column) {
    ScalarField.Builder out = ScalarField.newBuilder();
    int rows = column.rows();
    switch (column.type()) {
      case BOOL -> {
        BoolArray.Builder data = BoolArray.newBuilder();
        for (int i = 0; i < rows; i++) {
          data.addData(column.boolAt(i));
        }
        out.setBoolData(data);
      }
      case INT8, INT16, INT32 -> {
        IntArray.Builder data = IntArray.newBuilder();
        for (int i = 0; i < rows; i++) {
          data.addData((int) column.integerAt(i));
        }
        out.setIntData(data);
      }
      case INT64 -> {
        LongArray.Builder data = LongArray.newBuilder();
        for (int i = 0; i < rows; i++) {
          data.addData(column.longAt(i));
        }
        out.setLongData(data);
      }
      case FLOAT -> {
        FloatArray.Builder data = FloatArray.newBuilder();
        for (int i = 0; i < rows; i++) {
          data.addData(column.floatAt(i));
        }
        out.setFloatData(data);
      }
      case DOUBLE -> {
        DoubleArray.Builder data = DoubleArray.newBuilder();
        for (int i = 0; i < rows; i++) {
          data.addData(column.doubleAt(i));
        }
        out.setDoubleData(data);
      }
      case VARCHAR, STRING, TEXT -> {
        StringArray.Builder data = StringArray.newBuilder();
        for (int i = 0; i < rows; i++) {
          data.addDataBytes(bytes(column, i));
        }
        out.setStringData(data);
      }
      case JSON -> {
        JSONArray.Builder data = JSONArray.newBuilder();
        for (int i = 0; i < rows; i++) {
          data.addData(bytes(column, i));
        }
        out.setJsonData(data);
      }
      case ARRAY, GEOMETRY, TIMESTAMPTZ, ARRAY_OF_STRUCT -> throw unsupported(column);
      case BINARY_VECTOR,
          FLOAT_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          SPARSE_FLOAT_VECTOR,
          INT8_VECTOR,
          ARRAY_OF_VECTOR ->
          throw new IllegalStateException(column.type() + " is no scalar");
    }
    return out.build();
  }

  private static ByteString bytes(Column column, int row) {
    return UnsafeByteOperations.unsafeWrap(column.bytesAt(row));
  }

  static IDs ids(PrimaryKeys keys) {
    IDs.Builder out = IDs.newBuilder();
    switch (keys) {
      case PrimaryKeys.Longs longs -> {
        LongArray.Builder data = LongArray.newBuilder();
        for (long key : longs.values()) {
          data.addData(key);
        }
        out.setIntId(data);
      }
      case PrimaryKeys.Texts texts ->
          out.setStrId(StringArray.newBuilder().addAllData(List.of(texts.values())));
    }
    return out.build();
  }
}
