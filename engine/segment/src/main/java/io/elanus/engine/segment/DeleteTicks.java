package io.elanus.engine.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.engine.index.vector.RowSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// For each deleted row the earliest tick of a delete behind its insert, which is all that
/// visibility asks for. Entries are only ever appended: an earlier tick of a row that has one is a
/// second entry, and a row is deleted at `readTs` when any of its entries is at or before it.
///
/// Thread-safe: one writer at a time under `lock`; readers see a prefix of the entries.
final class DeleteTicks {
  /// Entries up to a count: the arrays are shared with later states and only grow.
  private record State(int[] rows, long[] ticks, long[] runningMax, int count) {
    static final State EMPTY = new State(new int[0], new long[0], new long[0], 0);

    boolean allUpTo(long readTs) {
      return Long.compareUnsigned(runningMax[count - 1], readTs) <= 0;
    }
  }

  private record Visible(RowSet rows, int entries, long maxTick) {}

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final RowTickMap earliest = new RowTickMap();

  private volatile State state = State.EMPTY;
  private volatile @Nullable Visible cached;

  /// Rows with a delete.
  int count() {
    synchronized (lock) {
      return earliest.size();
    }
  }

  boolean isEmpty() {
    return state.count == 0;
  }

  /// The earliest tick of `row`, 0 when it has none.
  long tickOf(int row) {
    synchronized (lock) {
      return earliest.get(row);
    }
  }

  long sizeBytes() {
    return 36L * state.rows.length;
  }

  /// Notes that `row` was deleted at `tick`, which lies behind its timestamp.
  void add(int row, long tick) {
    synchronized (lock) {
      long known = earliest.get(row);
      if (known != 0 && Long.compareUnsigned(known, tick) <= 0) {
        return;
      }
      earliest.put(row, tick);
      State now = state;
      int n = now.count;
      int[] rows = now.rows;
      long[] ticks = now.ticks;
      long[] max = now.runningMax;
      if (n == rows.length) {
        int room = Math.max(16, 2 * n);
        rows = Arrays.copyOf(rows, room);
        ticks = Arrays.copyOf(ticks, room);
        max = Arrays.copyOf(max, room);
      }
      rows[n] = row;
      ticks[n] = tick;
      max[n] = n == 0 || Long.compareUnsigned(tick, max[n - 1]) > 0 ? tick : max[n - 1];
      state = new State(rows, ticks, max, n + 1);
    }
  }

  /// The rows of `[0, rows)` that are not deleted at `readTs`; null when none is deleted. `rows`
  /// must be the same in every call.
  @Nullable RowSet visible(int rows, long readTs) {
    State now = state;
    if (now.count == 0) {
      return null;
    }
    boolean all = now.allUpTo(readTs);
    Visible base = cached;
    if (all && base != null && base.entries == now.count) {
      return base.rows;
    }
    long[] words;
    if (base != null
        && base.entries <= now.count
        && Long.compareUnsigned(base.maxTick, readTs) <= 0) {
      words = base.rows.words().clone();
      clear(now, base.entries, words, rows, readTs);
    } else {
      words = RowSet.all(rows).words();
      clear(now, 0, words, rows, readTs);
    }
    RowSet visible = RowSet.of(words, rows);
    if (all) {
      cached = new Visible(visible, now.count, now.runningMax[now.count - 1]);
    }
    return visible.isFull() ? null : visible;
  }

  /// Clears the bits of rows below `bound` that are deleted at `readTs`.
  void clearDeleted(long[] words, int bound, long readTs) {
    clear(state, 0, words, bound, readTs);
  }

  private static void clear(State now, int from, long[] words, int bound, long readTs) {
    for (int i = from; i < now.count; i++) {
      int row = now.rows[i];
      if (row < bound && Long.compareUnsigned(now.ticks[i], readTs) <= 0) {
        words[row >> 6] &= ~(1L << row);
      }
    }
  }
}
