package io.elanus.role.query.reduce;

import io.elanus.base.column.PrimaryKeys;

/// The best hits of all queries one after another; hit `i` is row `rows[i]` of source `sources[i]`.
///
/// Immutable; arrays may not be written.
public record MergedHits(
    int[] counts, PrimaryKeys keys, float[] scores, int[] sources, int[] rows, long[] rowTs) {
  public int size() {
    return rows.length;
  }
}
