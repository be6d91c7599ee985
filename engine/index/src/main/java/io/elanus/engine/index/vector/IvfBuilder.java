package io.elanus.engine.index.vector;

import io.elanus.base.schema.MetricType;
import io.elanus.engine.index.vector.kernel.NativeMemory;
import java.lang.foreign.MemorySegment;

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
    RowSample sample = RowSample.draw(rows, nlist * SAMPLE_ROWS_A_LIST, context.seed());
    KMeans means = new KMeans(sample.matrix(), nlist, unit, context);
    try {
      MemorySegment centroids = means.train();
      return group(rows, nlist, centroids, means.assign(rows.matrix()));
    } finally {
      java.lang.ref.Reference.reachabilityFence(sample);
      rows.keepAlive();
    }
  }

  private static IvfLists group(VectorRows rows, int nlist, MemorySegment centroids, int[] lists) {
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
      RowSample.copyRow(rows, row, vectors.address() + rows.matrix().strideBytes() * position);
    }
    MemorySegment[] parts = {centroids, starts, ids, vectors};
    return new IvfLists(rows.metric(), nlist, rows.dim(), parts);
  }
}
