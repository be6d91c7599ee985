package io.elanus.engine.segment;

import io.elanus.engine.index.vector.RowSet;
import org.jspecify.annotations.Nullable;

/// Rows of a segment that a read may see: all below a bound, a set, or a short ascending list.
///
/// Immutable; arrays may not be written.
public final class Selection {
  private final int bound;
  private final @Nullable RowSet set;
  private final int @Nullable [] list;

  private Selection(int bound, @Nullable RowSet set, int @Nullable [] list) {
    this.bound = bound;
    this.set = set;
    this.list = list;
  }

  static Selection all(int bound) {
    return new Selection(bound, null, null);
  }

  static Selection of(RowSet set) {
    return set.isFull() ? all(set.rows()) : new Selection(set.rows(), set, null);
  }

  static Selection ofList(int bound, int[] ascending) {
    return new Selection(bound, null, ascending);
  }

  /// Every selected row is below this.
  public int bound() {
    return bound;
  }

  public boolean isAll() {
    return set == null && list == null;
  }

  public boolean isEmpty() {
    return cardinality() == 0;
  }

  /// How many rows are selected.
  public int cardinality() {
    if (list != null) {
      return list.length;
    }
    return set == null ? bound : set.cardinality();
  }

  /// The selection as a set; null when it is everything below the bound.
  @Nullable RowSet asSet() {
    if (list == null) {
      return set;
    }
    long[] words = new long[(bound + 63) >> 6];
    for (int row : list) {
      words[row >> 6] |= 1L << row;
    }
    return RowSet.of(words, bound);
  }

  boolean contains(int row) {
    if (list != null) {
      return java.util.Arrays.binarySearch(list, row) >= 0;
    }
    return row < bound && (set == null || set.contains(row));
  }

  /// The selected rows, ascending.
  public int[] toRows() {
    if (list != null) {
      return list;
    }
    int[] rows = new int[cardinality()];
    if (set == null) {
      for (int i = 0; i < rows.length; i++) {
        rows[i] = i;
      }
      return rows;
    }
    int n = 0;
    long[] words = set.words();
    for (int w = 0; w < words.length; w++) {
      long bits = words[w];
      while (bits != 0) {
        rows[n++] = (w << 6) + Long.numberOfTrailingZeros(bits);
        bits &= bits - 1;
      }
    }
    return rows;
  }
}
