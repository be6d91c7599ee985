package io.elanus.role.query.reduce;

import io.elanus.base.column.PrimaryKeys;

/// Hits of one segment, or of one node, for each query: best first, equal scores in any order.
///
/// Confined to the caller.
public interface HitSource {
  /// Hits for query `query`.
  int count(int query);

  float scoreAt(int query, int rank);

  /// The primary keys of the hits for a query, by rank.
  PrimaryKeys keysOf(int query);

  /// The insert timestamp of a hit.
  long rowTsAt(int query, int rank);

  /// What locates the hit within the source.
  int rowAt(int query, int rank);
}
