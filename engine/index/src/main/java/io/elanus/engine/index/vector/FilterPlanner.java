package io.elanus.engine.index.vector;

import io.elanus.base.schema.MetricType;
import org.jspecify.annotations.Nullable;

/// Chooses how a graph search treats a row filter, by estimated cost. The unit is one row scored in
/// the order of memory; the factors were fitted to 100,000 word vectors of 100 dimensions, filters
/// independent of the vectors, M=16.
///
/// Thread-safe: stateless.
final class FilterPlanner {
  private FilterPlanner() {}

  /// What to do with a filter.
  enum Strategy {
    /// Score every row of the set.
    EXACT,
    /// Walk through passing rows, stepping over failing neighbours.
    TWO_HOP,
    /// Walk through all rows, keep those that pass.
    WALK
  }

  /// Up to this many rows of a filter an exact scan is always taken: it costs well under a
  /// millisecond at 100 dimensions and its recall is 1.
  private static final int ALWAYS_EXACT_ROWS = 12_000;

  /// Cost of one step of a plain walk in multiples of M: rows at random places cost more than twice
  /// what they cost in order.
  private static final double WALK_STEP = 3;

  /// The same when the walk must collect passing rows in a heap of its own.
  private static final double KEEPING_STEP = 5;

  /// The same for a two-hop walk, which reads the lists of many neighbours a step.
  private static final double TWO_HOP_STEP = 20;

  /// The two-hop walk loses recall where passing rows are badly linked; this much more `ef` makes
  /// up.
  private static final double TWO_HOP_WIDENING = 1.5;

  /// An exact scan may cost this much more than a walk, for its recall.
  private static final double EXACT_BONUS = 1.2;

  /// Cost of a row of a set that leaves gaps, in which memory is not read in a stream.
  private static final double EXACT_STEP = 2.2;

  /// Width of the two-hop walk for a caller's `ef`.
  static int widened(int ef) {
    return (int) Math.min(Integer.MAX_VALUE / 2.0, Math.ceil(ef * TWO_HOP_WIDENING));
  }

  static Strategy choose(
      HnswGraph graph, MetricType metric, SearchParams params, @Nullable RowSet filter, int ef) {
    int rows = graph.rows;
    int matching = filter == null ? rows : filter.cardinality();
    if (matching <= ef) {
      return Strategy.EXACT;
    }
    if (params.isRange()) {
      // Rows of middling inner product lie behind longer ones that no link leads away from.
      return metric == MetricType.IP ? Strategy.EXACT : Strategy.WALK;
    }
    double step = (double) ef * graph.m;
    if (filter == null) {
      return rows <= step * WALK_STEP ? Strategy.EXACT : Strategy.WALK;
    }
    double share = (double) matching / rows;
    double exact = matching * EXACT_STEP;
    double keeping = step * KEEPING_STEP / share;
    double twoHop = step * TWO_HOP_STEP;
    boolean isExactCheap = exact <= EXACT_BONUS * Math.min(keeping, twoHop);
    if (matching <= ALWAYS_EXACT_ROWS || isExactCheap) {
      return Strategy.EXACT;
    }
    return twoHop < keeping ? Strategy.TWO_HOP : Strategy.WALK;
  }

  /// Rows that a walk may score before an exact scan of the set is the better way out: filters and
  /// ranges that go against the vectors make walks long.
  static int budget(HnswGraph graph, @Nullable RowSet filter) {
    int matching = filter == null ? graph.rows : filter.cardinality();
    return matching / 2;
  }
}
