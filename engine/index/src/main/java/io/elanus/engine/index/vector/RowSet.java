package io.elanus.engine.index.vector;

import io.elanus.base.error.Invariant;

/// Rows of a segment that a search may return: bit `i & 63` of word `i >> 6`, 1 = may be returned.
/// Deleted and not yet visible rows are left out by whoever builds the set.
///
/// Immutable: nobody may write the words any more.
public final class RowSet {
  private final long[] words;
  private final int rows;
  private final int cardinality;

  private RowSet(long[] words, int rows, int cardinality) {
    this.words = words;
    this.rows = rows;
    this.cardinality = cardinality;
  }

  /// Takes over `words`, of which `rows` bits count; bits beyond `rows` must be 0.
  public static RowSet of(long[] words, int rows) {
    Invariant.check(words.length >= (rows + 63) >> 6, "%d words for %d rows", words.length, rows);
    Invariant.check(hasNoBitsFrom(words, rows), "bits beyond the %d rows", rows);
    int cardinality = 0;
    for (long word : words) {
      cardinality += Long.bitCount(word);
    }
    return new RowSet(words, rows, cardinality);
  }

  /// A bit too many would have a search read past the vectors.
  private static boolean hasNoBitsFrom(long[] words, int rows) {
    int last = rows >> 6;
    for (int i = last + 1; i < words.length; i++) {
      if (words[i] != 0) {
        return false;
      }
    }
    return last >= words.length || words[last] >>> (rows & 63) == 0;
  }

  /// All of `rows` rows.
  public static RowSet all(int rows) {
    long[] words = new long[(rows + 63) >> 6];
    java.util.Arrays.fill(words, -1L);
    if ((rows & 63) != 0) {
      words[words.length - 1] = (1L << (rows & 63)) - 1;
    }
    return new RowSet(words, rows, rows);
  }

  public boolean contains(int row) {
    return (words[row >> 6] >>> row & 1) != 0;
  }

  /// Rows in the set.
  public int cardinality() {
    return cardinality;
  }

  /// Rows of the segment.
  public int rows() {
    return rows;
  }

  public boolean isFull() {
    return cardinality == rows;
  }

  /// The live words, not to be written.
  public long[] words() {
    return words;
  }
}
