package io.elanus.engine.index.vector.kernel;

import java.lang.foreign.ValueLayout;

/// The twin of [SimdCodeKernels] without the incubator module.
///
/// Thread-safe: stateless.
public final class PlainCodeKernels implements CodeKernels {
  @Override
  public int scoreGroup(Group group, byte[] table, int floor, short[] out, int at) {
    for (int v = 0; v < 16; v++) {
      out[at + v] = 0;
    }
    for (int s = 0; s < group.subspaces(); s += 2) {
      long row = group.codes() + 8L * s;
      for (int v = 0; v < 16; v++) {
        int code = NativeMemory.ALL.get(ValueLayout.JAVA_BYTE, row + CodeKernels.laneOf(v));
        int sum = table[16 * s + (code & 15)] + table[16 * s + 16 + (code >> 4 & 15)];
        out[at + v] += (short) sum;
      }
    }
    int above = 0;
    for (int v = 0; v < 16; v++) {
      above |= out[at + v] > floor ? 1 << v : 0;
    }
    return above;
  }

  @Override
  public float terms(float[] query, float[] centroids, int subDim, boolean isL2, float[] terms) {
    float widest = 0;
    for (int s = 0; s * subDim < query.length; s++) {
      int at = 16 * s;
      java.util.Arrays.fill(terms, at, at + 16, 0);
      for (int x = s * subDim; x < (s + 1) * subDim; x++) {
        for (int k = 0; k < 16; k++) {
          float c = centroids[16 * x + k];
          float d = query[x] - c;
          terms[at + k] += isL2 ? -d * d : query[x] * c;
        }
      }
      float low = Float.POSITIVE_INFINITY;
      for (int k = 0; k < 16; k++) {
        low = Math.min(low, terms[at + k]);
      }
      for (int k = 0; k < 16; k++) {
        terms[at + k] -= low;
        widest = Math.max(widest, terms[at + k]);
      }
    }
    return widest;
  }
}
