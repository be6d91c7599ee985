package io.elanus.engine.index.vector;

/// The best keys of a walk, smallest (best) first, at most `limit` of them.
///
/// Confined to the caller.
final class SortedPool {
  long[] keys = new long[128];
  int size;
  private int limit;

  /// Holds one key from now on, up to `newLimit` later.
  void start(long key, int newLimit) {
    limit = newLimit;
    if (keys.length <= newLimit) {
      keys = new long[newLimit + 1];
    }
    keys[0] = key;
    size = 1;
  }

  boolean isFull() {
    return size == limit;
  }

  /// The worst key.
  long last() {
    return keys[size - 1];
  }

  /// Puts `key` in its place and says where that is; the worst key falls out of a full pool. The
  /// caller has made sure that `key` isn't worse than all of a full pool.
  int insert(long key) {
    int low = 0;
    int length = size;
    while (length > 1) {
      int half = length >>> 1;
      low += keys[low + half - 1] < key ? half : 0;
      length -= half;
    }
    if (size > 0 && keys[low] < key) {
      low++;
    }
    int moved = (size < limit ? size : limit - 1) - low;
    if (moved > 0) {
      System.arraycopy(keys, low, keys, low + 1, moved);
    }
    keys[low] = key;
    if (size < limit) {
      size++;
    }
    return low;
  }
}
