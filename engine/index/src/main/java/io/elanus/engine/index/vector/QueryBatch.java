package io.elanus.engine.index.vector;

import io.elanus.base.error.Invariant;
import io.elanus.engine.index.vector.kernel.NativeMemory;
import java.lang.foreign.MemorySegment;

/// Queries copied to native memory, each with its score factor and its result.
///
/// Confined to the caller.
final class QueryBatch {
  private MemorySegment memory = MemorySegment.NULL;
  private float[] factors = new float[1];
  private TopK[] outs = {TopK.NONE};
  private int count;
  private int dim;

  /// One query.
  void set(VectorRows rows, float[] query, int queryOffset, TopK out) {
    prepare(rows, 1);
    put(0, rows, query, queryOffset, out);
  }

  /// Queries `from .. from + n` of a row-major matrix.
  void set(VectorRows rows, float[] queries, int from, int n, TopK[] results) {
    prepare(rows, n);
    for (int i = 0; i < n; i++) {
      put(i, rows, queries, (from + i) * dim, results[from + i]);
    }
  }

  private void prepare(VectorRows rows, int n) {
    dim = rows.dim();
    count = n;
    long need = 4L * dim * n;
    if (memory.byteSize() < need) {
      memory = VectorRows.allocate(need);
    }
    if (factors.length < n) {
      factors = new float[n];
      outs = new TopK[n];
      java.util.Arrays.fill(outs, TopK.NONE);
    }
  }

  private void put(int i, VectorRows rows, float[] query, int offset, TopK out) {
    Invariant.check(offset + dim <= query.length, "query of %d floats", query.length - offset);
    NativeMemory.copy(query, offset, address(i), dim);
    factors[i] = rows.queryFactor(address(i));
    outs[i] = out;
  }

  int count() {
    return count;
  }

  long address(int i) {
    return memory.address() + 4L * dim * i;
  }

  float factor(int i) {
    return factors[i];
  }

  TopK out(int i) {
    return outs[i];
  }

  /// Lets go of the results. Queries are valid up to this call, which keeps their memory reachable.
  void clear() {
    try {
      java.util.Arrays.fill(outs, 0, count, TopK.NONE);
    } finally {
      java.lang.ref.Reference.reachabilityFence(memory);
    }
  }
}
