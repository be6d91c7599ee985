package io.elanus.engine.index.vector.kernel;

/// Distances between float32 vectors in native memory.
///
/// Addresses point at `dim` little-endian floats with any alignment; any `dim >= 1` is right.
/// Nothing is allocated. Results are sums in an order of the implementation's choice, so two
/// implementations agree to rounding only.
///
/// Thread-safe: stateless.
public sealed interface VectorKernels permits SimdKernels, PlainKernels {
  /// The fastest kernels of this process, chosen once; a constant, so calls through it inline.
  VectorKernels BEST = KernelChoice.best();

  /// `simd-<lanes>` or `plain`, for logs.
  String name();

  /// Inner product.
  float dot(long a, long b, int dim);

  /// Squared Euclidean distance.
  float squaredL2(long a, long b, int dim);

  /// `out[i] = dot(query, row ids[i])` for `i < count`.
  void dotGather(long query, RowMatrix rows, int[] ids, int count, float[] out);

  /// `out[i] = squaredL2(query, row ids[i])` for `i < count`.
  void squaredL2Gather(long query, RowMatrix rows, int[] ids, int count, float[] out);

  /// `out[i] = dot(query, row from + i)` for `i < count`.
  void dotBlock(long query, RowMatrix rows, int from, int count, float[] out);

  /// `out[i] = squaredL2(query, row from + i)` for `i < count`.
  void squaredL2Block(long query, RowMatrix rows, int from, int count, float[] out);

  /// `1 / |row from + i|` into the float array at `outAddress`, 0 for a zero row.
  static void inverseNorms(RowMatrix rows, int from, int count, long outAddress) {
    for (int i = 0; i < count; i++) {
      long row = rows.addressOf(from + i);
      float norm = inverseNorm(BEST.dot(row, row, rows.dim()));
      NativeMemory.putFloat(outAddress + 4L * i, norm);
    }
  }

  /// The inverse of the norm of a vector with this squared norm; 0 for the zero vector.
  static float inverseNorm(float squaredNorm) {
    return squaredNorm > 0 ? (float) (1 / Math.sqrt(squaredNorm)) : 0;
  }
}
