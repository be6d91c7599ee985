package io.elanus.role.query.search;

import io.elanus.engine.segment.Segment;
import io.elanus.engine.segment.SegmentFilter;
import io.elanus.engine.segment.Selection;
import io.elanus.role.query.reduce.RowMerge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of some segments of this process that pass a filter, or their number. A unit is a segment.
///
/// Thread-safe: units may run at once; the results are read after all have ended.
public final class SegmentScan {
  private static final long SPREAD_FROM = 20_000;

  private final @Nullable SegmentFilter filter;
  private final List<Target> targets;
  private final long limit;
  private final boolean countOnly;
  private final RowMerge.Sorted[] found;
  private final long[] counts;

  /// At most `limit` rows a segment (-1 = all); `countOnly` finds no rows.
  public SegmentScan(
      @Nullable SegmentFilter filter, List<Target> targets, long limit, boolean countOnly) {
    this.filter = filter;
    this.targets = targets;
    this.limit = limit;
    this.countOnly = countOnly;
    this.found = new RowMerge.Sorted[targets.size()];
    this.counts = new long[targets.size()];
  }

  public int units() {
    return targets.size();
  }

  public int helpers() {
    if (targets.size() < 2) {
      return 0;
    }
    long rows = 0;
    for (Target target : targets) {
      rows += target.segment().rows();
    }
    return rows < SPREAD_FROM || (filter == null && countOnly) ? 0 : targets.size() - 1;
  }

  public void unit(int unit) {
    Segment segment = targets.get(unit).segment();
    Selection selection = segment.select(targets.get(unit).at(), filter);
    counts[unit] = selection.cardinality();
    if (countOnly) {
      return;
    }
    int[] rows = segment.firstByKey(selection, limit);
    long[] rowTs = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      rowTs[i] = segment.rowTsAt(rows[i]);
    }
    found[unit] = new RowMerge.Sorted(segment.keysAt(rows), rowTs, rows);
  }

  /// The rows of each segment, in the order of the targets.
  public List<RowMerge.Sorted> rows() {
    return new ArrayList<>(List.of(found));
  }

  public long count() {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }
}
