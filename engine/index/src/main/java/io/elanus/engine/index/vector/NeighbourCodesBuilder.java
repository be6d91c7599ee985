package io.elanus.engine.index.vector;

import io.elanus.engine.index.vector.kernel.CodeKernels;
import io.elanus.engine.index.vector.kernel.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/// Trains the codebooks of [NeighbourCodes] on a sample and writes the blocks of a finished graph.
/// The same seed and graph give the same blocks whatever the parallelism.
///
/// Thread-safe: workers write disjoint ranges.
final class NeighbourCodesBuilder {
  private static final int SAMPLE_ROWS = 8192;
  private static final int ITERATIONS = 12;

  private final VectorRows rows;
  private final HnswGraph graph;
  private final BuildContext context;
  private final int subDim;
  private final int subspaces;
  private final float[] centroids;

  private NeighbourCodesBuilder(VectorRows rows, HnswGraph graph, BuildContext context) {
    this.rows = rows;
    this.graph = graph;
    this.context = context;
    subDim = NeighbourCodes.subDimOf(rows.dim());
    subspaces = NeighbourCodes.subspaces(rows.dim(), subDim);
    centroids = new float[16 * subspaces * subDim];
  }

  static NeighbourCodes build(VectorRows rows, HnswGraph graph, BuildContext context) {
    NeighbourCodesBuilder builder = new NeighbourCodesBuilder(rows, graph, context);
    builder.train();
    MemorySegment codes = VectorRows.allocate((long) rows.count() * builder.subspaces);
    builder.encode(codes);
    return builder.write(codes);
  }

  private void train() {
    RowSample sample = RowSample.draw(rows, SAMPLE_ROWS, context.seed());
    try {
      ParallelRows.run(
          0,
          subspaces,
          context,
          () ->
              (from, to) -> {
                for (int s = from; s < to; s++) {
                  trainSubspace(sample, s);
                }
              });
    } finally {
      java.lang.ref.Reference.reachabilityFence(sample);
    }
  }

  private void trainSubspace(RowSample sample, int s) {
    int n = sample.matrix().rows();
    float[] points = new float[n * subDim];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < subDim; j++) {
        int x = s * subDim + j;
        points[i * subDim + j] =
            x < rows.dim() ? NativeMemory.floatAt(sample.matrix().addressOf(i) + 4L * x) : 0;
      }
    }
    SplittableRandom random = new SplittableRandom(context.seed() + s);
    float[] means = new float[16 * subDim];
    for (int k = 0; k < 16; k++) {
      int from = random.nextInt(n);
      for (int j = 0; j < subDim; j++) {
        means[16 * j + k] = points[from * subDim + j];
      }
    }
    for (int i = 0; i < ITERATIONS; i++) {
      improve(points, means, random);
    }
    System.arraycopy(means, 0, centroids, 16 * s * subDim, 16 * subDim);
  }

  private void improve(float[] points, float[] means, SplittableRandom random) {
    int n = points.length / subDim;
    double[] sums = new double[16 * subDim];
    int[] counts = new int[16];
    float[] point = new float[subDim];
    for (int i = 0; i < n; i++) {
      System.arraycopy(points, i * subDim, point, 0, subDim);
      int k = NeighbourCodes.nearest(means, point, 0, subDim);
      counts[k]++;
      for (int j = 0; j < subDim; j++) {
        sums[16 * j + k] += point[j];
      }
    }
    for (int k = 0; k < 16; k++) {
      int redrawn = counts[k] == 0 ? random.nextInt(n) : 0;
      for (int j = 0; j < subDim; j++) {
        means[16 * j + k] =
            counts[k] == 0 ? points[redrawn * subDim + j] : (float) (sums[16 * j + k] / counts[k]);
      }
    }
  }

  private void encode(MemorySegment codes) {
    ParallelRows.run(
        0,
        rows.count(),
        context,
        () -> {
          float[] vector = new float[subspaces * subDim];
          return (from, to) -> {
            for (int row = from; row < to; row++) {
              read(row, vector);
              for (int s = 0; s < subspaces; s++) {
                int code = NeighbourCodes.nearest(centroids, vector, s, subDim);
                codes.set(ValueLayout.JAVA_BYTE, (long) row * subspaces + s, (byte) code);
              }
            }
          };
        });
  }

  private void read(int row, float[] vector) {
    float factor = rows.rowFactor(row);
    long at = rows.matrix().addressOf(row);
    for (int i = 0; i < rows.dim(); i++) {
      vector[i] = factor * NativeMemory.floatAt(at + 4L * i);
    }
  }

  private NeighbourCodes write(MemorySegment codes) {
    int dim = rows.dim();
    MemorySegment codebooks = VectorRows.allocate(NeighbourCodes.codebookBytes(dim, subDim));
    NativeMemory.copy(centroids, 0, codebooks.address(), centroids.length);
    int blockBytes = NeighbourCodes.blockBytes(dim, subDim, graph.m);
    MemorySegment blocks = VectorRows.allocate((long) blockBytes * rows.count());
    NeighbourCodes built = new NeighbourCodes(dim, subDim, graph.m, blocks, codebooks);
    ParallelRows.run(
        0,
        rows.count(),
        context,
        () ->
            (from, to) -> {
              for (int row = from; row < to; row++) {
                writeBlock(built, row, codes);
              }
            });
    return built;
  }

  private void writeBlock(NeighbourCodes built, int row, MemorySegment codes) {
    long list = graph.list0(row);
    long block = built.block(row);
    boolean isOver = false;
    for (int i = 0; i < built.width(); i++) {
      int link = i < graph.width0 && !isOver ? NativeMemory.intAt(list + 4L * i) : -1;
      isOver |= link < 0;
      NativeMemory.putInt(block + 4L * i, link);
      if (link >= 0) {
        long lane = built.codes(block, i >> 4) + CodeKernels.laneOf(i & 15);
        long code = (long) link * subspaces;
        for (int s = 0; s < subspaces; s += 2) {
          int low = codes.get(ValueLayout.JAVA_BYTE, code + s);
          int high = codes.get(ValueLayout.JAVA_BYTE, code + s + 1);
          NativeMemory.ALL.set(ValueLayout.JAVA_BYTE, lane + 8L * s, (byte) (low | high << 4));
        }
      }
    }
  }
}
