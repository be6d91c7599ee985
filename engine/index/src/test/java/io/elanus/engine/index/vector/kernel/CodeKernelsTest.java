package io.elanus.engine.index.vector.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CodeKernelsTest {
  private final SplittableRandom random = new SplittableRandom(5);

  @Test
  void bothFormsAddTheTableEntriesOfEachVector() {
    for (int subspaces : new int[] {4, 8, 52, 100, 512}) {
      try (Arena arena = Arena.ofConfined()) {
        byte[][] codes = new byte[16][subspaces];
        MemorySegment group = arena.allocate(8L * subspaces, 16);
        for (int v = 0; v < 16; v++) {
          for (int s = 0; s < subspaces; s++) {
            codes[v][s] = (byte) random.nextInt(16);
            long at = 8L * (s & ~1) + CodeKernels.laneOf(v);
            int shifted = codes[v][s] << (4 * (s & 1));
            int before = group.get(ValueLayout.JAVA_BYTE, at);
            group.set(ValueLayout.JAVA_BYTE, at, (byte) (before | shifted));
          }
        }
        byte[] table = new byte[16 * subspaces];
        for (int i = 0; i < table.length; i++) {
          table[i] = (byte) random.nextInt(64);
        }
        table[5] = 63;
        int floor = 30 * subspaces;

        for (CodeKernels kernels :
            new CodeKernels[] {new SimdCodeKernels(), new PlainCodeKernels()}) {
          short[] out = new short[20];
          CodeKernels.Group lanes = new CodeKernels.Group(group.address(), subspaces);
          int above = kernels.scoreGroup(lanes, table, floor, out, 2);
          for (int v = 0; v < 16; v++) {
            int sum = 0;
            for (int s = 0; s < subspaces; s++) {
              sum += table[16 * s + codes[v][s]];
            }
            assertThat(out[2 + v]).isEqualTo((short) sum);
            assertThat((above >> v & 1) == 1).isEqualTo(sum > floor);
          }
        }
      }
    }
  }

  @Test
  void sumsDoNotOverflowWhenEveryEntryIsTheLargest() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment group = arena.allocate(8L * 512, 16);
      byte[] table = new byte[16 * 512];
      java.util.Arrays.fill(table, (byte) 63);
      for (CodeKernels kernels :
          new CodeKernels[] {new SimdCodeKernels(), new PlainCodeKernels()}) {
        short[] out = new short[16];
        int above =
            kernels.scoreGroup(new CodeKernels.Group(group.address(), 512), table, -1, out, 0);
        assertThat(out).containsOnly((short) (63 * 512));
        assertThat(above).isEqualTo(0xFFFF);
      }
    }
  }

  @Test
  void bothFormsGiveTheSameTerms() {
    for (boolean isL2 : new boolean[] {true, false}) {
      for (int subDim : new int[] {1, 2, 4}) {
        int subspaces = 12;
        float[] query = new float[subspaces * subDim];
        float[] centroids = new float[16 * query.length];
        for (int i = 0; i < centroids.length; i++) {
          centroids[i] = random.nextFloat() - 0.5f;
        }
        for (int i = 0; i < query.length; i++) {
          query[i] = random.nextFloat() - 0.5f;
        }
        float[] simd = new float[16 * subspaces];
        float[] plain = new float[16 * subspaces];
        float a = new SimdCodeKernels().terms(query, centroids, subDim, isL2, simd);
        float b = new PlainCodeKernels().terms(query, centroids, subDim, isL2, plain);

        assertThat(a).isCloseTo(b, within(1e-5f));
        for (int s = 0; s < subspaces; s++) {
          float low = Float.POSITIVE_INFINITY;
          for (int k = 0; k < 16; k++) {
            assertThat(simd[16 * s + k]).isCloseTo(plain[16 * s + k], within(1e-5f));
            low = Math.min(low, simd[16 * s + k]);
          }
          assertThat(low).isZero();
        }
      }
    }
  }
}
