package io.elanus.engine.index.vector;

import io.elanus.engine.index.vector.kernel.NativeMemory;
import io.elanus.engine.index.vector.kernel.RowMatrix;
import io.elanus.engine.index.vector.kernel.VectorKernels;
import java.lang.foreign.MemorySegment;

/// Lloyd's iterations over a sample. The nearest centroid is the one with the largest `x·c -
/// |c|²/2`, which needs one inner product a pair; with unit centroids that is the largest cosine.
///
/// Confined to the caller; assignment of rows is spread over threads.
final class KMeans {
  private static final int ITERATIONS = 10;
  private static final VectorKernels KERNELS = VectorKernels.BEST;

  private final RowMatrix sample;
  private final int k;
  private final boolean unit;
  private final BuildContext context;
  private final MemorySegment memory;
  private final RowMatrix centroids;
  private final float[] halfNorms;

  KMeans(RowMatrix sample, int k, boolean unit, BuildContext context) {
    this.sample = sample;
    this.k = k;
    this.unit = unit;
    this.context = context;
    int dim = sample.dim();
    memory = VectorRows.allocate(4L * dim * k);
    centroids = new RowMatrix(memory.address(), 4L * dim, dim, k);
    halfNorms = new float[k];
  }

  /// The trained centroids, `k × dim`.
  MemorySegment train() {
    for (int c = 0; c < k; c++) {
      // The sample is in row order and its rows were drawn evenly, so equal steps are a fair start.
      int row = (int) ((long) c * sample.rows() / k);
      MemorySegment.copy(
          NativeMemory.ALL,
          sample.addressOf(row),
          memory,
          c * sample.strideBytes(),
          sample.strideBytes());
    }
    finishCentroids();
    for (int i = 0; i < ITERATIONS; i++) {
      update(assign(sample));
    }
    return memory;
  }

  private void update(int[] nearest) {
    int dim = sample.dim();
    double[] sums = new double[k * dim];
    int[] counts = new int[k];
    for (int row = 0; row < nearest.length; row++) {
      int c = nearest[row];
      counts[c]++;
      long at = sample.addressOf(row);
      for (int i = 0, s = c * dim; i < dim; i++, s++) {
        sums[s] += NativeMemory.floatAt(at + 4L * i);
      }
    }
    int[] weights = counts.clone();
    for (int c = 0; c < k; c++) {
      int from = counts[c] > 0 ? c : halveLargest(weights);
      // An empty cluster takes half of the largest one, a hair's breadth beside it.
      float shift = from == c ? 0 : 1e-3f;
      for (int i = 0; i < dim; i++) {
        float mean = (float) (sums[from * dim + i] / counts[from]);
        float sign = (i & 1) == 0 ? 1 : -1;
        NativeMemory.putFloat(centroids.addressOf(c) + 4L * i, mean * (1 + sign * shift));
      }
    }
    finishCentroids();
  }

  private static int halveLargest(int[] weights) {
    int best = 0;
    for (int i = 1; i < weights.length; i++) {
      if (weights[i] > weights[best]) {
        best = i;
      }
    }
    weights[best] /= 2;
    return best;
  }

  private void finishCentroids() {
    for (int c = 0; c < k; c++) {
      long at = centroids.addressOf(c);
      float squared = KERNELS.dot(at, at, centroids.dim());
      if (unit) {
        float inverse = VectorKernels.inverseNorm(squared);
        for (int i = 0; i < centroids.dim(); i++) {
          NativeMemory.putFloat(at + 4L * i, inverse * NativeMemory.floatAt(at + 4L * i));
        }
        halfNorms[c] = 0;
      } else {
        halfNorms[c] = squared / 2;
      }
    }
  }

  /// The nearest centroid of each row of `rows`.
  int[] assign(RowMatrix rows) {
    int[] nearest = new int[rows.rows()];
    ParallelRows.run(
        0,
        rows.rows(),
        context,
        () -> {
          float[] dots = new float[k];
          return (from, to) -> {
            for (int row = from; row < to; row++) {
              nearest[row] = nearest(rows.addressOf(row), dots);
            }
          };
        });
    return nearest;
  }

  private int nearest(long row, float[] dots) {
    KERNELS.dotBlock(row, centroids, 0, k, dots);
    int best = 0;
    float most = Float.NEGATIVE_INFINITY;
    for (int c = 0; c < k; c++) {
      float value = dots[c] - halfNorms[c];
      if (value > most) {
        most = value;
        best = c;
      }
    }
    return best;
  }
}
