package io.elanus.engine.index.vector;

import io.elanus.engine.index.vector.kernel.NativeMemory;
import io.elanus.engine.index.vector.kernel.RowMatrix;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Rows drawn without repetition, in ascending order, copied; scaled to unit length for COSINE.
///
/// Immutable.
record RowSample(MemorySegment memory, RowMatrix matrix) {
  static RowSample draw(VectorRows rows, int limit, long seed) {
    int count = rows.count();
    int n = Math.clamp(limit, 1, Math.max(1, count));
    long stride = 4L * rows.dim();
    MemorySegment memory = VectorRows.allocate(stride * n);
    SplittableRandom random = new SplittableRandom(seed);
    int taken = 0;
    for (int row = 0; row < count && taken < n; row++) {
      if (random.nextInt(count - row) < n - taken) {
        copyRow(rows, row, memory.address() + stride * taken++);
      }
    }
    return new RowSample(memory, new RowMatrix(memory.address(), stride, rows.dim(), n));
  }

  /// Copies a row, scaled to unit length for COSINE.
  static void copyRow(VectorRows rows, int row, long to) {
    float factor = rows.rowFactor(row);
    long from = rows.matrix().addressOf(row);
    for (int i = 0; i < rows.dim(); i++) {
      NativeMemory.putFloat(to + 4L * i, factor * NativeMemory.floatAt(from + 4L * i));
    }
  }
}
