package io.elanus.wire.service;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Segments, flush, indexes and compaction, as the active coordinator sees them.
///
/// Thread-safe.
public interface DataCoordService {
  /// Seals all growing segments of a collection; answers when they are sealed, not when stored.
  CompletableFuture<FlushReply> flush(CallContext context, FlushCollection request);

  /// Whether the given segments are stored and the channels' checkpoints have passed `flushTs`.
  CompletableFuture<FlushState> flushState(CallContext context, FindFlushState request);

  /// Rows in flushed segments less the rows known to be deleted by compaction.
  CompletableFuture<RowCount> countRows(CallContext context, CountRows request);

  CompletableFuture<SegmentList> segments(CallContext context, ListSegments request);

  /// Index definitions with honest progress; empty when there are none.
  CompletableFuture<IndexList> indexes(CallContext context, ListIndexes request);

  CompletableFuture<CompactionStarted> compact(CallContext context, CompactCollection request);

  CompletableFuture<CompactionStatus> compactionStatus(CallContext context, FindCompaction request);

  // What workers report.

  /// A segment is in the object store: registers it, durably, before answering. Idempotent.
  CompletableFuture<Done> reportFlushed(CallContext context, SegmentMeta segment);

  /// A delta log is in the object store. Idempotent.
  CompletableFuture<Done> reportDelta(CallContext context, DeltaLogMeta delta);

  /// Everything of the channel up to `position` is stored; replay may start behind it. Never moves
  /// backwards.
  CompletableFuture<Done> reportCheckpoint(CallContext context, ChannelCheckpoint checkpoint);

  /// Where a consumer of the channel starts, and what is stored already. 100 when the collection is
  /// gone.
  CompletableFuture<ChannelRecovery> channelRecovery(
      CallContext context, FindChannelRecovery request);

  record FlushCollection(CollectionId collectionId) {}

  record FlushReply(List<SegmentId> sealed, List<SegmentId> flushed, HybridTs flushTs) {}

  record FindFlushState(CollectionId collectionId, List<SegmentId> segmentIds, HybridTs flushTs) {}

  record FlushState(boolean flushed) {}

  record CountRows(CollectionId collectionId, @Nullable PartitionId partitionId) {}

  record RowCount(long rows) {}

  record ListSegments(CollectionId collectionId) {}

  record SegmentList(List<SegmentMeta> segments) {}

  /// `asOf` limits progress to segments that began before it, so that an index becomes finished
  /// under constant writes too; zero = all there are now.
  record ListIndexes(CollectionId collectionId, HybridTs asOf) {
    public ListIndexes(CollectionId collectionId) {
      this(collectionId, HybridTs.ZERO);
    }
  }

  record IndexList(List<IndexStatus> indexes) {}

  /// Numbers and states of the wire: 1 unissued, 2 in progress, 3 finished, 4 failed.
  record IndexStatus(
      IndexMeta index,
      int state,
      String failReason,
      long totalRows,
      long indexedRows,
      long pendingRows) {}

  record CompactCollection(CollectionId collectionId, boolean major) {}

  /// `compactionId` -1 and 0 plans when there is nothing to do.
  record CompactionStarted(long compactionId, int plans) {}

  record FindCompaction(long compactionId) {}

  record CompactionStatus(
      boolean completed, int executing, int failed, int done, List<MergedSegments> merges) {}

  record MergedSegments(List<SegmentId> sources, SegmentId target) {}

  record ChannelCheckpoint(VChannel vchannel, MessageId position, HybridTs tick) {}

  record FindChannelRecovery(VChannel vchannel) {}

  /// `checkpoint.position` is where to start reading (inclusive). `segments` are the flushed ones.
  record ChannelRecovery(
      CollectionMeta collection,
      ChannelCheckpoint checkpoint,
      List<SegmentMeta> segments,
      List<DeltaLogMeta> deltas) {}
}
