package io.elanus.wire.service;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.time.HybridTs;

/// Answers of one shard.
///
/// Immutable.
public sealed interface ReadReply {
  Cost cost();

  /// `readTs` at which the shard was read, microseconds of work, microseconds waited for the
  /// guarantee, reads in the shard's queue.
  record Cost(HybridTs readTs, long serviceUs, long waitUs, int queued) {}

  /// Hits of all queries one after another, best first within a query: query `i` has `counts[i]`.
  /// `fields` is aligned with `keys`. Keys are unique within a query. `searchedRows` counts visible
  /// rows.
  record Hits(
      int[] counts,
      PrimaryKeys keys,
      float[] scores,
      ColumnBatch fields,
      long searchedRows,
      Cost cost)
      implements ReadReply {}

  /// Rows ordered by primary key; keys are unique.
  record Rows(PrimaryKeys keys, ColumnBatch fields, Cost cost) implements ReadReply {}

  record Counted(long rows, Cost cost) implements ReadReply {}
}
