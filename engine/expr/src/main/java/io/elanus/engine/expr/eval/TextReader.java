package io.elanus.engine.expr.eval;

import io.elanus.base.column.Column;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/// Gives the bytes of variable-width values without an object per row: a window of the column's
/// data is copied into one array that is used again and again.
///
/// Confined to the caller.
final class TextReader {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int READ_AHEAD_BYTES = 16 << 10;

  private final MemorySegment data;
  private final MemorySegment offsetData;
  private final int[] offsets = new int[Frame.CHUNK_ROWS + 1];
  private byte[] window = new byte[READ_AHEAD_BYTES];
  private int rows;
  private int windowFrom;
  private int windowTo;
  private boolean positioned;

  TextReader(Column column) {
    this.data = column.data();
    this.offsetData = Objects.requireNonNull(column.offsets());
  }

  void invalidate() {
    positioned = false;
  }

  void position(int from, int newRows) {
    if (!positioned) {
      rows = newRows;
      MemorySegment.copy(offsetData, INT, 4L * from, offsets, 0, newRows + 1);
      windowFrom = 0;
      windowTo = 0;
      positioned = true;
    }
  }

  int length(int row) {
    return offsets[row + 1] - offsets[row];
  }

  /// Makes the value of `row` readable in [#window]; answers where it starts there. The window
  /// stays as it is until the next call.
  int locate(int row) {
    int start = offsets[row];
    int end = offsets[row + 1];
    if (start < windowFrom || end > windowTo) {
      fill(start, end);
    }
    return start - windowFrom;
  }

  private void fill(int start, int end) {
    int want = Math.max(end - start, Math.min(READ_AHEAD_BYTES, offsets[rows] - start));
    if (want > window.length) {
      window = new byte[Math.max(want, 2 * window.length)];
    }
    MemorySegment.copy(data, ValueLayout.JAVA_BYTE, start, window, 0, want);
    windowFrom = start;
    windowTo = start + want;
  }

  byte[] window() {
    return window;
  }
}
