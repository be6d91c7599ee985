package io.elanus.wire.service;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Load state and routing of reads, as the active coordinator sees them.
///
/// Thread-safe.
public interface QueryCoordService {
  /// Load state of a collection, or of the partitions given. Never fails for "not loaded".
  CompletableFuture<LoadStatus> loadStatus(CallContext context, FindLoad request);

  /// Who serves reads of each shard; 101 when the collection is not loaded, 103 while it is
  /// loading.
  CompletableFuture<ShardList> shards(CallContext context, FindShards request);

  /// Loaded segments with where they are; 101 when the collection is not loaded.
  CompletableFuture<LoadedSegmentList> loadedSegments(
      CallContext context, ListLoadedSegments request);

  record FindLoad(CollectionId collectionId, List<PartitionId> partitions) {}

  enum LoadState {
    NOT_LOADED,
    LOADING,
    LOADED
  }

  /// `progress` 0..100; `loadedPartitions` are those asked for by a load.
  record LoadStatus(LoadState state, int progress, List<PartitionId> loadedPartitions) {}

  record FindShards(CollectionId collectionId) {}

  record Shard(VChannel vchannel, NodeId leader) {}

  record ShardList(List<Shard> shards, List<PartitionId> loadedPartitions) {}

  record ListLoadedSegments(CollectionId collectionId) {}

  record LoadedSegment(
      SegmentId id, PartitionId partitionId, long rows, long memoryBytes, NodeId node) {}

  record LoadedSegmentList(List<LoadedSegment> segments) {}
}
