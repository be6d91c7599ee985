package io.elanus.engine.index.vector;

import io.elanus.base.schema.MetricType;
import io.elanus.engine.index.vector.kernel.NativeMemory;
import io.elanus.engine.index.vector.kernel.RowMatrix;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Trains centroids on a sample and assigns every row to its nearest one. The same seed gives the
/// same lists whatever the parallelism.
///
/// Confined to the caller.
final class IvfBuilder {
  private static final int SAMPLE_ROWS_A_LIST = 64;

  private IvfBuilder() {}

  static IvfLists build(VectorRows rows, int wantedNlist, BuildContext context) {
    int nlist = IvfLists.effectiveNlist(wantedNlist, rows.count());
    boolean unit = rows.metric() == MetricType.COSINE;
    MemorySegment sample = sample(rows, nlist * SAMPLE_ROWS_A_LIST, context.seed());
    int dim = rows.dim();
    int sampleRows = (int) (sample.byteSize() / (4L * dim));
    RowMatrix sampleMatrix = new RowMatrix(sample.address(), 4L * dim, dim, sampleRows);
    KMeans means = new KMeans(sampleMatrix, nlist, unit, context);
    try {
      MemorySegment centroids = means.train();
      return group(rows, nlist, centroids, means.assign(rows.matrix()));
    } finally {
      java.lang.ref.Reference.reachabilityFence(sample);
      rows.keepAlive();
    }
  }

  /// Up to `limit` rows drawn without repetition, in ascending order; unit length for COSINE.
  private static MemorySegment sample(VectorRows rows, int limit, long seed) {
    int count = rows.count();
    int n = Math.clamp(limit, 1, Math.max(1, count));
    MemorySegment sample = VectorRows.allocate(4L * rows.dim() * n);
    SplittableRandom random = new SplittableRandom(seed);
    int taken = 0;
    for (int row = 0; row < count && taken < n; row++) {
      if (random.nextInt(count - row) < n - taken) {
        copyRow(rows, row, sample.address() + 4L * rows.dim() * taken++);
      }
    }
    return sample;
  }

  /// Copies a row, scaled to unit length for COSINE.
  private static void copyRow(VectorRows rows, int row, long to) {
    float factor = rows.rowFactor(row);
    long from = rows.matrix().addressOf(row);
    for (int i = 0; i < rows.dim(); i++) {
      NativeMemory.putFloat(to + 4L * i, factor * NativeMemory.floatAt(from + 4L * i));
    }
  }

  private static IvfLists group(
      VectorRows rows, int nlist, MemorySegment centroids, int[] lists) {
    int[] next = new int[nlist + 1];
    for (int list : lists) {
      next[list + 1]++;
    }
    MemorySegment starts = VectorRows.allocate(4L * (nlist + 1));
    for (int i = 0; i < nlist; i++) {
      next[i + 1] += next[i];
      NativeMemory.putInt(starts.address() + 4L * (i + 1), next[i + 1]);
    }
    MemorySegment ids = VectorRows.allocate(4L * lists.length);
    MemorySegment vectors = VectorRows.allocate(rows.matrix().strideBytes() * lists.length);
    for (int row = 0; row < lists.length; row++) {
      int position = next[lists[row]]++;
      NativeMemory.putInt(ids.address() + 4L * position, row);
      copyRow(rows, row, vectors.address() + rows.matrix().strideBytes() * position);
    }
    MemorySegment[] parts = {centroids, starts, ids, vectors};
    return new IvfLists(rows.metric(), nlist, rows.dim(), parts);
  }
}
