package io.elanus.engine.index.vector;

import org.jspecify.annotations.Nullable;

/// Chooses how a graph search treats a row filter, by estimated distance computations.
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

  /// Up to this many rows an exact scan is always right: it costs under a millisecond.
  private static final int ALWAYS_EXACT_ROWS = 10_000;

  /// A walk of width `ef` is taken to score `ef × links × WALK_COST` rows at random places of memory,
  /// each dearer than the scan's in its order.
  private static final double WALK_COST = 2.5;

  /// Share of passing rows below which a walk through all rows loses to the two-hop walk.
  private static final double TWO_HOP_SHARE = 0.3;

  static Strategy choose(HnswGraph graph, @Nullable RowSet filter, int ef) {
    int rows = graph.rows;
    int matching = filter == null ? rows : filter.cardinality();
    double share = rows == 0 ? 1 : (double) matching / rows;
    if (matching <= ef) {
      return Strategy.EXACT;
    }
    if (share < 1 && matching <= ALWAYS_EXACT_ROWS) {
      return Strategy.EXACT;
    }
    double walked = ef * (double) graph.width0 * WALK_COST;
    if (matching <= walked) {
      return Strategy.EXACT;
    }
    return share < TWO_HOP_SHARE ? Strategy.TWO_HOP : Strategy.WALK;
  }
}
