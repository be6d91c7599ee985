package io.elanus.engine.index.vector;

import io.elanus.engine.index.vector.kernel.CodeKernels;
import io.elanus.engine.index.vector.kernel.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// One block a row: its links at level 0, followed by 4-bit codes of the rows they lead to. A step
/// of a walk reads one block in a stream instead of one vector a neighbour from all over memory.
///
/// A vector is cut into sub-spaces of `subDim` dimensions (the last ones padded with zeros); its
/// code in a sub-space is the nearest of 16 centroids.
///
/// | part | content |
/// | --- | --- |
/// | `blocks` | `rows × blockBytes`: `16 × groups` int32 links, -1 where there is none; then `groups` groups of codes, see [io.elanus.engine.index.vector.kernel.CodeKernels]; zeros up to a multiple of 64 |
/// | `codebooks` | `subspaces × subDim × 16` float32: coordinate `j` of centroid `k` of sub-space `s` at `(s × subDim + j) × 16 + k` |
///
/// Immutable.
final class NeighbourCodes {
  /// Dimensions below and above which codes are not worth it, or too coarse.
  static final int MIN_DIM = 32;

  static final int MAX_DIM = 2048;
  static final int MAX_ENTRY = 63;

  private static final int GROUP = 16;

  final int dim;
  final int subDim;
  final int subspaces;
  final int groups;
  final int blockBytes;
  final MemorySegment blocks;
  final MemorySegment codebooks;
  private final float[] centroids;
  private final long blocksAddress;

  NeighbourCodes(int dim, int subDim, int m, MemorySegment blocks, MemorySegment codebooks) {
    this.dim = dim;
    this.subDim = subDim;
    this.subspaces = subspaces(dim, subDim);
    this.groups = groups(m);
    this.blockBytes = blockBytes(dim, subDim, m);
    this.blocks = blocks;
    this.codebooks = codebooks;
    this.centroids = codebooks.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    this.blocksAddress = blocks.address();
  }

  static boolean fits(int dim) {
    return dim >= MIN_DIM && dim <= MAX_DIM;
  }

  /// Dimensions a sub-space. One each loses no recall at equal `ef`, but takes 17 bytes a dimension
  /// and row; where that is too much, codes are coarser and a search needs some more `ef`.
  static int subDimOf(int dim) {
    return dim <= 128 ? 1 : dim <= 512 ? 2 : 4;
  }

  /// Sub-spaces, padded to a multiple of 4.
  static int subspaces(int dim, int subDim) {
    int needed = (dim + subDim - 1) / subDim;
    return (needed + 3) / 4 * 4;
  }

  private static int groups(int m) {
    return (2 * m + GROUP - 1) / GROUP;
  }

  static int blockBytes(int dim, int subDim, int m) {
    int bytes = groups(m) * (4 * GROUP + 8 * subspaces(dim, subDim));
    return (bytes + 63) / 64 * 64;
  }

  static long codebookBytes(int dim, int subDim) {
    return 64L * subspaces(dim, subDim) * subDim;
  }

  /// Links a block has room for.
  int width() {
    return GROUP * groups;
  }

  long block(int row) {
    return blocksAddress + (long) blockBytes * row;
  }

  static int linkAt(long block, int i) {
    return NativeMemory.intAt(block + 4L * i);
  }

  /// Address of a group's codes.
  long codes(long block, int group) {
    return block + 4L * GROUP * groups + 8L * subspaces * group;
  }

  /// Fills the scratch's table with what each code of each sub-space adds to the similarity with
  /// the query, scaled so that the widest sub-space spans `0 .. MAX_ENTRY`.
  void fillTable(long query, boolean isL2, Scratch scratch) {
    float[] padded = scratch.codeQuery;
    NativeMemory.copyOut(query, padded, dim);
    float[] terms = scratch.codeTerms;
    float widest = CodeKernels.BEST.terms(padded, centroids, subDim, isL2, terms);
    float scale = MAX_ENTRY / Math.max(widest, Float.MIN_NORMAL);
    byte[] table = scratch.codeTable;
    for (int i = 0; i < 16 * subspaces; i++) {
      table[i] = (byte) (int) (terms[i] * scale + 0.5f);
    }
  }

  /// The code of a vector in a sub-space; `vector` is padded with zeros to `subspaces × subDim`.
  static int nearest(float[] centroids, float[] vector, int subspace, int subDim) {
    int best = 0;
    float least = Float.POSITIVE_INFINITY;
    for (int k = 0; k < 16; k++) {
      float distance = 0;
      for (int j = 0; j < subDim; j++) {
        int x = subspace * subDim + j;
        float d = vector[x] - centroids[16 * x + k];
        distance += d * d;
      }
      if (distance < least) {
        least = distance;
        best = k;
      }
    }
    return best;
  }
}
