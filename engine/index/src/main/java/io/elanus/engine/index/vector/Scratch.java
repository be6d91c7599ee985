package io.elanus.engine.index.vector;

import java.util.Arrays;

/// What a search needs beside its result; grows to the largest search it has served.
///
/// Confined to the caller, from a [ScratchPool].
final class Scratch {
  final QueryBatch queries = new QueryBatch();
  int[] ids = new int[64];
  int[] moreIds = new int[64];
  float[] similarities = new float[64];
  long[] visited = new long[16];
  final SortedPool pool = new SortedPool();
  short[] codeScores = new short[0];
  byte[] codeTable = new byte[0];
  float[] codeTerms = new float[0];
  float[] codeQuery = new float[0];

  /// Only there so that reads made for their side effect on the cache have a use.
  long touched;

  final LongHeap candidates = new LongHeap();
  final TopK found = new TopK();

  /// Room for `n` rows scored at once.
  void ensureBatch(int n) {
    if (ids.length < n) {
      ids = new int[n];
      moreIds = new int[n];
      similarities = new float[n];
    }
  }

  /// Room for a table and a block's scores.
  void ensureCodes(NeighbourCodes codes) {
    if (codeTable.length < 16 * codes.subspaces) {
      codeTable = new byte[16 * codes.subspaces];
      codeTerms = new float[16 * codes.subspaces];
      codeQuery = new float[codes.subspaces * codes.subDim];
    }
    if (codeScores.length < codes.width()) {
      codeScores = new short[codes.width()];
    }
  }

  /// An empty visited set over `n` nodes.
  void resetVisited(int n) {
    int words = (n + 63) >> 6;
    if (visited.length < words) {
      visited = new long[words];
    } else {
      Arrays.fill(visited, 0, words, 0);
    }
  }
}
