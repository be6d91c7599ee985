package io.elanus.engine.segment;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.engine.expr.eval.ColumnSource;
import io.elanus.engine.expr.eval.Predicate;
import java.util.Arrays;

/// What both kinds of segment do with lists of rows.
///
/// Thread-safe: stateless.
final class KeyedRows {
  private KeyedRows() {}

  /// The rows in key order, of equal keys the newest, at most `limit` (-1 = all).
  static int[] firstByKey(Segment segment, int[] rows, long limit) {
    PrimaryKeys keys = segment.keysAt(rows);
    int[] order = KeyOrder.orderOf(keys);
    int[] first = new int[order.length];
    int n = 0;
    for (int i = 0; i < order.length; ) {
      if (limit >= 0 && n == limit) {
        break;
      }
      int best = rows[order[i]];
      int next = i + 1;
      while (next < order.length && PrimaryKeys.compare(keys, order[i], keys, order[next]) == 0) {
        best = newer(segment, best, rows[order[next]]);
        next++;
      }
      first[n++] = best;
      i = next;
    }
    return Arrays.copyOf(first, n);
  }

  /// The row with the larger timestamp, the later one when they are equal.
  static int newer(Segment segment, int a, int b) {
    int byTs = Long.compareUnsigned(segment.rowTsAt(a), segment.rowTsAt(b));
    return byTs != 0 ? (byTs > 0 ? a : b) : Math.max(a, b);
  }

  /// The rows of `candidates`, ascending and each once, that pass what the filter asks besides
  /// keys.
  static Selection narrow(
      Segment segment, SegmentFilter filter, int bound, int[] candidates, int count) {
    int[] rows = Arrays.copyOf(candidates, count);
    Arrays.sort(rows);
    int n = 0;
    for (int i = 0; i < rows.length; i++) {
      if (i == 0 || rows[i] != rows[i - 1]) {
        rows[n++] = rows[i];
      }
    }
    rows = Arrays.copyOf(rows, n);
    Predicate remainder = filter.remainder();
    if (remainder == null || n == 0) {
      return Selection.ofList(bound, rows);
    }
    ColumnBatch batch = segment.fetch(rows, filter.remainderFields());
    long[] bits = remainder.evaluate(ColumnSource.of(batch));
    int passed = 0;
    for (int i = 0; i < n; i++) {
      if ((bits[i >> 6] >>> i & 1) != 0) {
        rows[passed++] = rows[i];
      }
    }
    return Selection.ofList(bound, Arrays.copyOf(rows, passed));
  }
}
