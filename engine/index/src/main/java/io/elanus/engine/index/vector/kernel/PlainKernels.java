package io.elanus.engine.index.vector.kernel;

import static io.elanus.engine.index.vector.kernel.NativeMemory.floatAt;

/// The twin of [SimdKernels] without the incubator module: four sums side by side, because a single
/// chain of additions would wait for each one.
///
/// Thread-safe: stateless.
public final class PlainKernels implements VectorKernels {
  @Override
  public String name() {
    return "plain";
  }

  @Override
  public float dot(long a, long b, int dim) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int i = 0;
    for (; i + 4 <= dim; i += 4) {
      long p = 4L * i;
      s0 += floatAt(a + p) * floatAt(b + p);
      s1 += floatAt(a + p + 4) * floatAt(b + p + 4);
      s2 += floatAt(a + p + 8) * floatAt(b + p + 8);
      s3 += floatAt(a + p + 12) * floatAt(b + p + 12);
    }
    for (; i < dim; i++) {
      s0 += floatAt(a + 4L * i) * floatAt(b + 4L * i);
    }
    return (s0 + s1) + (s2 + s3);
  }

  @Override
  public float squaredL2(long a, long b, int dim) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int i = 0;
    for (; i + 4 <= dim; i += 4) {
      long p = 4L * i;
      float d0 = floatAt(a + p) - floatAt(b + p);
      float d1 = floatAt(a + p + 4) - floatAt(b + p + 4);
      float d2 = floatAt(a + p + 8) - floatAt(b + p + 8);
      float d3 = floatAt(a + p + 12) - floatAt(b + p + 12);
      s0 += d0 * d0;
      s1 += d1 * d1;
      s2 += d2 * d2;
      s3 += d3 * d3;
    }
    for (; i < dim; i++) {
      float d = floatAt(a + 4L * i) - floatAt(b + 4L * i);
      s0 += d * d;
    }
    return (s0 + s1) + (s2 + s3);
  }

  @Override
  public void dotGather(long query, RowMatrix rows, int[] ids, int count, float[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = dot(query, rows.addressOf(ids[i]), rows.dim());
    }
  }

  @Override
  public void squaredL2Gather(long query, RowMatrix rows, int[] ids, int count, float[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = squaredL2(query, rows.addressOf(ids[i]), rows.dim());
    }
  }

  @Override
  public void dotBlock(long query, RowMatrix rows, int from, int count, float[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = dot(query, rows.addressOf(from + i), rows.dim());
    }
  }

  @Override
  public void squaredL2Block(long query, RowMatrix rows, int from, int count, float[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = squaredL2(query, rows.addressOf(from + i), rows.dim());
    }
  }
}
