package io.elanus.engine.index.vector;

import io.elanus.base.column.Column;
import io.elanus.base.schema.MetricType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Exact search: scores every row of the filter. Several queries share one pass over the rows.
///
/// A column on the heap is copied to native memory when the index is made.
///
/// Thread-safe: immutable.
public final class FlatIndex implements VectorIndex {
  /// Queries that pass over a tile of rows together.
  private static final int QUERIES_AT_ONCE = 64;

  private final VectorRows rows;
  private final ScratchPool<Scratch> scratches = new ScratchPool<>(Scratch::new);

  FlatIndex(VectorRows rows) {
    this.rows = rows;
  }

  /// An exact index over the column; for COSINE this computes the norms once.
  public static FlatIndex over(Column vectors, MetricType metric) {
    return new FlatIndex(VectorRows.of(vectors, metric));
  }

  @Override
  public IndexType type() {
    return IndexType.FLAT;
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
    return norms == null ? 0 : norms.byteSize();
  }

  VectorRows vectorRows() {
    return rows;
  }

  @Override
  public void search(
      float[] query,
      int queryOffset,
      int k,
      SearchParams params,
      @Nullable RowSet filter,
      TopK out) {
    rows.checkFilter(filter);
    Scratch scratch = scratches.take();
    out.reset(k, rows.metric());
    scratch.queries.set(rows, query, queryOffset, out);
    scan(scratch, params, filter);
    scratches.give(scratch);
    out.finish();
  }

  @Override
  public void searchAll(
      float[] queries, int k, SearchParams params, @Nullable RowSet filter, TopK[] outs) {
    rows.checkFilter(filter);
    Scratch scratch = scratches.take();
    for (TopK out : outs) {
      out.reset(k, rows.metric());
    }
    for (int from = 0; from < outs.length; from += QUERIES_AT_ONCE) {
      int n = Math.min(QUERIES_AT_ONCE, outs.length - from);
      scratch.queries.set(rows, queries, from, n, outs);
      scan(scratch, params, filter);
    }
    scratches.give(scratch);
    for (TopK out : outs) {
      out.finish();
    }
  }

  private void scan(Scratch scratch, SearchParams params, @Nullable RowSet filter) {
    try {
      ExactScan.scan(rows, params, filter, scratch.queries, scratch);
    } finally {
      rows.keepAlive();
    }
    scratch.queries.clear();
  }
}
