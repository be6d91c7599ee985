package io.elanus.role.query.search;

import io.elanus.engine.index.vector.TopK;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.engine.segment.SearchSpec;
import io.elanus.engine.segment.Segment;
import io.elanus.engine.segment.SegmentFilter;
import io.elanus.engine.segment.Selection;
import io.elanus.role.query.reduce.HitSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A vector search in some segments of this process. A unit is one segment with some of the
/// queries; which rows of a segment are searched is found out by its first unit.
///
/// Thread-safe: units may run at once; the results are read after all have ended.
public final class SegmentSearch {
  private static final int MAX_QUERIES_IN_UNIT = 64;

  /// Scored rows below which a helper costs more than it brings.
  private static final long SPREAD_FROM = 20_000;

  /// What a walk through an index is taken to score for a query.
  private static final int WALKED_ROWS = 3_000;

  private final SearchSpec spec;
  private final @Nullable SegmentFilter filter;
  private final Part[] parts;
  private final int nq;
  private final int queriesInUnit;
  private final int unitsInPart;

  private static final class Part {
    final Target target;
    final TopK[] outs;
    private @Nullable Selection selection;

    Part(Target target, int nq) {
      this.target = target;
      this.outs = new TopK[nq];
      for (int i = 0; i < nq; i++) {
        outs[i] = new TopK();
      }
    }

    synchronized Selection select(@Nullable SegmentFilter filter) {
      Selection known = selection;
      if (known == null) {
        known = target.segment().select(target.at(), filter);
        selection = known;
      }
      return known;
    }
  }

  /// `threads` is how many could share the work.
  public SegmentSearch(
      SearchSpec spec, @Nullable SegmentFilter filter, List<Target> targets, int threads) {
    this.spec = spec;
    this.filter = filter;
    this.nq = spec.nq();
    this.parts = new Part[targets.size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Part(targets.get(i), nq);
    }
    this.queriesInUnit =
        Math.clamp((nq + 2L * threads - 1) / (2L * threads), 1, MAX_QUERIES_IN_UNIT);
    this.unitsInPart = (nq + queriesInUnit - 1) / queriesInUnit;
  }

  public int units() {
    return parts.length * unitsInPart;
  }

  /// Helpers worth asking for.
  public int helpers() {
    if (units() < 2) {
      return 0;
    }
    long work = 0;
    for (Part part : parts) {
      work += (long) scoredRows(part.target.segment()) * nq;
    }
    return work < SPREAD_FROM ? 0 : units() - 1;
  }

  private int scoredRows(Segment segment) {
    boolean isIndexed =
        segment instanceof SealedSegment sealed && sealed.index(spec.field()) != null;
    return isIndexed ? Math.min(WALKED_ROWS, segment.rows()) : segment.rows();
  }

  public void unit(int unit) {
    Part part = parts[unit / unitsInPart];
    int from = unit % unitsInPart * queriesInUnit;
    int to = Math.min(nq, from + queriesInUnit);
    part.target.segment().search(spec, part.select(filter), from, to, part.outs);
  }

  /// What each segment found, in the order of the targets.
  public List<HitSource> hits() {
    List<HitSource> hits = new ArrayList<>(parts.length);
    for (Part part : parts) {
      hits.add(new LocalHits(part.target.segment(), part.outs));
    }
    return hits;
  }

  /// Visible rows that pass the filter.
  public long searched() {
    long total = 0;
    for (Part part : parts) {
      total += part.select(filter).cardinality();
    }
    return total;
  }
}
