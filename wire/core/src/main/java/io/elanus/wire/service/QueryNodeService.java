package io.elanus.wire.service;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Sealed segments loaded on a QueryNode.
///
/// Thread-safe.
public interface QueryNodeService {
  /// Loads a segment from the object store (memory-mapped), with the deletes of the delta logs
  /// given; loading it again with more indexes swaps them in. 604 when a file is missing, damaged
  /// or of a newer version; the message names the object.
  CompletableFuture<SegmentLoaded> load(CallContext context, LoadSegment request);

  CompletableFuture<Done> release(CallContext context, ReleaseSegments request);

  /// Marks keys as deleted at their timestamps in the segments given. Answers when every later read
  /// sees them. Idempotent.
  CompletableFuture<Done> applyDeletes(CallContext context, ApplyDeletes request);

  /// Searches some segments at `readTs`. 601 when one is not loaded here.
  CompletableFuture<SegmentHits> search(CallContext context, SearchSegments request);

  CompletableFuture<SegmentRows> query(CallContext context, QuerySegments request);

  /// Output fields of single rows, in the order asked for.
  CompletableFuture<FetchedRows> fetch(CallContext context, FetchRows request);

  record LoadSegment(
      SegmentMeta segment,
      CollectionMeta collection,
      List<IndexMeta> indexes,
      List<DeltaLogMeta> deltas) {}

  record SegmentLoaded(SegmentId segment, long rows, long memoryBytes) {}

  record ReleaseSegments(List<SegmentId> segments) {}

  /// `ticks[i]` is the delete timestamp of key `i`.
  record ApplyDeletes(List<SegmentId> segments, PrimaryKeys keys, long[] ticks) {}

  record SearchSegments(List<SegmentId> segments, HybridTs readTs, ReadRequest.Search search) {}

  /// Hits of all queries one after another (`counts[i]` for query `i`), best first; `rowTs` is the
  /// insert timestamp, by which duplicates of a key are told apart; `rows` locates each hit.
  record SegmentHits(
      int[] counts, PrimaryKeys keys, float[] scores, long[] rowTs, RowRef[] rows, long searched) {}

  record RowRef(SegmentId segment, int offset) {}

  /// `countOnly` answers no keys, only `count`. At most `limit` rows with the smallest keys (-1 =
  /// all).
  record QuerySegments(
      List<SegmentId> segments,
      HybridTs readTs,
      String filter,
      List<Long> partitionIds,
      long limit,
      boolean countOnly) {}

  /// `count` is how many rows match; with a limit, how many are answered.
  record SegmentRows(PrimaryKeys keys, long[] rowTs, RowRef[] rows, long count) {}

  record FetchRows(RowRef[] rows, List<FieldId> fields) {}

  record FetchedRows(ColumnBatch fields) {}
}
