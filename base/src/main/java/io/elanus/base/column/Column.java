package io.elanus.base.column;

import io.elanus.base.schema.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// `rows` values of one type, readable in place from the heap, from native or from mapped memory.
///
/// Layout, all little-endian:
///
/// | part | content |
/// | --- | --- |
/// | `data`, fixed width | `rows × type.widthBytes(dim)`; a null row holds zeros |
/// | `data`, variable width | the values' bytes one after another (UTF-8 for VARCHAR, JSON text for JSON) |
/// | `offsets`, variable width only | `rows + 1` int32: value `i` is `data[offsets[i] .. offsets[i+1])` |
/// | `validity` | one bit a row, bit `i & 7` of byte `i >> 3`, 1 = present; absent when no row is null |
///
/// FLOAT_VECTOR rows are `dim` float32. Immutable once built: whoever made the segments may not
/// write them any more. The owner of the segments' arena must outlive the column.
public final class Column {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final DataType type;
  private final int dim;
  private final int rows;
  private final MemorySegment data;
  private final @Nullable MemorySegment offsets;
  private final @Nullable MemorySegment validity;

  private Column(
      DataType type,
      int dim,
      int rows,
      MemorySegment data,
      @Nullable MemorySegment offsets,
      @Nullable MemorySegment validity) {
    this.type = type;
    this.dim = dim;
    this.rows = rows;
    this.data = data;
    this.offsets = offsets;
    this.validity = validity;
  }

  /// A fixed-width column; `dim` is 0 for scalars.
  public static Column fixed(
      DataType type, int dim, int rows, MemorySegment data, @Nullable MemorySegment validity) {
    return new Column(type, dim, rows, data, null, validity);
  }

  /// A variable-width column.
  public static Column variable(
      DataType type,
      int rows,
      MemorySegment data,
      MemorySegment offsets,
      @Nullable MemorySegment validity) {
    return new Column(type, 0, rows, data, offsets, validity);
  }

  public DataType type() {
    return type;
  }

  /// Dimension of a vector column, 0 otherwise.
  public int dim() {
    return dim;
  }

  public int rows() {
    return rows;
  }

  public MemorySegment data() {
    return data;
  }

  public @Nullable MemorySegment offsets() {
    return offsets;
  }

  public @Nullable MemorySegment validity() {
    return validity;
  }

  public boolean hasNulls() {
    return validity != null;
  }

  public boolean isNull(int row) {
    return validity != null
        && (validity.get(ValueLayout.JAVA_BYTE, row >> 3) & (1 << (row & 7))) == 0;
  }

  public boolean boolAt(int row) {
    return data.get(ValueLayout.JAVA_BYTE, row) != 0;
  }

  /// The integer value of an INT8 to INT64 or TIMESTAMPTZ row, widened.
  public long integerAt(int row) {
    return switch (type) {
      case INT64, TIMESTAMPTZ -> data.get(LONG, 8L * row);
      case INT32 -> data.get(INT, 4L * row);
      case INT16 -> data.get(SHORT, 2L * row);
      case INT8 -> data.get(ValueLayout.JAVA_BYTE, row);
      case BOOL,
          FLOAT,
          DOUBLE,
          STRING,
          VARCHAR,
          ARRAY,
          JSON,
          GEOMETRY,
          TEXT,
          BINARY_VECTOR,
          FLOAT_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          SPARSE_FLOAT_VECTOR,
          INT8_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT ->
          throw new IllegalStateException(type + " is not an integer column");
    };
  }

  /// A row of an INT64 column, without the switch.
  public long longAt(int row) {
    return data.get(LONG, 8L * row);
  }

  public float floatAt(int row) {
    return data.get(FLOAT, 4L * row);
  }

  public double doubleAt(int row) {
    return data.get(DOUBLE, 8L * row);
  }

  /// First byte of a variable-width value within [#data].
  public int offsetAt(int row) {
    return java.util.Objects.requireNonNull(offsets).get(INT, 4L * row);
  }

  public int lengthBytesAt(int row) {
    return offsetAt(row + 1) - offsetAt(row);
  }

  /// A copy of a variable-width value.
  public byte[] bytesAt(int row) {
    int from = offsetAt(row);
    byte[] value = new byte[offsetAt(row + 1) - from];
    MemorySegment.copy(data, ValueLayout.JAVA_BYTE, from, value, 0, value.length);
    return value;
  }

  public String textAt(int row) {
    return new String(bytesAt(row), StandardCharsets.UTF_8);
  }

  /// The bytes of a fixed-width row, a view.
  public MemorySegment sliceAt(int row) {
    int width = type.widthBytes(dim);
    return data.asSlice((long) row * width, width);
  }

  /// A copy of a FLOAT_VECTOR row.
  public float[] floatVectorAt(int row) {
    float[] vector = new float[dim];
    MemorySegment.copy(data, FLOAT, 4L * dim * row, vector, 0, dim);
    return vector;
  }

  /// Bytes held, for memory accounting.
  public long sizeBytes() {
    return data.byteSize()
        + (offsets == null ? 0 : offsets.byteSize())
        + (validity == null ? 0 : validity.byteSize());
  }
}
