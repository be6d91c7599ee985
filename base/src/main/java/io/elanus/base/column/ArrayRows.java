package io.elanus.base.column;

import io.elanus.base.schema.DataType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The bytes of one value of an ARRAY column, little-endian, by the field's element type:
///
/// | element type | layout |
/// | --- | --- |
/// | BOOL, INT8 to INT64, FLOAT, DOUBLE | the elements one after another |
/// | VARCHAR | int32 `n`, then `n` int32 ends, then the elements' UTF-8 bytes |
///
/// Text element `i` lies between the ends `i - 1` (0 for the first) and `i`, counted from the first
/// byte of text. An empty array of fixed-width elements has no bytes. Readers take the array's
/// bytes as `bytes[from .. to)`.
///
/// Thread-safe: stateless, but for [Writer].
public final class ArrayRows {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ArrayRows() {}

  private static boolean isText(DataType element) {
    return element == DataType.VARCHAR || element == DataType.STRING;
  }

  /// Number of elements.
  public static int length(DataType element, byte[] bytes, int from, int to) {
    if (isText(element)) {
      return from == to ? 0 : (int) INT.get(bytes, from);
    }
    return (to - from) / element.widthBytes(0);
  }

  /// Element `index` of an integer or BOOL array, widened; BOOL is 0 or 1.
  public static long integerAt(DataType element, byte[] bytes, int from, int index) {
    return switch (element.widthBytes(0)) {
      case 1 -> bytes[from + index];
      case 2 -> (short) SHORT.get(bytes, from + 2 * index);
      case 4 -> (int) INT.get(bytes, from + 4 * index);
      default -> (long) LONG.get(bytes, from + 8 * index);
    };
  }

  /// Element `index` of a FLOAT or DOUBLE array.
  public static double realAt(DataType element, byte[] bytes, int from, int index) {
    return element == DataType.FLOAT
        ? Float.intBitsToFloat((int) INT.get(bytes, from + 4 * index))
        : Double.longBitsToDouble((long) LONG.get(bytes, from + 8 * index));
  }

  /// Where in `bytes` the text of element `index` of a VARCHAR array starts; it ends where
  /// `textStart(bytes, from, index + 1)` says.
  public static int textStart(byte[] bytes, int from, int index) {
    int count = (int) INT.get(bytes, from);
    int end = index == 0 ? 0 : (int) INT.get(bytes, from + 4 * index);
    return from + 4 + 4 * count + end;
  }

  public static String textAt(byte[] bytes, int from, int index) {
    int start = textStart(bytes, from, index);
    return new String(
        bytes, start, textStart(bytes, from, index + 1) - start, StandardCharsets.UTF_8);
  }

  /// Builds the bytes of one array at a time.
  ///
  /// Confined to the caller.
  public static final class Writer {
    private final DataType element;
    private byte[] data = new byte[64];
    private int size;
    private int[] ends = new int[8];
    private int count;

    public Writer(DataType element) {
      this.element = element;
    }

    private int room(int more) {
      int at = size;
      size = Math.addExact(size, more);
      if (size > data.length) {
        data = Arrays.copyOf(data, Math.max(size, 2 * data.length));
      }
      return at;
    }

    public void addBool(boolean value) {
      int at = room(1);
      data[at] = (byte) (value ? 1 : 0);
    }

    /// The value must fit the element type.
    public void addInteger(long value) {
      int at = room(element.widthBytes(0));
      switch (element.widthBytes(0)) {
        case 1 -> data[at] = (byte) value;
        case 2 -> SHORT.set(data, at, (short) value);
        case 4 -> INT.set(data, at, (int) value);
        default -> LONG.set(data, at, value);
      }
    }

    /// For FLOAT, rounded to it, and DOUBLE.
    public void addReal(double value) {
      int at = room(element.widthBytes(0));
      if (element == DataType.FLOAT) {
        INT.set(data, at, Float.floatToRawIntBits((float) value));
      } else {
        LONG.set(data, at, Double.doubleToRawLongBits(value));
      }
    }

    public void addText(String value) {
      byte[] text = value.getBytes(StandardCharsets.UTF_8);
      int at = room(text.length);
      System.arraycopy(text, 0, data, at, text.length);
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, 2 * count);
      }
      ends[count++] = size;
    }

    /// The bytes of the elements added since the last call.
    public byte[] finish() {
      byte[] result;
      if (isText(element)) {
        result = new byte[4 + 4 * count + size];
        INT.set(result, 0, count);
        for (int i = 0; i < count; i++) {
          INT.set(result, 4 + 4 * i, ends[i]);
        }
        System.arraycopy(data, 0, result, 4 + 4 * count, size);
      } else {
        result = Arrays.copyOf(data, size);
      }
      size = 0;
      count = 0;
      return result;
    }
  }
}
