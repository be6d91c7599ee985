package io.elanus.server.rpc;

import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.TsoService;
import java.util.concurrent.CompletableFuture;

/// Clients of the internal services: each method is one line of [Endpoints].
///
/// Thread-safe: stateless.
public final class RemoteServices {
  private RemoteServices() {}

  /// [TsoService] of the process at the other end.
  public static TsoService tso(RemoteLink link) {
    return new TsoService() {
      @Override
      public CompletableFuture<TimestampRange> allocTimestamp(
          CallContext context, AllocTimestamp request) {
        return link.call(Endpoints.TSO_ALLOC_TIMESTAMP, context, request);
      }

      @Override
      public CompletableFuture<IdRange> allocId(CallContext context, AllocId request) {
        return link.call(Endpoints.TSO_ALLOC_ID, context, request);
      }
    };
  }

  /// [CatalogService] of the process at the other end.
  public static CatalogService catalog(RemoteLink link) {
    return new CatalogService() {
      @Override
      public CompletableFuture<DdlReply> ddl(CallContext context, DdlRequest request) {
        return link.call(Endpoints.CATALOG_DDL, context, request);
      }

      @Override
      public CompletableFuture<CollectionView> collection(
          CallContext context, FindCollection request) {
        return link.call(Endpoints.CATALOG_COLLECTION, context, request);
      }

      @Override
      public CompletableFuture<CollectionList> collections(
          CallContext context, ListCollections request) {
        return link.call(Endpoints.CATALOG_COLLECTIONS, context, request);
      }

      @Override
      public CompletableFuture<DatabaseList> databases(CallContext context, ListDatabases request) {
        return link.call(Endpoints.CATALOG_DATABASES, context, request);
      }

      @Override
      public CompletableFuture<AliasView> alias(CallContext context, FindAlias request) {
        return link.call(Endpoints.CATALOG_ALIAS, context, request);
      }

      @Override
      public CompletableFuture<AliasList> aliases(CallContext context, ListAliases request) {
        return link.call(Endpoints.CATALOG_ALIASES, context, request);
      }
    };
  }

  /// [QueryCoordService] of the process at the other end.
  public static QueryCoordService queryCoord(RemoteLink link) {
    return new QueryCoordService() {
      @Override
      public CompletableFuture<LoadStatus> loadStatus(CallContext context, FindLoad request) {
        return link.call(Endpoints.QUERYCOORD_LOAD_STATUS, context, request);
      }

      @Override
      public CompletableFuture<ShardList> shards(CallContext context, FindShards request) {
        return link.call(Endpoints.QUERYCOORD_SHARDS, context, request);
      }

      @Override
      public CompletableFuture<LoadedSegmentList> loadedSegments(
          CallContext context, ListLoadedSegments request) {
        return link.call(Endpoints.QUERYCOORD_LOADED_SEGMENTS, context, request);
      }
    };
  }

  /// [StreamingService] of the process at the other end.
  public static StreamingService streaming(RemoteLink link) {
    return new StreamingService() {
      @Override
      public CompletableFuture<ChannelOpened> open(CallContext context, OpenChannel request) {
        return link.call(Endpoints.STREAMING_OPEN, context, request);
      }

      @Override
      public CompletableFuture<Done> close(CallContext context, CloseChannel request) {
        return link.call(Endpoints.STREAMING_CLOSE, context, request);
      }

      @Override
      public CompletableFuture<AppendReply> append(CallContext context, AppendRequest request) {
        return link.call(Endpoints.STREAMING_APPEND, context, request);
      }

      @Override
      public CompletableFuture<Done> forgetBroadcast(CallContext context, ForgetBroadcast request) {
        return link.call(Endpoints.STREAMING_FORGET_BROADCAST, context, request);
      }
    };
  }

  /// [DelegatorService] of the process at the other end.
  public static DelegatorService delegator(RemoteLink link) {
    return new DelegatorService() {
      @Override
      public CompletableFuture<Done> watch(CallContext context, WatchShard request) {
        return link.call(Endpoints.DELEGATOR_WATCH, context, request);
      }

      @Override
      public CompletableFuture<Done> unwatch(CallContext context, UnwatchShard request) {
        return link.call(Endpoints.DELEGATOR_UNWATCH, context, request);
      }

      @Override
      public CompletableFuture<Done> updateView(CallContext context, UpdateView request) {
        return link.call(Endpoints.DELEGATOR_UPDATE_VIEW, context, request);
      }

      @Override
      public CompletableFuture<ReadReply> read(CallContext context, ReadRequest request) {
        return link.call(Endpoints.DELEGATOR_READ, context, request);
      }

      @Override
      public CompletableFuture<ShardStatus> status(CallContext context, FindShardStatus request) {
        return link.call(Endpoints.DELEGATOR_STATUS, context, request);
      }
    };
  }

  /// [DataNodeService] of the process at the other end.
  public static DataNodeService dataNode(RemoteLink link) {
    return new DataNodeService() {
      @Override
      public CompletableFuture<IndexBuilt> buildIndex(CallContext context, BuildIndex request) {
        return link.call(Endpoints.DATANODE_BUILD_INDEX, context, request);
      }

      @Override
      public CompletableFuture<Compacted> compact(CallContext context, Compact request) {
        return link.call(Endpoints.DATANODE_COMPACT, context, request);
      }
    };
  }

  /// [ProxyCacheService] of the process at the other end.
  public static ProxyCacheService proxyCache(RemoteLink link) {
    return new ProxyCacheService() {
      @Override
      public CompletableFuture<Done> invalidate(CallContext context, InvalidateCache request) {
        return link.call(Endpoints.PROXYCACHE_INVALIDATE, context, request);
      }
    };
  }

  /// [DataCoordService] of the process at the other end.
  public static DataCoordService dataCoord(RemoteLink link) {
    return new DataCoordService() {
      @Override
      public CompletableFuture<FlushReply> flush(CallContext context, FlushCollection request) {
        return link.call(Endpoints.DATACOORD_FLUSH, context, request);
      }

      @Override
      public CompletableFuture<FlushState> flushState(CallContext context, FindFlushState request) {
        return link.call(Endpoints.DATACOORD_FLUSH_STATE, context, request);
      }

      @Override
      public CompletableFuture<RowCount> countRows(CallContext context, CountRows request) {
        return link.call(Endpoints.DATACOORD_COUNT_ROWS, context, request);
      }

      @Override
      public CompletableFuture<SegmentList> segments(CallContext context, ListSegments request) {
        return link.call(Endpoints.DATACOORD_SEGMENTS, context, request);
      }

      @Override
      public CompletableFuture<IndexList> indexes(CallContext context, ListIndexes request) {
        return link.call(Endpoints.DATACOORD_INDEXES, context, request);
      }

      @Override
      public CompletableFuture<CompactionStarted> compact(
          CallContext context, CompactCollection request) {
        return link.call(Endpoints.DATACOORD_COMPACT, context, request);
      }

      @Override
      public CompletableFuture<CompactionStatus> compactionStatus(
          CallContext context, FindCompaction request) {
        return link.call(Endpoints.DATACOORD_COMPACTION_STATUS, context, request);
      }

      @Override
      public CompletableFuture<Done> reportFlushed(CallContext context, SegmentMeta request) {
        return link.call(Endpoints.DATACOORD_REPORT_FLUSHED, context, request);
      }

      @Override
      public CompletableFuture<Done> reportDelta(CallContext context, DeltaLogMeta request) {
        return link.call(Endpoints.DATACOORD_REPORT_DELTA, context, request);
      }

      @Override
      public CompletableFuture<Done> reportCheckpoint(
          CallContext context, ChannelCheckpoint request) {
        return link.call(Endpoints.DATACOORD_REPORT_CHECKPOINT, context, request);
      }

      @Override
      public CompletableFuture<ChannelRecovery> channelRecovery(
          CallContext context, FindChannelRecovery request) {
        return link.call(Endpoints.DATACOORD_CHANNEL_RECOVERY, context, request);
      }
    };
  }

  /// [QueryNodeService] of the process at the other end.
  public static QueryNodeService queryNode(RemoteLink link) {
    return new QueryNodeService() {
      @Override
      public CompletableFuture<SegmentLoaded> load(CallContext context, LoadSegment request) {
        return link.call(Endpoints.QUERYNODE_LOAD, context, request);
      }

      @Override
      public CompletableFuture<Done> release(CallContext context, ReleaseSegments request) {
        return link.call(Endpoints.QUERYNODE_RELEASE, context, request);
      }

      @Override
      public CompletableFuture<Done> applyDeletes(CallContext context, ApplyDeletes request) {
        return link.call(Endpoints.QUERYNODE_APPLY_DELETES, context, request);
      }

      @Override
      public CompletableFuture<SegmentHits> search(CallContext context, SearchSegments request) {
        return link.call(Endpoints.QUERYNODE_SEARCH, context, request);
      }

      @Override
      public CompletableFuture<SegmentRows> query(CallContext context, QuerySegments request) {
        return link.call(Endpoints.QUERYNODE_QUERY, context, request);
      }

      @Override
      public CompletableFuture<FetchedRows> fetch(CallContext context, FetchRows request) {
        return link.call(Endpoints.QUERYNODE_FETCH, context, request);
      }
    };
  }
}
