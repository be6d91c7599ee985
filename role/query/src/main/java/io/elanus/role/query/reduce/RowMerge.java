package io.elanus.role.query.reduce;

import io.elanus.base.column.PrimaryKeys;
import java.util.Arrays;
import java.util.List;

/// k-way merge of rows that are each sorted by primary key; of rows with the same key the newest.
///
/// Thread-safe: stateless.
public final class RowMerge {
  private RowMerge() {}

  /// Rows of one source, ascending by key, each key once; `rows[i]` locates row `i`.
  public record Sorted(PrimaryKeys keys, long[] rowTs, int[] rows) {
    int size() {
      return rows.length;
    }
  }

  /// Row `i` is `rows[i]` of source `sources[i]`.
  public record Merged(PrimaryKeys keys, int[] sources, int[] rows, long[] rowTs) {
    public int size() {
      return rows.length;
    }
  }

  /// At most `limit` rows with the smallest keys (-1 = all).
  public static Merged merge(List<Sorted> inputs, long limit, boolean textKeys) {
    int total = 0;
    for (Sorted input : inputs) {
      total = Math.addExact(total, input.size());
    }
    int wanted = limit < 0 ? total : (int) Math.min(limit, total);
    Output out = new Output(wanted, textKeys);
    int[] heap = new int[inputs.size()];
    int[] at = new int[inputs.size()];
    int size = 0;
    for (int s = 0; s < heap.length; s++) {
      if (inputs.get(s).size() > 0) {
        heap[size] = s;
        siftUp(heap, size++, inputs, at);
      }
    }
    while (size > 0) {
      int source = heap[0];
      if (!out.add(inputs.get(source), source, at[source])) {
        break;
      }
      if (++at[source] == inputs.get(source).size()) {
        heap[0] = heap[--size];
      }
      siftDown(heap, size, inputs, at);
    }
    return out.result();
  }

  private static boolean isLess(List<Sorted> inputs, int[] at, int a, int b) {
    int order = PrimaryKeys.compare(inputs.get(a).keys, at[a], inputs.get(b).keys, at[b]);
    return order < 0 || (order == 0 && a < b);
  }

  private static void siftUp(int[] heap, int from, List<Sorted> inputs, int[] at) {
    int i = from;
    int moved = heap[i];
    while (i > 0 && isLess(inputs, at, moved, heap[(i - 1) >> 1])) {
      heap[i] = heap[(i - 1) >> 1];
      i = (i - 1) >> 1;
    }
    heap[i] = moved;
  }

  private static void siftDown(int[] heap, int size, List<Sorted> inputs, int[] at) {
    if (size == 0) {
      return;
    }
    int moved = heap[0];
    int i = 0;
    while (2 * i + 1 < size) {
      int child = 2 * i + 1;
      if (child + 1 < size && isLess(inputs, at, heap[child + 1], heap[child])) {
        child++;
      }
      if (!isLess(inputs, at, heap[child], moved)) {
        break;
      }
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = moved;
  }

  private static final class Output {
    private final int[] sources;
    private final int[] rows;
    private final long[] rowTs;
    private final long[] longs;
    private final String[] texts;
    private final boolean textKeys;
    private int size;

    Output(int wanted, boolean textKeys) {
      this.textKeys = textKeys;
      this.sources = new int[wanted];
      this.rows = new int[wanted];
      this.rowTs = new long[wanted];
      this.longs = textKeys ? new long[0] : new long[wanted];
      this.texts = textKeys ? new String[wanted] : new String[0];
    }

    /// False when the row has a new key and there is no room.
    boolean add(Sorted from, int source, int index) {
      boolean isSame = size > 0 && isLast(from.keys, index);
      if (isSame) {
        if (Long.compareUnsigned(from.rowTs[index], rowTs[size - 1]) <= 0) {
          return true;
        }
        size--;
      } else if (size == rows.length) {
        return false;
      }
      switch (from.keys) {
        case PrimaryKeys.Longs(long[] values) -> longs[size] = values[index];
        case PrimaryKeys.Texts(String[] values) -> texts[size] = values[index];
      }
      sources[size] = source;
      rows[size] = from.rows[index];
      rowTs[size] = from.rowTs[index];
      size++;
      return true;
    }

    private boolean isLast(PrimaryKeys keys, int index) {
      return switch (keys) {
        case PrimaryKeys.Longs(long[] values) -> values[index] == longs[size - 1];
        case PrimaryKeys.Texts(String[] values) -> values[index].equals(texts[size - 1]);
      };
    }

    Merged result() {
      PrimaryKeys keys =
          textKeys
              ? new PrimaryKeys.Texts(Arrays.copyOf(texts, size))
              : new PrimaryKeys.Longs(Arrays.copyOf(longs, size));
      return new Merged(
          keys,
          Arrays.copyOf(sources, size),
          Arrays.copyOf(rows, size),
          Arrays.copyOf(rowTs, size));
    }
  }
}
