package io.elanus.role.proxy.grpc;

import com.google.protobuf.ByteString;
import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.error.DbException;
import io.elanus.base.schema.DataType;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.wire.proto.schema.FieldData;
import io.elanus.wire.proto.schema.ScalarField;
import io.elanus.wire.proto.schema.VectorField;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Columns of the wire as domain columns, without an object a row. Nullable columns arrive compact
/// (only the present values) beside `valid_data` and leave expanded.
///
/// Thread-safe: stateless.
final class FieldDataReader {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private FieldDataReader() {}

  /// `floats` holds the bytes of fields' float vectors that were cut out of the request, see
  /// [BulkRequest]; it may be shorter than `fields`.
  static List<NamedColumn> read(List<FieldData> fields, List<@Nullable MemorySegment> floats) {
    List<NamedColumn> columns = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      FieldData field = fields.get(i);
      MemorySegment cut = i < floats.size() ? floats.get(i) : null;
      columns.add(new NamedColumn(field.getFieldName(), field.getIsDynamic(), column(field, cut)));
    }
    return columns;
  }

  private static Column column(FieldData field, @Nullable MemorySegment cut) {
    DataType type = DataType.ofNumber(field.getTypeValue());
    return switch (type) {
      case BOOL, INT8, INT16, INT32, INT64, FLOAT, DOUBLE, VARCHAR, STRING, JSON ->
          scalars(field, type);
      case FLOAT_VECTOR -> floatVectors(field, cut);
      case ARRAY,
          GEOMETRY,
          TEXT,
          TIMESTAMPTZ,
          BINARY_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          SPARSE_FLOAT_VECTOR,
          INT8_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT ->
          throw DbException.invalid(
              "field "
                  + field.getFieldName()
                  + ": data of type "
                  + type.wireName()
                  + " is not supported yet");
    };
  }

  private static Column scalars(FieldData field, DataType type) {
    ScalarField scalars = field.getScalars();
    if (!holds(scalars, type)) {
      throw DbException.invalid(
          "the data of field " + field.getFieldName() + " is not of its type",
          type.wireName(),
          scalars.getDataCase());
    }
    int size = sizeOf(scalars);
    ColumnBuilder out = new ColumnBuilder(type, 0, Math.max(size, field.getValidDataCount()));
    IntConsumer add = adder(field, type, out);
    if (field.getValidDataCount() == 0) {
      for (int i = 0; i < size; i++) {
        add.accept(i);
      }
      return out.build();
    }
    boolean compact = isCompact(field, size);
    int next = 0;
    for (int i = 0; i < field.getValidDataCount(); i++) {
      if (field.getValidData(i)) {
        add.accept(compact ? next++ : i);
      } else {
        out.addNull();
      }
    }
    return out.build();
  }

  /// Whether the data holds only the present values. Some clients send a value for every row.
  private static boolean isCompact(FieldData field, int size) {
    int present = 0;
    for (int i = 0; i < field.getValidDataCount(); i++) {
      if (field.getValidData(i)) {
        present++;
      }
    }
    if (size == present) {
      return true;
    }
    if (size == field.getValidDataCount()) {
      return false;
    }
    throw DbException.invalid(
        "the length of valid_data of field(" + field.getFieldName() + ") is wrong", present, size);
  }

  /// Whether the values are of a kind that `type` is read from; no values are of any.
  private static boolean holds(ScalarField scalars, DataType type) {
    return switch (scalars.getDataCase()) {
      case BOOL_DATA -> type == DataType.BOOL;
      case INT_DATA -> type.isInteger() && type != DataType.INT64;
      case LONG_DATA -> type == DataType.INT64;
      case FLOAT_DATA -> type == DataType.FLOAT;
      case DOUBLE_DATA -> type == DataType.DOUBLE;
      case STRING_DATA -> type == DataType.VARCHAR || type == DataType.STRING;
      case JSON_DATA -> type == DataType.JSON;
      case BYTES_DATA, ARRAY_DATA, GEOMETRY_DATA, TIMESTAMPTZ_DATA, GEOMETRY_WKT_DATA -> false;
      case DATA_NOT_SET -> true;
    };
  }

  private static int sizeOf(ScalarField scalars) {
    return switch (scalars.getDataCase()) {
      case BOOL_DATA -> scalars.getBoolData().getDataCount();
      case INT_DATA -> scalars.getIntData().getDataCount();
      case LONG_DATA -> scalars.getLongData().getDataCount();
      case FLOAT_DATA -> scalars.getFloatData().getDataCount();
      case DOUBLE_DATA -> scalars.getDoubleData().getDataCount();
      case STRING_DATA -> scalars.getStringData().getDataCount();
      case BYTES_DATA -> scalars.getBytesData().getDataCount();
      case JSON_DATA -> scalars.getJsonData().getDataCount();
      case ARRAY_DATA, GEOMETRY_DATA, TIMESTAMPTZ_DATA, GEOMETRY_WKT_DATA, DATA_NOT_SET -> 0;
    };
  }

  private static IntConsumer adder(FieldData field, DataType type, ColumnBuilder out) {
    ScalarField scalars = field.getScalars();
    return switch (type) {
      case BOOL -> i -> out.addBool(scalars.getBoolData().getData(i));
      case INT8 -> i -> out.addInteger(ranged(scalars, i, Byte.MIN_VALUE, Byte.MAX_VALUE));
      case INT16 -> i -> out.addInteger(ranged(scalars, i, Short.MIN_VALUE, Short.MAX_VALUE));
      case INT32 -> i -> out.addInteger(scalars.getIntData().getData(i));
      case INT64 -> i -> out.addInteger(scalars.getLongData().getData(i));
      case FLOAT -> i -> out.addFloat(scalars.getFloatData().getData(i));
      case DOUBLE -> i -> out.addDouble(scalars.getDoubleData().getData(i));
      case VARCHAR, STRING -> i -> out.addBytes(text(scalars, i).toByteArray());
      case JSON -> i -> out.addBytes(scalars.getJsonData().getData(i).toByteArray());
      case ARRAY,
          GEOMETRY,
          TEXT,
          TIMESTAMPTZ,
          BINARY_VECTOR,
          FLOAT_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          SPARSE_FLOAT_VECTOR,
          INT8_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT ->
          throw new IllegalStateException(type + " is no scalar");
    };
  }

  private static ByteString text(ScalarField scalars, int index) {
    return scalars.getStringData().getDataBytes(index);
  }

  private static int ranged(ScalarField scalars, int index, int min, int max) {
    int value = scalars.getIntData().getData(index);
    if (value < min || value > max) {
      throw DbException.invalid(
          "the %dth element (%d) out of range: [%d, %d]".formatted(index, value, min, max));
    }
    return value;
  }

  private static Column floatVectors(FieldData field, @Nullable MemorySegment cut) {
    VectorField vectors = field.getVectors();
    long dim = vectors.getDim();
    io.elanus.wire.proto.schema.FloatArray data = vectors.getFloatVector();
    int size = cut == null ? data.getDataCount() : (int) (cut.byteSize() / 4);
    if (dim <= 0
        || dim > Integer.MAX_VALUE
        || size % dim != 0
        || (cut != null && cut.byteSize() % 4 != 0)) {
      throw DbException.invalid(
          "the length(%d) of float data should divide the dim(%d)".formatted(size, dim));
    }
    if (field.getValidDataCount() > 0) {
      throw DbException.invalid(
          "field " + field.getFieldName() + ": nullable vectors are not supported yet");
    }
    MemorySegment values = cut == null ? bytesOf(data) : cut;
    int rows = (int) (size / dim);
    return Column.fixed(DataType.FLOAT_VECTOR, (int) dim, rows, values, null);
  }

  private static MemorySegment bytesOf(io.elanus.wire.proto.schema.FloatArray data) {
    byte[] bytes = new byte[Math.multiplyExact(4, data.getDataCount())];
    for (int i = 0; i < data.getDataCount(); i++) {
      INT.set(bytes, 4 * i, Float.floatToRawIntBits(data.getData(i)));
    }
    return MemorySegment.ofArray(bytes).asReadOnly();
  }
}
