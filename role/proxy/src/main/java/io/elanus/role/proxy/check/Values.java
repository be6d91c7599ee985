package io.elanus.role.proxy.check;

import io.elanus.base.column.Column;
import io.elanus.base.error.DbException;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Checks of the values of one column against its field (error contract, section 5): what a row may
/// hold, not how many rows there are.
///
/// Thread-safe: stateless.
public final class Values {
  private static final int MAX_JSON_BYTES = 65536;
  private static final int FLOAT_EXPONENT = 0x7f800000;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Values() {}

  /// Checks a column whose type is the field's already.
  public static void check(FieldSchema field, Column column, CollectionSchema schema) {
    switch (field.type()) {
      case FLOAT, FLOAT_VECTOR -> finite(column.data());
      case DOUBLE -> finiteDoubles(column);
      case VARCHAR -> {
        if (!field.isAutoId()) {
          lengths(field, column);
        }
      }
      case JSON -> json(field, column, schema);
      case BOOL,
          INT8,
          INT16,
          INT32,
          INT64,
          STRING,
          ARRAY,
          GEOMETRY,
          TEXT,
          TIMESTAMPTZ,
          BINARY_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          SPARSE_FLOAT_VECTOR,
          INT8_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT -> {}
    }
  }

  private static void finite(MemorySegment floats) {
    long bytes = floats.byteSize();
    for (long at = 0; at < bytes; at += 4) {
      if ((floats.get(INT, at) & FLOAT_EXPONENT) == FLOAT_EXPONENT) {
        throw notFinite(Float.intBitsToFloat(floats.get(INT, at)));
      }
    }
  }

  private static void finiteDoubles(Column column) {
    for (int i = 0; i < column.rows(); i++) {
      double value = column.doubleAt(i);
      if (Double.isNaN(value) || Double.isInfinite(value)) {
        throw notFinite(value);
      }
    }
  }

  /// Refuses NaN and infinities among query vectors too.
  public static void finite(float[] values) {
    for (float value : values) {
      if ((Float.floatToRawIntBits(value) & FLOAT_EXPONENT) == FLOAT_EXPONENT) {
        throw notFinite(value);
      }
    }
  }

  private static DbException notFinite(double value) {
    String text = Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    return DbException.invalid("value '" + text + "' is not a number or infinity");
  }

  private static void lengths(FieldSchema field, Column column) {
    int max = field.maxLengthBytes();
    for (int i = 0; i < column.rows(); i++) {
      int length = column.lengthBytesAt(i);
      if (length > max) {
        throw DbException.invalid(
            "length of varchar field "
                + field.name()
                + " exceeds max length, row number: "
                + i
                + ", length: "
                + length
                + ", max length: "
                + max);
      }
    }
  }

  private static void json(FieldSchema field, Column column, CollectionSchema schema) {
    for (int i = 0; i < column.rows(); i++) {
      if (column.isNull(i)) {
        continue;
      }
      int length = column.lengthBytesAt(i);
      if (length > MAX_JSON_BYTES) {
        throw field.isDynamic()
            ? DbException.invalid(
                "the length (" + length + ") of dynamic field exceeds max length (65536)",
                "valid length dynamic field",
                "length exceeds max length")
            : DbException.invalid(
                "the length ("
                    + length
                    + ") of json field ("
                    + field.name()
                    + ") exceeds max length (65536)",
                "valid length json string",
                "length exceeds max length");
      }
      byte[] json = column.bytesAt(i);
      String fault =
          field.isDynamic() ? JsonText.dynamicFault(json, schema) : JsonText.valueFault(json);
      if (fault != null) {
        throw DbException.invalid(
            field.isDynamic()
                ? fault
                : "json field '" + field.name() + "' is illegal, row number: " + i + ", " + fault);
      }
    }
  }

  /// Refuses an integer that doesn't fit INT8 or INT16.
  public static void fits(DataType type, long value, int row) {
    long min = type == DataType.INT8 ? Byte.MIN_VALUE : Short.MIN_VALUE;
    long max = type == DataType.INT8 ? Byte.MAX_VALUE : Short.MAX_VALUE;
    boolean narrow = type == DataType.INT8 || type == DataType.INT16;
    if (narrow && (value < min || value > max)) {
      String range = "[" + min + ", " + max + "]";
      throw DbException.invalid(
          "the " + row + "th element (" + value + ") out of range: " + range,
          "integer doesn't overflow",
          "out of range");
    }
  }

  /// The error of a column that holds another type than its field.
  public static DbException wrongType(FieldSchema field, @Nullable Column got) {
    String kind =
        switch (field.type()) {
          case BOOL -> "bool array";
          case INT8, INT16, INT32 -> "int array";
          case INT64 -> "long int array";
          case FLOAT -> "float32 array";
          case DOUBLE -> "float64(double) array";
          case VARCHAR, STRING, TEXT -> "string array";
          case JSON -> "json array";
          case FLOAT_VECTOR -> "float vector";
          case ARRAY,
              GEOMETRY,
              TIMESTAMPTZ,
              BINARY_VECTOR,
              FLOAT16_VECTOR,
              BFLOAT16_VECTOR,
              SPARSE_FLOAT_VECTOR,
              INT8_VECTOR,
              ARRAY_OF_VECTOR,
              ARRAY_OF_STRUCT ->
              field.type().wireName();
        };
    String prefix =
        switch (field.type()) {
          case VARCHAR -> "varchar field";
          case JSON -> "json field";
          case FLOAT_VECTOR -> "float vector field";
          case BOOL,
              INT8,
              INT16,
              INT32,
              INT64,
              FLOAT,
              DOUBLE,
              STRING,
              ARRAY,
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
              "field";
        };
    return DbException.invalid(
        prefix + " '" + field.name() + "' is illegal, array type mismatch",
        "need " + kind,
        "got " + (got == null ? "nil" : got.type().wireName()));
  }
}
