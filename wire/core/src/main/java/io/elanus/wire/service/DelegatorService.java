package io.elanus.wire.service;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Shard delegators of a StreamingNode: growing data here, sealed data on QueryNodes, one complete
/// view for each read (rules C-01, C-06, R-23).
///
/// Thread-safe.
public interface DelegatorService {
  /// Starts serving a shard: follows its WAL from the recovery's checkpoint and routes to the
  /// view's segments, which are loaded already. Answers when the WAL has been caught up.
  /// Idempotent.
  CompletableFuture<Done> watch(CallContext context, WatchShard request);

  CompletableFuture<Done> unwatch(CallContext context, UnwatchShard request);

  /// Switches to a newer view: its segments are loaded already; growing copies of segments in it
  /// are dropped in the same step, deletes known here are applied to new ones before. Answers when
  /// no read uses an older view any more, so that replaced segments can be released.
  CompletableFuture<Done> updateView(CallContext context, UpdateView request);

  /// Errors: 503 shard not watched here (retriable), 10001 when the guarantee was not reached
  /// before the deadline, 1100 for parameters that the index refuses.
  CompletableFuture<ReadReply> read(CallContext context, ReadRequest request);

  CompletableFuture<ShardStatus> status(CallContext context, FindShardStatus request);

  record WatchShard(
      DataCoordService.ChannelRecovery recovery,
      LoadMeta load,
      List<IndexMeta> indexes,
      QueryView view) {}

  record UnwatchShard(VChannel vchannel) {}

  record UpdateView(VChannel vchannel, LoadMeta load, List<IndexMeta> indexes, QueryView view) {}

  /// Sealed segments of one shard and where each is loaded. Deletes with ticks up to `deltaTick`
  /// are in delta logs that every segment of the view has loaded; later ones come from the WAL.
  /// `replaced` are segments whose rows are in this view under another id (compaction). Segments
  /// lack rows that were deleted up to `readableFrom`: a read at an earlier moment would miss them.
  record QueryView(
      long version,
      List<ViewSegment> segments,
      List<SegmentId> replaced,
      HybridTs deltaTick,
      HybridTs readableFrom) {}

  record ViewSegment(SegmentId segment, NodeId node) {}

  record FindShardStatus(VChannel vchannel) {}

  record ShardStatus(
      VChannel vchannel, HybridTs serviceTime, long viewVersion, List<GrowingStatus> growing) {}

  record GrowingStatus(SegmentId segment, long rows, long memoryBytes) {}
}
