package io.elanus.engine.index.vector;

import org.jspecify.annotations.Nullable;

/// Scores rows one after another, in tiles that stay in the second-level cache while several
/// queries pass over them.
///
/// Confined to the caller.
final class ExactScan {
  /// Bytes of rows in one tile.
  private static final int TILE_BYTES = 128 << 10;

  private static final int MAX_TILE_ROWS = 1024;

  private final VectorRows rows;
  private final SearchParams params;
  private final QueryBatch queries;
  private final int tileRows;
  private final float[] similarities;
  private final int[] ids;

  private ExactScan(VectorRows rows, SearchParams params, QueryBatch queries, Scratch scratch) {
    this.rows = rows;
    this.params = params;
    this.queries = queries;
    this.tileRows = tileRows(rows.dim());
    scratch.ensureBatch(tileRows);
    this.similarities = scratch.similarities;
    this.ids = scratch.ids;
  }

  private static int tileRows(int dim) {
    return Math.clamp((TILE_BYTES / (4L * dim)) & ~3L, 16, MAX_TILE_ROWS);
  }

  /// Offers every row of `filter` (null: every row) to the result of each query.
  static void scan(
      VectorRows rows,
      SearchParams params,
      @Nullable RowSet filter,
      QueryBatch queries,
      Scratch scratch) {
    ExactScan scan = new ExactScan(rows, params, queries, scratch);
    if (filter == null || filter.isFull()) {
      scan.scanAll();
    } else {
      scan.scanSet(filter);
    }
  }

  private void scanAll() {
    int count = rows.count();
    for (int from = 0; from < count; from += tileRows) {
      int tile = Math.min(tileRows, count - from);
      for (int q = 0; q < queries.count(); q++) {
        rows.block(queries.address(q), queries.factor(q), from, tile, similarities);
        offerBlock(queries.out(q), from, tile);
      }
    }
  }

  private void scanSet(RowSet filter) {
    long[] words = filter.words();
    int lastWord = (filter.rows() + 63) >> 6;
    int n = 0;
    for (int w = 0; w < lastWord; w++) {
      long bits = words[w];
      while (bits != 0) {
        ids[n++] = (w << 6) + Long.numberOfTrailingZeros(bits);
        bits &= bits - 1;
        if (n == tileRows) {
          scoreIds(n);
          n = 0;
        }
      }
    }
    scoreIds(n);
  }

  private void scoreIds(int n) {
    for (int q = 0; q < queries.count(); q++) {
      rows.gather(queries.address(q), queries.factor(q), ids, n, similarities);
      offerGathered(rows, params, ids, similarities, n, queries.out(q));
    }
  }

  private void offerBlock(TopK out, int from, int count) {
    float floor = floorOf(rows, out);
    for (int i = 0; i < count; i++) {
      if (similarities[i] >= floor) {
        float score = rows.score(similarities[i]);
        if (params.inRange(score, rows.metric())) {
          out.offer(from + i, score);
          floor = floorOf(rows, out);
        }
      }
    }
  }

  /// Offers `ids[i]` with `similarities[i]`, for `i < n`.
  static void offerGathered(
      VectorRows rows, SearchParams params, int[] ids, float[] similarities, int n, TopK out) {
    float floor = floorOf(rows, out);
    for (int i = 0; i < n; i++) {
      if (similarities[i] >= floor) {
        float score = rows.score(similarities[i]);
        if (params.inRange(score, rows.metric())) {
          out.offer(ids[i], score);
          floor = floorOf(rows, out);
        }
      }
    }
  }

  /// The similarity below which nothing enters.
  private static float floorOf(VectorRows rows, TopK out) {
    if (!out.isFull()) {
      return Float.NEGATIVE_INFINITY;
    }
    return rows.metric().isLargerBetter() ? out.worstScore() : -out.worstScore();
  }
}
