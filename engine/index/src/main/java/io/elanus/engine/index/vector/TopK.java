package io.elanus.engine.index.vector;

import io.elanus.base.schema.MetricType;
import java.util.Arrays;

/// The best `k` rows seen so far, with their scores; equal scores are ordered by lower row.
/// Reusable.
///
/// Each hit is one `long`: the score as order-preserving bits above the row, so that the smallest
/// key is the best hit. Until [#finish] the keys form a heap with the worst on top.
///
/// Confined to the caller.
public final class TopK {
  /// Takes nothing.
  static final TopK NONE = new TopK();

  private long[] keys;
  private int k;
  private int size;
  private boolean largerIsBetter;

  public TopK() {
    keys = new long[16];
  }

  /// Forgets everything and takes up to `k` hits from now on.
  public void reset(int newK, MetricType metric) {
    k = newK;
    size = 0;
    largerIsBetter = metric.isLargerBetter();
  }

  /// Offers a hit in the metric's own score.
  public void offer(int row, float score) {
    offerKey(key(row, score));
  }

  private long key(int row, float score) {
    int bits = orderedBits(score);
    return (long) (largerIsBetter ? ~bits : bits) << 32 | row;
  }

  /// Bits that compare like the float; both zeros are one value.
  static int orderedBits(float value) {
    int bits = Float.floatToRawIntBits(value + 0.0f);
    return bits ^ ((bits >> 31) & 0x7FFFFFFF);
  }

  /// The inverse of [#orderedBits].
  static float ofOrderedBits(int bits) {
    return Float.intBitsToFloat(bits ^ ((bits >> 31) & 0x7FFFFFFF));
  }

  private void offerKey(long key) {
    if (size < k) {
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, Math.min(2 * size, Math.max(k, 16)));
      }
      siftUp(key);
    } else if (k > 0 && key < keys[0]) {
      siftDown(key);
    }
  }

  private void siftUp(long key) {
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >> 1;
      if (keys[parent] >= key) {
        break;
      }
      keys[at] = keys[parent];
      at = parent;
    }
    keys[at] = key;
  }

  private void siftDown(long key) {
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && keys[child + 1] > keys[child]) {
        child++;
      }
      if (keys[child] <= key) {
        break;
      }
      keys[at] = keys[child];
      at = child;
    }
    keys[at] = key;
  }

  /// True when only a better hit than [#worstScore] (or an equal one of a lower row) can enter.
  boolean isFull() {
    return size == k;
  }

  /// Score of the worst hit while the keys are a heap, i.e. before [#finish].
  float worstScore() {
    return size == 0 ? Float.NaN : scoreAt(0);
  }

  /// Puts the hits in order, best first. Offering ends here.
  public void finish() {
    Arrays.sort(keys, 0, size);
  }

  public int size() {
    return size;
  }

  /// Row of the hit at `index`; in order of rank after [#finish].
  public int rowAt(int index) {
    return (int) keys[index];
  }

  /// Score of the hit at `index`, as the wire wants it.
  public float scoreAt(int index) {
    int bits = (int) (keys[index] >> 32);
    return ofOrderedBits(largerIsBetter ? ~bits : bits);
  }
}
