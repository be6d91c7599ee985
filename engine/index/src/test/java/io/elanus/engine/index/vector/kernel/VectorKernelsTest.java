package io.elanus.engine.index.vector.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VectorKernelsTest {
  private static final int[] DIMS = {
    1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 128, 129, 768
  };

  private final SplittableRandom random = new SplittableRandom(11);

  /// Rows in the middle of a page of NaN, so that a read outside a row shows.
  private RowMatrix rows(Arena arena, int count, int dim, int strideFloats, int misalignBytes) {
    MemorySegment memory = arena.allocate(4L * count * strideFloats + 256);
    for (long i = 0; i + 4 <= memory.byteSize(); i += 4) {
      memory.set(ValueLayout.JAVA_FLOAT, i, Float.NaN);
    }
    long base = memory.address() + 64 + misalignBytes;
    for (int r = 0; r < count; r++) {
      for (int i = 0; i < dim; i++) {
        NativeMemory.putFloat(base + 4L * (r * strideFloats + i), random.nextFloat() * 2 - 1);
      }
    }
    return new RowMatrix(base, 4L * strideFloats, dim, count);
  }

  private static double dot(long a, long b, int dim) {
    double total = 0;
    for (int i = 0; i < dim; i++) {
      total += (double) NativeMemory.floatAt(a + 4L * i) * NativeMemory.floatAt(b + 4L * i);
    }
    return total;
  }

  private static double l2(long a, long b, int dim) {
    double total = 0;
    for (int i = 0; i < dim; i++) {
      double d = (double) NativeMemory.floatAt(a + 4L * i) - NativeMemory.floatAt(b + 4L * i);
      total += d * d;
    }
    return total;
  }

  private void checkAgainstDoubles(VectorKernels kernels) {
    for (int dim : DIMS) {
      for (int pad : new int[] {0, 5}) {
        try (Arena arena = Arena.ofConfined()) {
          int count = 23;
          RowMatrix rows = rows(arena, count, dim, dim + pad, dim % 3);
          long query = rows(arena, 1, dim, dim, 0).address();
          int[] ids = new int[count];
          for (int i = 0; i < count; i++) {
            ids[i] = random.nextInt(count);
          }
          float[] dots = new float[count];
          float[] distances = new float[count];
          float[] blockDots = new float[count];
          float[] blockDistances = new float[count];

          kernels.dotGather(query, rows, ids, count, dots);
          kernels.squaredL2Gather(query, rows, ids, count, distances);
          kernels.dotBlock(query, rows, 2, count - 2, blockDots);
          kernels.squaredL2Block(query, rows, 2, count - 2, blockDistances);

          for (int i = 0; i < count; i++) {
            String where = kernels.name() + " dim " + dim + " row " + i;
            long row = rows.addressOf(ids[i]);
            double eps = 1e-5 * dim + 1e-6;
            assertThat((double) dots[i]).as(where).isCloseTo(dot(query, row, dim), within(eps));
            assertThat((double) distances[i]).as(where).isCloseTo(l2(query, row, dim), within(eps));
            assertThat((double) kernels.dot(query, row, dim))
                .as(where)
                .isCloseTo(dot(query, row, dim), within(eps));
            assertThat((double) kernels.squaredL2(query, row, dim))
                .as(where)
                .isCloseTo(l2(query, row, dim), within(eps));
            if (i < count - 2) {
              long blockRow = rows.addressOf(2 + i);
              assertThat((double) blockDots[i])
                  .as(where)
                  .isCloseTo(dot(query, blockRow, dim), within(eps));
              assertThat((double) blockDistances[i])
                  .as(where)
                  .isCloseTo(l2(query, blockRow, dim), within(eps));
            }
          }
        }
      }
    }
  }

  @Test
  void simdKernelsAgreeWithDoubleSumsForEveryDimension() {
    checkAgainstDoubles(new SimdKernels());
  }

  @Test
  void plainKernelsAgreeWithDoubleSumsForEveryDimension() {
    checkAgainstDoubles(new PlainKernels());
  }

  @Test
  void theBestKernelsAreSimdWhenTheModuleIsThere() {
    assertThat(VectorKernels.BEST.name()).startsWith("simd-");
  }

  @Test
  void withoutTheModuleTheProcessRunsOnPlainKernels() throws Exception {
    String java =
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    Process process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                PrintKernels.class.getName())
            .redirectErrorStream(true)
            .start();

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(output).isEqualTo("plain 25.0");
  }

  /// Run in a process of its own.
  static final class PrintKernels {
    public static void main(String[] args) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment v = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 3f, 4f);
        float dot = VectorKernels.BEST.dot(v.address(), v.address(), 2);
        System.out.println(VectorKernels.BEST.name() + " " + dot);
      }
    }
  }
}
