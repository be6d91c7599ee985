package io.elanus.engine.index.vector;

import io.elanus.base.column.Column;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.Invariant;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.MetricType;
import io.elanus.engine.index.vector.kernel.NativeMemory;
import io.elanus.engine.index.vector.kernel.RowMatrix;
import io.elanus.engine.index.vector.kernel.VectorKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The rows of a FLOAT_VECTOR column as the kernels want them, scored so that larger is better: the
/// inner product, the *negated* squared distance, or the cosine.
///
/// The metric is a branch per batch of rows, not a subclass: several indexes of different metrics
/// in one process then share compiled code without virtual calls.
///
/// Immutable.
final class VectorRows {
  private static final VectorKernels KERNELS = VectorKernels.BEST;

  private final Column column;
  private final MetricType metric;
  private final RowMatrix matrix;
  private final MemorySegment memory;
  private final @Nullable MemorySegment norms;
  private final long normsAddress;
  private final boolean isL2;

  private VectorRows(
      Column column,
      MetricType metric,
      RowMatrix matrix,
      MemorySegment memory,
      @Nullable MemorySegment norms) {
    this.column = column;
    this.metric = metric;
    this.matrix = matrix;
    this.memory = memory;
    this.norms = norms;
    this.normsAddress = norms == null ? 0 : norms.address();
    this.isL2 = metric == MetricType.L2;
  }

  /// Reads the column in place when it is native, copies it to native memory when it is on the
  /// heap. For COSINE the inverse norms are computed.
  static VectorRows of(Column column, MetricType metric) {
    VectorRows rows = of(column, metric, null);
    if (metric != MetricType.COSINE) {
      return rows;
    }
    MemorySegment norms = allocate(4L * column.rows());
    VectorKernels.inverseNorms(rows.matrix, 0, column.rows(), norms.address());
    return new VectorRows(column, metric, rows.matrix, rows.memory, norms);
  }

  /// As above with inverse norms that are known already (null unless COSINE).
  static VectorRows of(Column column, MetricType metric, @Nullable MemorySegment norms) {
    if (column.type() != DataType.FLOAT_VECTOR) {
      throw DbException.described(
          ErrorCode.UNIMPLEMENTED, "vector index over " + column.type().wireName());
    }
    Invariant.check(!column.hasNulls(), "vector column with nulls");
    Invariant.check(
        metric == MetricType.L2 || metric == MetricType.IP || metric == MetricType.COSINE,
        "metric %s over float vectors",
        metric);
    MemorySegment data = column.data();
    if (!data.isNative()) {
      MemorySegment copy = allocate(data.byteSize());
      MemorySegment.copy(data, 0, copy, 0, data.byteSize());
      data = copy;
    }
    long stride = 4L * column.dim();
    Invariant.check(
        data.byteSize() >= stride * column.rows(), "column of %d bytes", data.byteSize());
    RowMatrix matrix = new RowMatrix(data.address(), stride, column.dim(), column.rows());
    return new VectorRows(column, metric, matrix, data, norms);
  }

  /// Zeroed native memory that lives as long as something refers to it.
  static MemorySegment allocate(long sizeBytes) {
    return Arena.ofAuto().allocate(Math.max(64, sizeBytes), 64).asSlice(0, sizeBytes);
  }

  Column column() {
    return column;
  }

  MetricType metric() {
    return metric;
  }

  boolean isL2() {
    return isL2;
  }

  int dim() {
    return matrix.dim();
  }

  int count() {
    return matrix.rows();
  }

  RowMatrix matrix() {
    return matrix;
  }

  /// Inverse norms, one float a row; null unless COSINE.
  @Nullable MemorySegment norms() {
    return norms;
  }

  /// Keeps the memory behind the addresses alive up to this call; call it in a `finally`.
  @SuppressWarnings("ReachabilityFenceUsage") // The callers have the block.
  void keepAlive() {
    java.lang.ref.Reference.reachabilityFence(memory);
    java.lang.ref.Reference.reachabilityFence(norms);
    java.lang.ref.Reference.reachabilityFence(column);
  }

  /// A set over another number of rows would have a search read past the vectors.
  void checkFilter(@Nullable RowSet filter) {
    Invariant.check(
        filter == null || filter.rows() == matrix.rows(),
        "filter over another segment than that of %d rows",
        matrix.rows());
  }

  /// What every score of this query is multiplied with: its inverse norm for COSINE, else 1.
  float queryFactor(long query) {
    return norms == null ? 1 : VectorKernels.inverseNorm(KERNELS.dot(query, query, matrix.dim()));
  }

  /// [#queryFactor] of a row used as query.
  float rowFactor(int row) {
    return normsAddress == 0 ? 1 : NativeMemory.floatAt(normsAddress + 4L * row);
  }

  float similarity(long query, float factor, int row) {
    if (isL2) {
      return -KERNELS.squaredL2(query, matrix.addressOf(row), matrix.dim());
    }
    float dot = KERNELS.dot(query, matrix.addressOf(row), matrix.dim());
    return normsAddress == 0 ? dot : dot * factor * rowFactor(row);
  }

  /// Similarities of the rows `ids[0 .. count)`.
  void gather(long query, float factor, int[] ids, int count, float[] out) {
    if (isL2) {
      KERNELS.squaredL2Gather(query, matrix, ids, count, out);
      for (int i = 0; i < count; i++) {
        out[i] = -out[i];
      }
    } else {
      KERNELS.dotGather(query, matrix, ids, count, out);
      if (normsAddress != 0) {
        for (int i = 0; i < count; i++) {
          out[i] *= factor * rowFactor(ids[i]);
        }
      }
    }
  }

  /// Similarities of the rows `from .. from + count`.
  void block(long query, float factor, int from, int count, float[] out) {
    if (isL2) {
      KERNELS.squaredL2Block(query, matrix, from, count, out);
      for (int i = 0; i < count; i++) {
        out[i] = -out[i];
      }
    } else {
      KERNELS.dotBlock(query, matrix, from, count, out);
      if (normsAddress != 0) {
        for (int i = 0; i < count; i++) {
          out[i] *= factor * rowFactor(from + i);
        }
      }
    }
  }

  /// The wire's score of a similarity.
  float score(float similarity) {
    if (isL2) {
      return -similarity;
    }
    return normsAddress == 0 ? similarity : Math.clamp(similarity, -1f, 1f);
  }
}
