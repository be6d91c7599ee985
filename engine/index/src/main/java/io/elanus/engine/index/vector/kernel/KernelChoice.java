package io.elanus.engine.index.vector.kernel;

/// Picks the kernels once per process. The SIMD classes are only touched when their module is
/// there: they can't be linked otherwise.
///
/// Thread-safe: stateless.
final class KernelChoice {
  private KernelChoice() {}

  /// Read once by the Vector API when its classes are initialised; 0 = no bounds checks of its own.
  private static final String BOUNDS_CHECKS = "jdk.incubator.vector.VECTOR_ACCESS_OOB_CHECK";

  private static final boolean USES_SIMD = usesSimd();

  private static boolean usesSimd() {
    // The kernels address native memory through one segment that spans everything, so the checks
    // can't
    // fail, yet they double the time of a distance (100 dimensions in cache: 14 against 7 ns a
    // row).
    if (System.getProperty(BOUNDS_CHECKS) == null) {
      System.setProperty(BOUNDS_CHECKS, "0");
    }
    boolean hasModule = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    return hasModule && Simd.isUseful();
  }

  static VectorKernels best() {
    return USES_SIMD ? Simd.kernels() : new PlainKernels();
  }

  static CodeKernels bestCodes() {
    return USES_SIMD ? Simd.codeKernels() : new PlainCodeKernels();
  }

  /// Keeps every reference to the SIMD classes behind a class of its own, loaded on first use.
  private static final class Simd {
    private Simd() {}

    static boolean isUseful() {
      return SimdKernels.lanes() >= 4;
    }

    static VectorKernels kernels() {
      return new SimdKernels();
    }

    static CodeKernels codeKernels() {
      return new SimdCodeKernels();
    }
  }
}
