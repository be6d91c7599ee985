package io.elanus.engine.index.vector.kernel;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// One byte shuffle looks up 16 codes. Four looked-up bytes are added before anything is widened;
/// even and odd bytes are then summed apart in 16-bit lanes.
///
/// Thread-safe: stateless.
public final class SimdCodeKernels implements CodeKernels {
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_256;
  private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;

  private static ByteVector load(long address) {
    return ByteVector.fromMemorySegment(BYTES, NativeMemory.ALL, address, LE);
  }

  private static ByteVector low(ByteVector codes, byte[] table, int subspace) {
    return codes.and((byte) 15).selectFrom(ByteVector.fromArray(BYTES, table, 16 * subspace));
  }

  private static ByteVector high(ByteVector codes, byte[] table, int subspace) {
    ByteVector shifted =
        codes.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
    return low(shifted, table, subspace);
  }

  @Override
  public int scoreGroup(Group group, byte[] table, int floor, short[] out, int at) {
    long codes = group.codes();
    int subspaces = group.subspaces();
    ShortVector all = ShortVector.zero(SHORTS);
    ShortVector odd = all;
    for (int s = 0; s < subspaces; s += 4) {
      ByteVector a = load(codes + 8L * s);
      ByteVector b = load(codes + 8L * s + 16);
      ByteVector sum =
          low(a, table, s)
              .add(high(a, table, s + 1))
              .add(low(b, table, s + 2).add(high(b, table, s + 3)));
      ShortVector pairs = sum.reinterpretAsShorts();
      // `all` counts the odd byte 256-fold beside the even one; that part is taken out at the end.
      all = all.add(pairs);
      odd = odd.add(pairs.lanewise(VectorOperators.LSHR, 8));
    }
    ShortVector even = all.sub(odd.lanewise(VectorOperators.LSHL, 8));
    even.intoArray(out, at);
    odd.intoArray(out, at + 8);
    long lower = even.compare(VectorOperators.GT, (short) floor).toLong();
    long upper = odd.compare(VectorOperators.GT, (short) floor).toLong();
    return (int) (lower | upper << 8);
  }

  @Override
  public float terms(float[] query, float[] centroids, int subDim, boolean isL2, float[] terms) {
    FloatVector widest = FloatVector.zero(FLOATS);
    int end = query.length / subDim;
    for (int s = 0; s < end; s++) {
      FloatVector a = FloatVector.zero(FLOATS);
      FloatVector b = a;
      for (int x = s * subDim; x < (s + 1) * subDim; x++) {
        FloatVector q = FloatVector.broadcast(FLOATS, query[x]);
        FloatVector c = FloatVector.fromArray(FLOATS, centroids, 16 * x);
        FloatVector d = FloatVector.fromArray(FLOATS, centroids, 16 * x + 8);
        if (isL2) {
          c = q.sub(c);
          d = q.sub(d);
          a = a.sub(c.mul(c));
          b = b.sub(d.mul(d));
        } else {
          a = q.fma(c, a);
          b = q.fma(d, b);
        }
      }
      float low = a.min(b).reduceLanes(VectorOperators.MIN);
      a = a.sub(low);
      b = b.sub(low);
      widest = widest.max(a).max(b);
      a.intoArray(terms, 16 * s);
      b.intoArray(terms, 16 * s + 8);
    }
    return widest.reduceLanes(VectorOperators.MAX);
  }
}
