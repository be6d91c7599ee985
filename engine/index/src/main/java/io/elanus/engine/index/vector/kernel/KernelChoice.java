package io.elanus.engine.index.vector.kernel;

/// Picks the kernels once per process. [SimdKernels] is only touched when its module is there: its
/// class can't be linked otherwise.
///
/// Thread-safe: stateless.
final class KernelChoice {
  private KernelChoice() {}

  static VectorKernels best() {
    boolean hasModule = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    return hasModule && Simd.isUseful() ? Simd.kernels() : new PlainKernels();
  }

  /// Keeps every reference to the SIMD class behind a class of its own, loaded on first use.
  private static final class Simd {
    private Simd() {}

    static boolean isUseful() {
      return SimdKernels.lanes() >= 4;
    }

    static VectorKernels kernels() {
      return new SimdKernels();
    }
  }
}
