package io.elanus.engine.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// Hash of a key → the newest row that has it, with the older rows chained behind: INT64 keys are
/// their own hash, texts use 64 bits of theirs, so a chain may hold rows of other keys and the
/// caller compares.
///
/// Thread-safe: one writer; readers may run beside it and see every row that was published before
/// they read.
final class KeyTable {
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  /// `heads[slot]` = row + 1, 0 = free.
  private record Slots(long[] hashes, int[] heads) {}

  private volatile Slots slots = new Slots(new long[1024], new int[1024]);
  private volatile int[] older = new int[1024];
  private int used;

  private static int slotOf(Slots table, long hash) {
    int mask = table.heads.length - 1;
    long mixed = hash * 0x9E3779B97F4A7C15L;
    int slot = (int) (mixed >>> 32) & mask;
    while (true) {
      int head = (int) INTS.getAcquire(table.heads, slot);
      if (head == 0 || table.hashes[slot] == hash) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  /// The newest row with this hash, -1 when there is none.
  int newest(long hash) {
    Slots table = slots;
    return (int) INTS.getAcquire(table.heads, slotOf(table, hash)) - 1;
  }

  /// The row before `row` with the same hash, -1 at the end.
  int olderThan(int row) {
    return older[row] - 1;
  }

  /// Adds the next row; rows come in order from 0.
  void add(long hash, int row) {
    int[] chain = older;
    if (row >= chain.length) {
      chain = Arrays.copyOf(chain, Math.max(row + 1, 2 * chain.length));
      older = chain;
    }
    Slots table = slots;
    if (2 * (used + 1) > table.heads.length) {
      table = grown(table);
      slots = table;
    }
    int slot = slotOf(table, hash);
    int head = table.heads[slot];
    chain[row] = head;
    if (head == 0) {
      table.hashes[slot] = hash;
      used++;
    }
    INTS.setRelease(table.heads, slot, row + 1);
  }

  private static Slots grown(Slots table) {
    int room = 2 * table.heads.length;
    Slots larger = new Slots(new long[room], new int[room]);
    for (int i = 0; i < table.heads.length; i++) {
      if (table.heads[i] != 0) {
        int slot = slotOf(larger, table.hashes[i]);
        larger.hashes[slot] = table.hashes[i];
        larger.heads[slot] = table.heads[i];
      }
    }
    return larger;
  }

  long sizeBytes() {
    return 12L * slots.heads.length + 4L * older.length;
  }
}
