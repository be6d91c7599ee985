package io.elanus.engine.expr.eval;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.error.Invariant;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Scratch memory of one evaluation, and the window on its columns: the rows `from .. from + rows`.
///
/// Values are copied from the columns into arrays a chunk at a time: loops over arrays stay fast
/// whatever mix of heap, native and mapped memory the columns live in.
///
/// Confined to the caller.
final class Frame {
  static final int CHUNK_ROWS = 4096;
  static final int CHUNK_WORDS = CHUNK_ROWS / 64;

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

  private final Column[] columns;
  private final boolean[] synthetic;
  private final @Nullable TextReader[] readers;
  private final ArrayDeque<long[]> free = new ArrayDeque<>();
  private final byte[] validityBytes = new byte[CHUNK_ROWS / 8];
  private byte @Nullable [] bytes;
  private short @Nullable [] shorts;
  private int @Nullable [] ints;
  private long @Nullable [] longs;
  private long @Nullable [] otherLongs;
  private float @Nullable [] floats;
  private double @Nullable [] doubles;
  private double @Nullable [] otherDoubles;
  private int from;
  private int rows;

  Frame(ColumnSource source, List<FieldSchema> fields) {
    int n = fields.size();
    columns = new Column[n];
    synthetic = new boolean[n];
    readers = new TextReader[n];
    for (int slot = 0; slot < n; slot++) {
      FieldSchema field = fields.get(slot);
      Column column = source.column(field.id());
      if (column == null) {
        column = defaultColumn(field);
        synthetic[slot] = true;
      }
      Invariant.check(
          column.type() == field.type(),
          "field %s is %s, its column %s",
          field.id(),
          field.type(),
          column.type());
      columns[slot] = column;
    }
  }

  /// One chunk of a field that the rows don't have.
  private static Column defaultColumn(FieldSchema field) {
    ColumnBuilder builder = new ColumnBuilder(field.type(), field.dim(), CHUNK_ROWS);
    FieldSchema.DefaultValue value = field.defaultValue();
    for (int i = 0; i < CHUNK_ROWS; i++) {
      switch (value) {
        case null -> {
          if (field.isDynamic()) {
            builder.addText("{}");
          } else {
            builder.addNull();
          }
        }
        case FieldSchema.DefaultValue.Bool(boolean v) -> builder.addBool(v);
        case FieldSchema.DefaultValue.Whole(long v) -> builder.addInteger(v);
        case FieldSchema.DefaultValue.Real(double v) -> {
          if (field.type() == DataType.FLOAT) {
            builder.addFloat((float) v);
          } else {
            builder.addDouble(v);
          }
        }
        case FieldSchema.DefaultValue.Text(String v) ->
            builder.addBytes(v.getBytes(StandardCharsets.UTF_8));
      }
    }
    return builder.build();
  }

  void moveTo(int newFrom, int newRows) {
    from = newFrom;
    rows = newRows;
    for (TextReader reader : readers) {
      if (reader != null) {
        reader.invalidate();
      }
    }
  }

  int rows() {
    return rows;
  }

  int words() {
    return (rows + 63) >>> 6;
  }

  /// Scratch bits of a chunk, content undefined.
  long[] borrow() {
    long[] bits = free.poll();
    return bits == null ? new long[CHUNK_WORDS] : bits;
  }

  void giveBack(long[] bits) {
    free.push(bits);
  }

  DataType type(int slot) {
    return columns[slot].type();
  }

  private int start(int slot) {
    return synthetic[slot] ? 0 : from;
  }

  /// Writes the presence bits of a field; answers false, writing nothing, when no row is null.
  boolean validity(int slot, long[] out) {
    MemorySegment validity = columns[slot].validity();
    if (validity == null) {
      return false;
    }
    int first = start(slot) >>> 3;
    int count = (rows + 7) >>> 3;
    MemorySegment.copy(validity, ValueLayout.JAVA_BYTE, first, validityBytes, 0, count);
    for (int w = 0; w < words(); w++) {
      long word = 0;
      for (int b = 0; b < 8 && 8 * w + b < count; b++) {
        word |= (validityBytes[8 * w + b] & 0xffL) << (8 * b);
      }
      out[w] = word;
    }
    return true;
  }

  byte[] bytes(int slot) {
    byte[] into = bytes == null ? new byte[CHUNK_ROWS] : bytes;
    bytes = into;
    MemorySegment.copy(columns[slot].data(), ValueLayout.JAVA_BYTE, start(slot), into, 0, rows);
    return into;
  }

  short[] shorts(int slot) {
    short[] into = shorts == null ? new short[CHUNK_ROWS] : shorts;
    shorts = into;
    MemorySegment.copy(columns[slot].data(), SHORT, 2L * start(slot), into, 0, rows);
    return into;
  }

  int[] ints(int slot) {
    int[] into = ints == null ? new int[CHUNK_ROWS] : ints;
    ints = into;
    MemorySegment.copy(columns[slot].data(), INT, 4L * start(slot), into, 0, rows);
    return into;
  }

  float[] floats(int slot) {
    float[] into = floats == null ? new float[CHUNK_ROWS] : floats;
    floats = into;
    MemorySegment.copy(columns[slot].data(), FLOAT, 4L * start(slot), into, 0, rows);
    return into;
  }

  /// The values of an INT64, TIMESTAMPTZ, smaller integer or BOOL field, widened where needed.
  long[] longs(int slot) {
    longs = wideLongs(slot, longs);
    return longs;
  }

  /// Like [#longs], into a second array.
  long[] otherLongs(int slot) {
    otherLongs = wideLongs(slot, otherLongs);
    return otherLongs;
  }

  private long[] wideLongs(int slot, long @Nullable [] reuse) {
    long[] into = reuse == null ? new long[CHUNK_ROWS] : reuse;
    switch (type(slot)) {
      case INT32 -> {
        int[] values = ints(slot);
        for (int i = 0; i < rows; i++) {
          into[i] = values[i];
        }
      }
      case INT16 -> {
        short[] values = shorts(slot);
        for (int i = 0; i < rows; i++) {
          into[i] = values[i];
        }
      }
      case INT8, BOOL -> {
        byte[] values = bytes(slot);
        for (int i = 0; i < rows; i++) {
          into[i] = values[i];
        }
      }
      default -> MemorySegment.copy(columns[slot].data(), LONG, 8L * start(slot), into, 0, rows);
    }
    return into;
  }

  /// The values of a FLOAT, DOUBLE or integer field as doubles.
  double[] doubles(int slot) {
    doubles = wideDoubles(slot, doubles);
    return doubles;
  }

  /// Like [#doubles], into a second array.
  double[] otherDoubles(int slot) {
    otherDoubles = wideDoubles(slot, otherDoubles);
    return otherDoubles;
  }

  private double[] wideDoubles(int slot, double @Nullable [] reuse) {
    double[] into = reuse == null ? new double[CHUNK_ROWS] : reuse;
    if (type(slot) == DataType.FLOAT) {
      float[] values = floats(slot);
      for (int i = 0; i < rows; i++) {
        into[i] = values[i];
      }
    } else {
      MemorySegment.copy(columns[slot].data(), DOUBLE, 8L * start(slot), into, 0, rows);
    }
    return into;
  }

  /// Reads the values of a variable-width field, positioned on this chunk.
  TextReader texts(int slot) {
    TextReader reader = readers[slot];
    if (reader == null) {
      reader = new TextReader(columns[slot]);
      readers[slot] = reader;
    }
    reader.position(start(slot), rows);
    return reader;
  }
}
