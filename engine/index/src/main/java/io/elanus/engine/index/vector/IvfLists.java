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
///
/// Immutable.
final class IvfLists {
  /// The engine whose contract is followed asks for as many rows a list at least.
  private static final int MIN_ROWS_A_LIST = 39;

  final int nlist;
  final MemorySegment centroids;
  final MemorySegment starts;
  final MemorySegment rowIds;
  final RowMatrix matrix;
  private final long startsAddress;
  private final long rowIdsAddress;

  IvfLists(int nlist, int dim, MemorySegment[] parts) {
    this.nlist = nlist;
    centroids = parts[0];
    starts = parts[1];
    rowIds = parts[2];
    matrix = new RowMatrix(centroids.address(), 4L * dim, dim, nlist);
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
    return centroids.byteSize() + starts.byteSize() + rowIds.byteSize();
  }

  /// How near each centroid is to the query, larger is nearer, for the order of probing.
  void rank(MetricType metric, long query, float[] out) {
    if (metric == MetricType.L2) {
      VectorKernels.BEST.squaredL2Block(query, matrix, 0, nlist, out);
      for (int i = 0; i < nlist; i++) {
        out[i] = -out[i];
      }
    } else {
      VectorKernels.BEST.dotBlock(query, matrix, 0, nlist, out);
    }
  }
}
