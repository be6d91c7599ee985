package io.elanus.engine.index.vector.kernel;

import static io.elanus.engine.index.vector.kernel.NativeMemory.floatAt;

import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Kernels on the Vector API. Four rows share each load of the query, which also keeps four cache
/// misses in flight.
///
/// A dimension that is no multiple of the lane count ends with one load of the *last* full vector
/// of the row; the lanes that were counted already are masked away. Vectors shorter than one
/// register are summed one by one.
///
/// Thread-safe: stateless.
public final class SimdKernels implements VectorKernels {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> SI = IntVector.SPECIES_PREFERRED;
  private static final int LANES = S.length();
  private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;

  /// At `r × LANES`: a mask whose last `r` lanes are set.
  private static final int[] TAIL_MASKS = tailMasks();

  private static int[] tailMasks() {
    int[] masks = new int[LANES * LANES];
    for (int r = 0; r < LANES; r++) {
      for (int lane = LANES - r; lane < LANES; lane++) {
        masks[r * LANES + lane] = -1;
      }
    }
    return masks;
  }

  static int lanes() {
    return LANES;
  }

  @Override
  public String name() {
    return "simd-" + LANES;
  }

  private static FloatVector load(long address) {
    return FloatVector.fromMemorySegment(S, NativeMemory.ALL, address, LE);
  }

  private static FloatVector keepLast(FloatVector vector, int count) {
    return masked(vector, tailMask(count));
  }

  private static IntVector tailMask(int count) {
    return IntVector.fromArray(SI, TAIL_MASKS, count * LANES);
  }

  private static FloatVector masked(FloatVector vector, IntVector mask) {
    return vector.reinterpretAsInts().and(mask).reinterpretAsFloats();
  }

  private static float sum(FloatVector vector) {
    return vector.reduceLanes(VectorOperators.ADD);
  }

  @Override
  public float dot(long a, long b, int dim) {
    if (dim < LANES) {
      return shortDot(a, b, dim);
    }
    FloatVector s0 = FloatVector.zero(S);
    FloatVector s1 = s0;
    int main = S.loopBound(dim);
    int i = 0;
    for (; i + 2 * LANES <= main; i += 2 * LANES) {
      long p = 4L * i;
      s0 = load(a + p).fma(load(b + p), s0);
      s1 = load(a + p + 4L * LANES).fma(load(b + p + 4L * LANES), s1);
    }
    if (i < main) {
      s0 = load(a + 4L * i).fma(load(b + 4L * i), s0);
    }
    if (main < dim) {
      long p = 4L * (dim - LANES);
      s1 = keepLast(load(a + p), dim - main).fma(load(b + p), s1);
    }
    return sum(s0.add(s1));
  }

  @Override
  public float squaredL2(long a, long b, int dim) {
    if (dim < LANES) {
      return shortL2(a, b, dim);
    }
    FloatVector s0 = FloatVector.zero(S);
    FloatVector s1 = s0;
    int main = S.loopBound(dim);
    int i = 0;
    for (; i + 2 * LANES <= main; i += 2 * LANES) {
      long p = 4L * i;
      FloatVector d0 = load(a + p).sub(load(b + p));
      FloatVector d1 = load(a + p + 4L * LANES).sub(load(b + p + 4L * LANES));
      s0 = d0.fma(d0, s0);
      s1 = d1.fma(d1, s1);
    }
    if (i < main) {
      FloatVector d = load(a + 4L * i).sub(load(b + 4L * i));
      s0 = d.fma(d, s0);
    }
    if (main < dim) {
      long p = 4L * (dim - LANES);
      FloatVector d = keepLast(load(a + p).sub(load(b + p)), dim - main);
      s1 = d.fma(d, s1);
    }
    return sum(s0.add(s1));
  }

  private static float shortDot(long a, long b, int dim) {
    float total = 0;
    for (int i = 0; i < dim; i++) {
      total += floatAt(a + 4L * i) * floatAt(b + 4L * i);
    }
    return total;
  }

  private static float shortL2(long a, long b, int dim) {
    float total = 0;
    for (int i = 0; i < dim; i++) {
      float d = floatAt(a + 4L * i) - floatAt(b + 4L * i);
      total += d * d;
    }
    return total;
  }

  /// Four inner products into `out[at .. at + 4)`; the addresses `r0` to `r3` may repeat.
  private static void dot4(
      long q, long r0, long r1, long r2, long r3, int dim, float[] out, int at) {
    FloatVector s0 = FloatVector.zero(S);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int main = S.loopBound(dim);
    for (int i = 0; i < main; i += LANES) {
      long p = 4L * i;
      FloatVector v = load(q + p);
      s0 = v.fma(load(r0 + p), s0);
      s1 = v.fma(load(r1 + p), s1);
      s2 = v.fma(load(r2 + p), s2);
      s3 = v.fma(load(r3 + p), s3);
    }
    if (main < dim) {
      long p = 4L * (dim - LANES);
      FloatVector v = keepLast(load(q + p), dim - main);
      s0 = v.fma(load(r0 + p), s0);
      s1 = v.fma(load(r1 + p), s1);
      s2 = v.fma(load(r2 + p), s2);
      s3 = v.fma(load(r3 + p), s3);
    }
    out[at] = sum(s0);
    out[at + 1] = sum(s1);
    out[at + 2] = sum(s2);
    out[at + 3] = sum(s3);
  }

  /// Eight inner products, of the rows `ids[at .. at + 8)`: enough independent sums to hide the
  /// latency of multiply-add when the rows are in cache.
  private static void dot8(
      long q, long base, long stride, int dim, int[] ids, float[] out, int at) {
    long r0 = base + ids[at] * stride;
    long r1 = base + ids[at + 1] * stride;
    long r2 = base + ids[at + 2] * stride;
    long r3 = base + ids[at + 3] * stride;
    long r4 = base + ids[at + 4] * stride;
    long r5 = base + ids[at + 5] * stride;
    long r6 = base + ids[at + 6] * stride;
    long r7 = base + ids[at + 7] * stride;
    FloatVector s0 = FloatVector.zero(S);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    int main = S.loopBound(dim);
    for (int i = 0; i < main; i += LANES) {
      long p = 4L * i;
      FloatVector v = load(q + p);
      s0 = v.fma(load(r0 + p), s0);
      s1 = v.fma(load(r1 + p), s1);
      s2 = v.fma(load(r2 + p), s2);
      s3 = v.fma(load(r3 + p), s3);
      s4 = v.fma(load(r4 + p), s4);
      s5 = v.fma(load(r5 + p), s5);
      s6 = v.fma(load(r6 + p), s6);
      s7 = v.fma(load(r7 + p), s7);
    }
    if (main < dim) {
      long p = 4L * (dim - LANES);
      FloatVector v = keepLast(load(q + p), dim - main);
      s0 = v.fma(load(r0 + p), s0);
      s1 = v.fma(load(r1 + p), s1);
      s2 = v.fma(load(r2 + p), s2);
      s3 = v.fma(load(r3 + p), s3);
      s4 = v.fma(load(r4 + p), s4);
      s5 = v.fma(load(r5 + p), s5);
      s6 = v.fma(load(r6 + p), s6);
      s7 = v.fma(load(r7 + p), s7);
    }
    out[at] = sum(s0);
    out[at + 1] = sum(s1);
    out[at + 2] = sum(s2);
    out[at + 3] = sum(s3);
    out[at + 4] = sum(s4);
    out[at + 5] = sum(s5);
    out[at + 6] = sum(s6);
    out[at + 7] = sum(s7);
  }

  /// As [#dot4] for squared distances.
  private static void l24(
      long q, long r0, long r1, long r2, long r3, int dim, float[] out, int at) {
    FloatVector s0 = FloatVector.zero(S);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int main = S.loopBound(dim);
    for (int i = 0; i < main; i += LANES) {
      long p = 4L * i;
      FloatVector v = load(q + p);
      FloatVector d0 = v.sub(load(r0 + p));
      s0 = d0.fma(d0, s0);
      FloatVector d1 = v.sub(load(r1 + p));
      s1 = d1.fma(d1, s1);
      FloatVector d2 = v.sub(load(r2 + p));
      s2 = d2.fma(d2, s2);
      FloatVector d3 = v.sub(load(r3 + p));
      s3 = d3.fma(d3, s3);
    }
    if (main < dim) {
      long p = 4L * (dim - LANES);
      IntVector mask = tailMask(dim - main);
      FloatVector v = load(q + p);
      FloatVector d0 = masked(v.sub(load(r0 + p)), mask);
      s0 = d0.fma(d0, s0);
      FloatVector d1 = masked(v.sub(load(r1 + p)), mask);
      s1 = d1.fma(d1, s1);
      FloatVector d2 = masked(v.sub(load(r2 + p)), mask);
      s2 = d2.fma(d2, s2);
      FloatVector d3 = masked(v.sub(load(r3 + p)), mask);
      s3 = d3.fma(d3, s3);
    }
    out[at] = sum(s0);
    out[at + 1] = sum(s1);
    out[at + 2] = sum(s2);
    out[at + 3] = sum(s3);
  }

  @Override
  public void dotGather(long query, RowMatrix rows, int[] ids, int count, float[] out) {
    long base = rows.address();
    long stride = rows.strideBytes();
    int dim = rows.dim();
    int i = 0;
    if (dim >= LANES) {
      for (; i + 8 <= count; i += 8) {
        dot8(query, base, stride, dim, ids, out, i);
      }
      if (i + 4 <= count) {
        long r0 = base + ids[i] * stride;
        long r1 = base + ids[i + 1] * stride;
        long r2 = base + ids[i + 2] * stride;
        long r3 = base + ids[i + 3] * stride;
        dot4(query, r0, r1, r2, r3, dim, out, i);
        i += 4;
      }
      if (i + 2 <= count && i + 4 <= out.length) {
        // Two or three rows cost no more than four, of which the last repeats.
        long r0 = base + ids[i] * stride;
        long r1 = base + ids[i + 1] * stride;
        long r2 = base + ids[count - 1] * stride;
        dot4(query, r0, r1, r2, r2, dim, out, i);
        return;
      }
    }
    for (; i < count; i++) {
      out[i] = dot(query, base + ids[i] * stride, dim);
    }
  }

  @Override
  public void squaredL2Gather(long query, RowMatrix rows, int[] ids, int count, float[] out) {
    long base = rows.address();
    long stride = rows.strideBytes();
    int dim = rows.dim();
    int i = 0;
    if (dim >= LANES) {
      // Not eight at once as for inner products: the differences would not fit the registers.
      for (; i + 4 <= count; i += 4) {
        long r0 = base + ids[i] * stride;
        long r1 = base + ids[i + 1] * stride;
        long r2 = base + ids[i + 2] * stride;
        long r3 = base + ids[i + 3] * stride;
        l24(query, r0, r1, r2, r3, dim, out, i);
      }
      if (i + 2 <= count && i + 4 <= out.length) {
        // Two or three rows cost no more than four, of which the last repeats.
        long r0 = base + ids[i] * stride;
        long r1 = base + ids[i + 1] * stride;
        long r2 = base + ids[count - 1] * stride;
        l24(query, r0, r1, r2, r2, dim, out, i);
        return;
      }
    }
    for (; i < count; i++) {
      out[i] = squaredL2(query, base + ids[i] * stride, dim);
    }
  }

  @Override
  public void dotBlock(long query, RowMatrix rows, int from, int count, float[] out) {
    long stride = rows.strideBytes();
    int dim = rows.dim();
    long row = rows.addressOf(from);
    int i = 0;
    if (dim >= LANES) {
      for (; i + 4 <= count; i += 4, row += 4 * stride) {
        dot4(query, row, row + stride, row + 2 * stride, row + 3 * stride, dim, out, i);
      }
    }
    for (; i < count; i++, row += stride) {
      out[i] = dot(query, row, dim);
    }
  }

  @Override
  public void squaredL2Block(long query, RowMatrix rows, int from, int count, float[] out) {
    long stride = rows.strideBytes();
    int dim = rows.dim();
    long row = rows.addressOf(from);
    int i = 0;
    if (dim >= LANES) {
      for (; i + 4 <= count; i += 4, row += 4 * stride) {
        l24(query, row, row + stride, row + 2 * stride, row + 3 * stride, dim, out, i);
      }
    }
    for (; i < count; i++, row += stride) {
      out[i] = squaredL2(query, row, dim);
    }
  }
}
