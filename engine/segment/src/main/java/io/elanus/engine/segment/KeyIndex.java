package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.column.PrimaryKeys;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Rows of a sealed segment in key order: position `p` of the order has row [#rowAt].
///
/// Thread-safe: immutable.
abstract sealed class KeyIndex {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment rows;
  final int size;

  private KeyIndex(MemorySegment rows, int size) {
    this.rows = rows;
    this.size = size;
  }

  static KeyIndex ofLongs(MemorySegment sorted, MemorySegment rows, int size) {
    return new Longs(sorted, rows, size);
  }

  static KeyIndex ofTexts(Column keys, MemorySegment rows) {
    return new Texts(keys, rows, keys.rows());
  }

  int rowAt(int position) {
    return rows.get(INT, 4L * position);
  }

  /// The first position whose key is at least key `index` of `keys`.
  abstract int lowerBound(PrimaryKeys keys, int index);

  /// Whether the key at `position` is key `index` of `keys`; false at the end.
  abstract boolean isAt(int position, PrimaryKeys keys, int index);

  /// Whether two positions hold the same key.
  abstract boolean isSameKey(int a, int b);

  private static final class Longs extends KeyIndex {
    private final MemorySegment sorted;
    private final long smallest;
    private final long largest;

    Longs(MemorySegment sorted, MemorySegment rows, int size) {
      super(rows, size);
      this.sorted = sorted;
      this.smallest = size == 0 ? Long.MAX_VALUE : sorted.get(LONG, 0);
      this.largest = size == 0 ? Long.MIN_VALUE : sorted.get(LONG, 8L * (size - 1));
    }

    @Override
    int lowerBound(PrimaryKeys keys, int index) {
      long key = ((PrimaryKeys.Longs) keys).values()[index];
      if (key > largest) {
        return size; // Deletes of young keys meet many old segments.
      }
      if (key <= smallest) {
        return 0;
      }
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sorted.get(LONG, 8L * middle) < key) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    @Override
    boolean isAt(int position, PrimaryKeys keys, int index) {
      return position < size
          && sorted.get(LONG, 8L * position) == ((PrimaryKeys.Longs) keys).values()[index];
    }

    @Override
    boolean isSameKey(int a, int b) {
      return sorted.get(LONG, 8L * a) == sorted.get(LONG, 8L * b);
    }
  }

  private static final class Texts extends KeyIndex {
    private final Column column;

    Texts(Column column, MemorySegment rows, int size) {
      super(rows, size);
      this.column = column;
    }

    @Override
    int lowerBound(PrimaryKeys keys, int index) {
      MemorySegment key = bytesOf(keys, index);
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (compare(rowAt(middle), key) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    @Override
    boolean isAt(int position, PrimaryKeys keys, int index) {
      return position < size && compare(rowAt(position), bytesOf(keys, index)) == 0;
    }

    @Override
    boolean isSameKey(int a, int b) {
      int rowA = rowAt(a);
      int rowB = rowAt(b);
      long fromA = column.offsetAt(rowA);
      long fromB = column.offsetAt(rowB);
      return MemorySegment.mismatch(
              column.data(),
              fromA,
              fromA + column.lengthBytesAt(rowA),
              column.data(),
              fromB,
              fromB + column.lengthBytesAt(rowB))
          < 0;
    }

    private static MemorySegment bytesOf(PrimaryKeys keys, int index) {
      String key = ((PrimaryKeys.Texts) keys).values()[index];
      return MemorySegment.ofArray(key.getBytes(StandardCharsets.UTF_8));
    }

    private int compare(int row, MemorySegment key) {
      long from = column.offsetAt(row);
      int length = column.lengthBytesAt(row);
      long differs =
          MemorySegment.mismatch(column.data(), from, from + length, key, 0, key.byteSize());
      if (differs < 0) {
        return 0;
      }
      if (differs >= length || differs >= key.byteSize()) {
        return Long.compare(length, key.byteSize());
      }
      return Byte.compareUnsigned(
          column.data().get(ValueLayout.JAVA_BYTE, from + differs),
          key.get(ValueLayout.JAVA_BYTE, differs));
    }
  }
}
