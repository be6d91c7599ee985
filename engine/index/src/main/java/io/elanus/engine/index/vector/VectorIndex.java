package io.elanus.engine.index.vector;

import io.elanus.base.column.Column;
import io.elanus.base.schema.MetricType;
import org.jspecify.annotations.Nullable;

/// Finds the nearest rows of one sealed segment's vector column. The index holds graph, lists or
/// norms; the vectors stay in the column.
///
/// The column's memory (and, for an opened index, the mapped index file) must stay open until the
/// last search has returned: closing an arena under a running search crashes the process.
///
/// Thread-safe: immutable after build; searches take scratch space from a pool.
public sealed interface VectorIndex permits FlatIndex, HnswIndex, IvfFlatIndex {
  IndexType type();

  MetricType metric();

  int dim();

  int rows();

  /// The raw vectors the index is about.
  Column vectors();

  /// Bytes held beside the column.
  long sizeBytes();

  /// The `k` best rows for one query into `out`, best first, in the wire's scores (squared distance
  /// for L2, inner product for IP, -1..1 for COSINE). `out` is reset first and finished at the end.
  ///
  /// `query[queryOffset .. queryOffset + dim)` is the query. Only rows of `filter` are returned;
  /// null means all. A range in `params` bounds the scores, still at most `k` hits.
  void search(
      float[] query,
      int queryOffset,
      int k,
      SearchParams params,
      @Nullable RowSet filter,
      TopK out);

  /// One search a query: `queries` is `outs.length × dim`, row-major.
  default void searchAll(
      float[] queries, int k, SearchParams params, @Nullable RowSet filter, TopK[] outs) {
    for (int i = 0; i < outs.length; i++) {
      search(queries, i * dim(), k, params, filter, outs[i]);
    }
  }
}
