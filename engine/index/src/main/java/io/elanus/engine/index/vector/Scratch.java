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
  long[] pool = new long[128];
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

  /// An empty visited set over `n` nodes.
  void resetVisited(int n) {
    int words = (n + 63) >> 6;
    if (visited.length < words) {
      visited = new long[words];
    } else {
      Arrays.fill(visited, 0, words, 0);
    }
  }

  /// Room for `n` pool entries.
  void ensurePool(int n) {
    if (pool.length < n) {
      pool = new long[n];
    }
  }
}
