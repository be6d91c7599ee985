package io.elanus.engine.index.vector;

import io.elanus.base.column.Column;
import io.elanus.base.schema.MetricType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Layered proximity graph (Malkov and Yashunin, 2016) over float32 rows, searched in place.
///
/// Without a filter a search is a best-first walk of width `ef`, by vectors or, when the graph
/// carries [NeighbourCodes], by codes with the vectors deciding among the `ef` best. With one,
/// [FilterPlanner] picks an exact scan of the set, a walk through passing rows only, or a plain
/// walk that keeps passing rows. A range search walks until it has left the range; by inner product
/// it scans, because short rows can't be reached through the graph. A walk that runs away ends in a
/// scan too.
///
/// Thread-safe: immutable.
public final class HnswIndex implements VectorIndex {
  /// `ef` when the caller gives none, unless `k` is larger.
  private static final int MIN_DEFAULT_EF = 16;

  private final VectorRows rows;
  private final HnswGraph graph;
  private final @Nullable NeighbourCodes codes;
  private final ScratchPool<Scratch> scratches = new ScratchPool<>(Scratch::new);

  HnswIndex(VectorRows rows, HnswGraph graph) {
    this(rows, graph, null);
  }

  /// With `codes` the graph's links of level 0 must be those of the blocks.
  HnswIndex(VectorRows rows, HnswGraph graph, @Nullable NeighbourCodes codes) {
    this.rows = rows;
    this.graph = graph;
    this.codes = codes;
  }

  /// HNSW, or AUTOINDEX when the graph carries codes.
  @Override
  public IndexType type() {
    return codes == null ? IndexType.HNSW : IndexType.AUTOINDEX;
  }

  @Nullable NeighbourCodes codes() {
    return codes;
  }

  @Override
  public MetricType metric() {
    return rows.metric();
  }

  @Override
  public int dim() {
    return rows.dim();
  }

  @Override
  public int rows() {
    return rows.count();
  }

  @Override
  public Column vectors() {
    return rows.column();
  }

  @Override
  public long sizeBytes() {
    MemorySegment norms = rows.norms();
    long codebooks = codes == null ? 0 : codes.codebooks.byteSize();
    return graph.sizeBytes() + codebooks + (norms == null ? 0 : norms.byteSize());
  }

  VectorRows vectorRows() {
    return rows;
  }

  HnswGraph graph() {
    return graph;
  }

  @Override
  public void search(
      float[] query,
      int queryOffset,
      int k,
      SearchParams params,
      @Nullable RowSet filter,
      TopK out) {
    RowSet set = filter == null || filter.isFull() ? null : filter;
    rows.checkFilter(filter);
    Scratch scratch = scratches.take();
    out.reset(k, rows.metric());
    scratch.queries.set(rows, query, queryOffset, out);
    int ef = Math.max(k, params.ef() > 0 ? params.ef() : MIN_DEFAULT_EF);
    try {
      find(scratch, params, set, ef, out);
      if (isShort(k, params, set, out)) {
        // The passing rows don't hang together in the graph.
        out.reset(k, rows.metric());
        ExactScan.scan(rows, params, set, scratch.queries, scratch);
      }
    } finally {
      rows.keepAlive();
      java.lang.ref.Reference.reachabilityFence(graph);
    }
    out.finish();
    scratch.queries.clear();
    scratches.give(scratch);
  }

  private static boolean isShort(int k, SearchParams params, @Nullable RowSet set, TopK out) {
    return set != null && !params.isRange() && out.size() < Math.min(k, set.cardinality());
  }

  private void find(Scratch scratch, SearchParams params, @Nullable RowSet set, int ef, TopK out) {
    switch (FilterPlanner.choose(graph, rows.metric(), params, set, ef)) {
      case EXACT -> ExactScan.scan(rows, params, set, scratch.queries, scratch);
      case TWO_HOP -> twoHop(scratch, Objects.requireNonNull(set), ef, out);
      case WALK -> walk(scratch, params, set, ef, out);
    }
  }

  private HnswWalk aimed(Scratch scratch) {
    HnswWalk walk = new HnswWalk(graph, rows, scratch);
    walk.aim(scratch.queries.address(0), scratch.queries.factor(0));
    walk.descend(0);
    return walk;
  }

  private void twoHop(Scratch scratch, RowSet set, int ef, TopK out) {
    HnswWalk walk = aimed(scratch);
    walk.walkTwoHop(set, FilterPlanner.widened(ef));
    emit(scratch, set, out);
  }

  private void walk(Scratch scratch, SearchParams params, @Nullable RowSet set, int ef, TopK out) {
    HnswWalk walk = aimed(scratch);
    if (set == null && !params.isRange() && codes != null) {
      new CodedWalk(codes, rows, scratch).search(walk.entryRow(), ef, out);
    } else if (set == null && !params.isRange()) {
      walk.walkLevel0(ef);
      emit(scratch, null, out);
    } else if (walk.walkKeeping(set, params, ef, FilterPlanner.budget(graph, set))) {
      TopK found = scratch.found;
      for (int i = 0; i < found.size(); i++) {
        out.offer(found.rowAt(i), found.scoreAt(i));
      }
    } else {
      ExactScan.scan(rows, params, set, scratch.queries, scratch);
    }
  }

  private void emit(Scratch scratch, @Nullable RowSet set, TopK out) {
    for (int i = 0; i < scratch.pool.size; i++) {
      long key = scratch.pool.keys[i];
      int row = HnswWalk.nodeOf(key);
      if (set == null || set.contains(row)) {
        out.offer(row, rows.score(HnswWalk.similarityOf(key)));
      }
    }
  }
}
