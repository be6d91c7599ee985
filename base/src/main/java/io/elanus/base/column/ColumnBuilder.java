package io.elanus.base.column;

import io.elanus.base.schema.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Builds a heap-backed [Column] row by row.
///
/// Confined to the caller.
public final class ColumnBuilder {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final DataType type;
  private final int dim;
  private final int width;
  private byte[] data;
  private int size;
  private byte[] offsets;
  private byte[] validity;
  private boolean anyNull;
  private int rows;

  /// `dim` is 0 for scalars; `expectedRows` only sizes the first buffers.
  public ColumnBuilder(DataType type, int dim, int expectedRows) {
    this.type = type;
    this.dim = dim;
    this.width = type.isVariableWidth() ? 0 : type.widthBytes(dim);
    int hint = Math.max(1, expectedRows);
    this.data = new byte[width == 0 ? 16 * hint : Math.multiplyExact(width, hint)];
    this.offsets = width == 0 ? new byte[4 * (hint + 1)] : new byte[0];
    this.validity = new byte[(hint + 7) / 8];
  }

  public int rows() {
    return rows;
  }

  private void room(int more) {
    int need = Math.addExact(size, more);
    if (need > data.length) {
      data =
          Arrays.copyOf(
              data, (int) Math.max(need, Math.min(Integer.MAX_VALUE - 8L, data.length * 2L)));
    }
  }

  private void endRow(boolean valid) {
    int at = rows >> 3;
    if (at >= validity.length) {
      validity = Arrays.copyOf(validity, validity.length * 2);
    }
    if (valid) {
      validity[at] |= (byte) (1 << (rows & 7));
    } else {
      anyNull = true;
    }
    rows++;
    if (width == 0) {
      int end = 4 * rows;
      if (end + 4 > offsets.length) {
        offsets = Arrays.copyOf(offsets, offsets.length * 2);
      }
      INT.set(offsets, end, size);
    }
  }

  public void addNull() {
    room(width);
    size += width;
    endRow(false);
  }

  public void addBool(boolean value) {
    room(1);
    data[size++] = (byte) (value ? 1 : 0);
    endRow(true);
  }

  /// For INT8 to INT64 and TIMESTAMPTZ; the value must fit the type.
  public void addInteger(long value) {
    room(width);
    switch (width) {
      case 1 -> data[size] = (byte) value;
      case 2 -> SHORT.set(data, size, (short) value);
      case 4 -> INT.set(data, size, (int) value);
      case 8 -> LONG.set(data, size, value);
      default -> throw new IllegalStateException(type + " is not an integer column");
    }
    size += width;
    endRow(true);
  }

  public void addFloat(float value) {
    room(4);
    INT.set(data, size, Float.floatToRawIntBits(value));
    size += 4;
    endRow(true);
  }

  public void addDouble(double value) {
    room(8);
    LONG.set(data, size, Double.doubleToRawLongBits(value));
    size += 8;
    endRow(true);
  }

  public void addText(String value) {
    addBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /// A variable-width value, or the raw bytes of a fixed-width one.
  public void addBytes(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, data, size, value.length);
    size += value.length;
    endRow(true);
  }

  public void addFloatVector(float[] values, int from) {
    room(4 * dim);
    for (int i = 0; i < dim; i++) {
      INT.set(data, size + 4 * i, Float.floatToRawIntBits(values[from + i]));
    }
    size += 4 * dim;
    endRow(true);
  }

  /// Copies row `row` of `from`, a column of the same type and dimension; null stays null.
  public void addFrom(Column from, int row) {
    if (from.isNull(row)) {
      addNull();
      return;
    }
    long at;
    int length;
    if (width == 0) {
      at = from.offsetAt(row);
      length = from.lengthBytesAt(row);
    } else {
      at = (long) row * width;
      length = width;
    }
    room(length);
    MemorySegment.copy(from.data(), ValueLayout.JAVA_BYTE, at, data, size, length);
    size += length;
    endRow(true);
  }

  /// The column of all rows added so far. The builder must not be used afterwards.
  public Column build() {
    MemorySegment valid =
        anyNull
            ? MemorySegment.ofArray(Arrays.copyOf(validity, (rows + 7) / 8)).asReadOnly()
            : null;
    MemorySegment values = MemorySegment.ofArray(data).asSlice(0, size).asReadOnly();
    if (width == 0) {
      MemorySegment ends = MemorySegment.ofArray(offsets).asSlice(0, 4L * (rows + 1)).asReadOnly();
      return Column.variable(type, rows, values, ends, valid);
    }
    return Column.fixed(type, dim, rows, values, valid);
  }
}
