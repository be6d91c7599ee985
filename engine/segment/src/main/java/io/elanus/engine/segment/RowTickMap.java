package io.elanus.engine.segment;

import java.util.Arrays;

/// Row to tick, open addressing; a tick is never 0.
///
/// Confined to the caller.
final class RowTickMap {
  private int[] rows = new int[16];
  private long[] ticks = new long[16];
  private int size;

  int size() {
    return size;
  }

  private int slotOf(int row) {
    int mask = rows.length - 1;
    int slot = ((row * 0x9E3779B9) >>> 7) & mask;
    while (ticks[slot] != 0 && rows[slot] != row) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /// The tick of `row`, 0 when there is none.
  long get(int row) {
    return ticks[slotOf(row)];
  }

  void put(int row, long tick) {
    int slot = slotOf(row);
    if (ticks[slot] == 0) {
      if (2 * (size + 1) > rows.length) {
        grow();
        slot = slotOf(row);
      }
      size++;
      rows[slot] = row;
    }
    ticks[slot] = tick;
  }

  private void grow() {
    int[] oldRows = rows;
    long[] oldTicks = ticks;
    rows = new int[2 * oldRows.length];
    ticks = new long[2 * oldRows.length];
    Arrays.fill(ticks, 0);
    for (int i = 0; i < oldRows.length; i++) {
      if (oldTicks[i] != 0) {
        int slot = slotOf(oldRows[i]);
        rows[slot] = oldRows[i];
        ticks[slot] = oldTicks[i];
      }
    }
  }
}
