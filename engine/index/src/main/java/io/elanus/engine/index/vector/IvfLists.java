package io.elanus.engine.index.vector;

import io.elanus.base.schema.MetricType;
import io.elanus.engine.index.vector.kernel.NativeMemory;
import io.elanus.engine.index.vector.kernel.RowMatrix;
import io.elanus.engine.index.vector.kernel.VectorKernels;
import java.lang.foreign.MemorySegment;

/// Rows grouped by their nearest centroid, in native or mapped memory.
///
/// | part | content |
/// | --- | --- |
/// | `centroids` | `nlist × dim` float32; unit length for COSINE |
/// | `starts` | `nlist + 1` int32: list `i` is `rowIds[starts[i] .. starts[i + 1])` |
/// | `rowIds` | `rows` int32, ascending within a list |
/// | `vectors` | `rows × dim` float32: the row at each position of `rowIds`; unit length for COSINE |
///
/// The vectors are stored once more because a list has to be read in one stream: gathering its rows
/// from the column, which keeps them in insertion order, took twice the time. Scans of the lists
/// leave the column's memory untouched, so of a mapped segment only one copy becomes resident.
///
/// Immutable.
final class IvfLists {
  /// The engine whose contract is followed asks for as many rows a list at least.
  private static final int MIN_ROWS_A_LIST = 39;

  final int nlist;
  final MemorySegment centroids;
  final MemorySegment starts;
  final MemorySegment rowIds;
  final MemorySegment vectors;
  final RowMatrix matrix;
  private final RowMatrix listed;
  private final boolean isL2;
  private final long startsAddress;
  private final long rowIdsAddress;

  /// `parts` are the four parts in the order of the table.
  IvfLists(MetricType metric, int nlist, int dim, MemorySegment[] parts) {
    this.nlist = nlist;
    centroids = parts[0];
    starts = parts[1];
    rowIds = parts[2];
    vectors = parts[3];
    isL2 = metric == MetricType.L2;
    matrix = new RowMatrix(centroids.address(), 4L * dim, dim, nlist);
    int rows = (int) (rowIds.byteSize() / 4);
    listed = new RowMatrix(vectors.address(), 4L * dim, dim, rows);
    startsAddress = starts.address();
    rowIdsAddress = rowIds.address();
  }

  /// Lists really made when a user asks for `nlist` over so few rows.
  static int effectiveNlist(int nlist, int rows) {
    return Math.clamp(rows / MIN_ROWS_A_LIST, 1, nlist);
  }

  int start(int list) {
    return NativeMemory.intAt(startsAddress + 4L * list);
  }

  int rowIdAt(int position) {
    return NativeMemory.intAt(rowIdsAddress + 4L * position);
  }

  long sizeBytes() {
    return centroids.byteSize() + starts.byteSize() + rowIds.byteSize() + vectors.byteSize();
  }

  /// How near each centroid is to the query, larger is nearer, for the order of probing.
  void rank(long query, float[] out) {
    if (isL2) {
      VectorKernels.BEST.squaredL2Block(query, matrix, 0, nlist, out);
      for (int i = 0; i < nlist; i++) {
        out[i] = -out[i];
      }
    } else {
      VectorKernels.BEST.dotBlock(query, matrix, 0, nlist, out);
    }
  }

  /// Similarities (see [VectorRows]) of the positions `from .. from + count`.
  void block(long query, float factor, int from, int count, float[] out) {
    if (isL2) {
      VectorKernels.BEST.squaredL2Block(query, listed, from, count, out);
    } else {
      VectorKernels.BEST.dotBlock(query, listed, from, count, out);
    }
    scale(factor, count, out);
  }

  /// Similarities of the positions `positions[0 .. count)`.
  void gather(long query, float factor, int[] positions, int count, float[] out) {
    if (isL2) {
      VectorKernels.BEST.squaredL2Gather(query, listed, positions, count, out);
    } else {
      VectorKernels.BEST.dotGather(query, listed, positions, count, out);
    }
    scale(factor, count, out);
  }

  private void scale(float factor, int count, float[] out) {
    float by = isL2 ? -1 : factor;
    for (int i = 0; i < count; i++) {
      out[i] *= by;
    }
  }
}
