package io.elanus.engine.segment;

import io.elanus.base.schema.MetricType;
import io.elanus.engine.index.vector.RowSet;
import io.elanus.engine.index.vector.SearchParams;
import io.elanus.engine.index.vector.TopK;
import io.elanus.engine.index.vector.kernel.NativeMemory;
import io.elanus.engine.index.vector.kernel.RowMatrix;
import io.elanus.engine.index.vector.kernel.VectorKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Scores the rows of growing chunks one after another: tiles of rows that several queries pass
/// over while they are in the cache. Scores are those of [io.elanus.engine.index.vector.FlatIndex].
///
/// Confined to the caller, from a small pool: [#take], then [#give].
final class GrowingScan {
  private static final VectorKernels KERNELS = VectorKernels.BEST;
  private static final int TILE_BYTES = 128 << 10;
  private static final int MAX_TILE_ROWS = 1024;
  private static final int POOLED = 16;
  private static final AtomicReferenceArray<@Nullable GrowingScan> POOL =
      new AtomicReferenceArray<>(POOLED);

  private final float[] scores = new float[MAX_TILE_ROWS];
  private final int[] ids = new int[MAX_TILE_ROWS];
  private MemorySegment memory = MemorySegment.NULL;
  private float[] factors = new float[1];
  private MetricType metric = MetricType.L2;
  private SearchParams params = SearchParams.DEFAULT;
  private int dim;
  private int queries;
  private int tile;

  private GrowingScan() {}

  static GrowingScan take() {
    for (int i = 0; i < POOLED; i++) {
      if (POOL.getPlain(i) != null) {
        GrowingScan found = POOL.getAndSet(i, null);
        if (found != null) {
          return found;
        }
      }
    }
    return new GrowingScan();
  }

  void give() {
    for (int i = 0; i < POOLED; i++) {
      if (POOL.getPlain(i) == null && POOL.compareAndSet(i, null, this)) {
        return;
      }
    }
  }

  /// Copies the queries `from .. to` to native memory.
  void start(SearchSpec spec, SearchParams searchParams, int from, int to) {
    metric = spec.metric();
    params = searchParams;
    dim = spec.dim();
    queries = to - from;
    tile = Math.clamp(TILE_BYTES / (4L * dim), 16, MAX_TILE_ROWS);
    long need = 4L * dim * queries;
    if (memory.byteSize() < need) {
      memory = Arena.ofAuto().allocate(Math.max(4096, need), 64);
    }
    if (factors.length < queries) {
      factors = new float[queries];
    }
    NativeMemory.copy(spec.vectors(), from * dim, memory.address(), dim * queries);
    for (int q = 0; q < queries; q++) {
      factors[q] =
          metric == MetricType.COSINE
              ? VectorKernels.inverseNorm(KERNELS.dot(query(q), query(q), dim))
              : 1;
    }
  }

  private long query(int q) {
    return memory.address() + 4L * dim * q;
  }

  /// Scores the first `rows` rows of a chunk's column, or those in `set` (numbered from the chunk's
  /// first row), and offers them to `outs[firstOut + q]`.
  void scan(
      GrowingChunk chunk,
      GrowingColumn column,
      int rows,
      @Nullable RowSet set,
      TopK[] outs,
      int firstOut) {
    RowMatrix matrix = column.matrix(rows);
    long norms = metric == MetricType.COSINE ? column.norms().address() : 0;
    if (set == null) {
      for (int from = 0; from < rows; from += tile) {
        int count = Math.min(tile, rows - from);
        for (int q = 0; q < queries; q++) {
          if (metric == MetricType.L2) {
            KERNELS.squaredL2Block(query(q), matrix, from, count, scores);
          } else {
            KERNELS.dotBlock(query(q), matrix, from, count, scores);
          }
          offerBlock(outs[firstOut + q], chunk.firstRow, from, count, norms, factors[q]);
        }
      }
    } else {
      scanSet(chunk.firstRow, matrix, norms, rows, set, outs, firstOut);
    }
  }

  private void scanSet(
      int firstRow, RowMatrix matrix, long norms, int rows, RowSet set, TopK[] outs, int firstOut) {
    long[] words = set.words();
    int firstWord = firstRow >> 6;
    int endWord = firstWord + ((rows + 63) >> 6);
    int n = 0;
    for (int w = firstWord; w < endWord; w++) {
      long bits = words[w];
      while (bits != 0) {
        ids[n++] = (w << 6) + Long.numberOfTrailingZeros(bits) - firstRow;
        bits &= bits - 1;
        if (n == tile) {
          scoreIds(firstRow, matrix, norms, n, outs, firstOut);
          n = 0;
        }
      }
    }
    if (n > 0) {
      scoreIds(firstRow, matrix, norms, n, outs, firstOut);
    }
  }

  private void scoreIds(
      int firstRow, RowMatrix matrix, long norms, int n, TopK[] outs, int firstOut) {
    for (int q = 0; q < queries; q++) {
      if (metric == MetricType.L2) {
        KERNELS.squaredL2Gather(query(q), matrix, ids, n, scores);
      } else {
        KERNELS.dotGather(query(q), matrix, ids, n, scores);
      }
      TopK out = outs[firstOut + q];
      for (int i = 0; i < n; i++) {
        offer(out, firstRow, ids[i], scores[i], norms, factors[q]);
      }
    }
  }

  private void offerBlock(TopK out, int firstRow, int from, int count, long norms, float factor) {
    for (int i = 0; i < count; i++) {
      offer(out, firstRow, from + i, scores[i], norms, factor);
    }
  }

  private void offer(TopK out, int firstRow, int row, float raw, long norms, float factor) {
    float score = raw;
    if (norms != 0) {
      score = Math.clamp(raw * factor * NativeMemory.floatAt(norms + 4L * row), -1f, 1f);
    }
    if (params.inRange(score, metric)) {
      out.offer(firstRow + row, score);
    }
  }
}
