package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.column.PrimaryKeys;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of a segment in the order of their primary keys; equal keys in row order.
///
/// Confined to the caller.
final class KeyOrder {
  private final long @Nullable [] sortedKeys;
  private final int[] rows;

  private KeyOrder(long @Nullable [] sortedKeys, int[] rows) {
    this.sortedKeys = sortedKeys;
    this.rows = rows;
  }

  /// Sorts the concatenation of key columns.
  static KeyOrder of(List<Column> columns, int rows) {
    int[] order = new int[rows];
    for (int i = 0; i < rows; i++) {
      order[i] = i;
    }
    if (columns.isEmpty() || columns.get(0).offsets() == null) {
      long[] keys = new long[rows];
      int at = 0;
      for (Column column : columns) {
        for (int i = 0; i < column.rows(); i++) {
          keys[at++] = column.longAt(i);
        }
      }
      if (!isSorted(keys)) {
        radixSort(keys, order);
      }
      return new KeyOrder(keys, order);
    }
    byte[][] keys = new byte[rows][];
    int at = 0;
    for (Column column : columns) {
      for (int i = 0; i < column.rows(); i++) {
        keys[at++] = column.bytesAt(i);
      }
    }
    mergeSort(keys, order);
    return new KeyOrder(null, order);
  }

  void write(SectionSink out) throws IOException {
    if (sortedKeys != null) {
      out.begin(SegmentManifest.DATA);
      for (long key : sortedKeys) {
        out.sink().i64(key);
      }
      out.end(SegmentManifest.DATA);
    }
    out.begin(SegmentManifest.OFFSETS);
    for (int row : rows) {
      out.sink().i32(row);
    }
    out.end(SegmentManifest.OFFSETS);
  }

  /// The keys' rows, in key order.
  int[] rows() {
    return rows;
  }

  static boolean isSorted(long[] keys) {
    for (int i = 1; i < keys.length; i++) {
      if (keys[i - 1] > keys[i]) {
        return false;
      }
    }
    return true;
  }

  /// Stable, byte by byte from the lowest; bytes that all keys share cost one pass of counting.
  static void radixSort(long[] keys, int[] rows) {
    long[] fromKeys = keys;
    int[] fromRows = rows;
    long[] toKeys = new long[keys.length];
    int[] toRows = new int[rows.length];
    int[] counts = new int[256];
    boolean inPlace = true;
    for (int shift = 0; shift < 64; shift += 8) {
      Arrays.fill(counts, 0);
      int flip = shift == 56 ? 0x80 : 0;
      for (long key : fromKeys) {
        counts[((int) (key >>> shift) & 0xFF) ^ flip]++;
      }
      if (keys.length > 0 && counts[((int) (fromKeys[0] >>> shift) & 0xFF) ^ flip] == keys.length) {
        continue;
      }
      int sum = 0;
      for (int i = 0; i < 256; i++) {
        int count = counts[i];
        counts[i] = sum;
        sum += count;
      }
      for (int i = 0; i < fromKeys.length; i++) {
        int at = counts[((int) (fromKeys[i] >>> shift) & 0xFF) ^ flip]++;
        toKeys[at] = fromKeys[i];
        toRows[at] = fromRows[i];
      }
      long[] k = fromKeys;
      fromKeys = toKeys;
      toKeys = k;
      int[] r = fromRows;
      fromRows = toRows;
      toRows = r;
      inPlace = !inPlace;
    }
    if (!inPlace) {
      System.arraycopy(fromKeys, 0, keys, 0, keys.length);
      System.arraycopy(fromRows, 0, rows, 0, rows.length);
    }
  }

  /// Stable bottom-up merge sort of row numbers by their keys' bytes.
  private static void mergeSort(byte[][] keys, int[] rows) {
    int[] from = rows;
    int[] to = new int[rows.length];
    boolean inPlace = true;
    for (int width = 1; width < rows.length; width *= 2) {
      for (int left = 0; left < rows.length; left += 2 * width) {
        int middle = Math.min(left + width, rows.length);
        int right = Math.min(left + 2 * width, rows.length);
        merge(keys, from, to, left, middle, right);
      }
      int[] swap = from;
      from = to;
      to = swap;
      inPlace = !inPlace;
    }
    if (!inPlace) {
      System.arraycopy(from, 0, rows, 0, rows.length);
    }
  }

  private static void merge(byte[][] keys, int[] from, int[] to, int left, int middle, int right) {
    int a = left;
    int b = middle;
    for (int at = left; at < right; at++) {
      boolean takeLeft =
          b >= right || (a < middle && Arrays.compareUnsigned(keys[from[a]], keys[from[b]]) <= 0);
      to[at] = takeLeft ? from[a++] : from[b++];
    }
  }

  /// The order of a list of keys, equal ones in list order.
  static int[] orderOf(PrimaryKeys keys) {
    int[] order = new int[keys.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    switch (keys) {
      case PrimaryKeys.Longs(long[] values) -> {
        if (!isSorted(values)) {
          radixSort(values.clone(), order);
        }
      }
      case PrimaryKeys.Texts(String[] values) -> {
        byte[][] bytes = new byte[values.length][];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = values[i].getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }
        mergeSort(bytes, order);
      }
    }
    return order;
  }
}
