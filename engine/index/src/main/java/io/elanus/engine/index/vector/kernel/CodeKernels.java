package io.elanus.engine.index.vector.kernel;

/// Scores 16 coded vectors at a time by table look-up.
///
/// A *group* is 16 vectors of `subspaces` 4-bit codes each. Its bytes come in rows of 16: row `p`
/// holds for lane `i` the code of sub-space `2p` in the low and of sub-space `2p + 1` in the high
/// four bits. Lane order: vector `v < 8` is in byte `2v`, vector `v >= 8` in byte `2(v - 8) + 1`,
/// because the SIMD form ends with even and odd bytes apart.
///
/// The table has 16 bytes a sub-space, entries of at most 63: four of them add up within a byte.
/// `subspaces` is a multiple of 4 and at most 512, so sums fit a `short`.
///
/// Thread-safe: stateless.
public sealed interface CodeKernels permits SimdCodeKernels, PlainCodeKernels {
  /// The fastest form of this process, chosen like [VectorKernels#BEST].
  CodeKernels BEST = KernelChoice.bestCodes();

  /// Sum of the table entries of each of the 16 vectors of the group at `codes`, into `out[at .. at
  /// + 16)`, in the order of the vectors. Bit `v` of the answer says whether vector `v` scored more
  ///   than `floor`.
  int scoreGroup(Group group, byte[] table, int floor, short[] out, int at);

  /// What each of 16 centroids of a sub-space adds to the similarity with a query, less the
  /// smallest of them, into `terms[16 s .. 16 s + 16)` for every sub-space `s`; answers the largest
  /// entry.
  ///
  /// `query` holds `subspaces × subDim` floats, zeros behind the last dimension; coordinate `j` of
  /// centroid `k` of `s` is `centroids[(s × subDim + j) × 16 + k]`. With `isL2` a coordinate adds
  /// `-(q - c)²`, else `q × c`.
  float terms(float[] query, float[] centroids, int subDim, boolean isL2, float[] terms);

  /// Where a group lies and how many sub-spaces it has. Made for one call; does not outlive it.
  record Group(long codes, int subspaces) {}

  /// Where in a row of 16 bytes the code of vector `v` of a group lies.
  static int laneOf(int v) {
    return v < 8 ? 2 * v : 2 * (v - 8) + 1;
  }
}
