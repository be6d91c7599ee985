package io.elanus.server.rpc;

import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentMeta;
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
import java.util.List;

/// The table of internal calls: wire name, request, reply, method. Servers and clients are made
/// from it.
///
/// Immutable.
final class Endpoints {
  private Endpoints() {}

  // TsoService

  static final Endpoint<TsoService, TsoService.AllocTimestamp, TsoService.TimestampRange>
      TSO_ALLOC_TIMESTAMP =
          new Endpoint<>(
              "TsoService/allocTimestamp",
              TsoService.AllocTimestamp.class,
              TsoService.TimestampRange.class,
              TsoService::allocTimestamp);

  static final Endpoint<TsoService, TsoService.AllocId, TsoService.IdRange> TSO_ALLOC_ID =
      new Endpoint<>(
          "TsoService/allocId",
          TsoService.AllocId.class,
          TsoService.IdRange.class,
          TsoService::allocId);

  /// Every call of [TsoService].
  static final List<Endpoint<TsoService, ?, ?>> TSO = List.of(TSO_ALLOC_TIMESTAMP, TSO_ALLOC_ID);

  // CatalogService

  static final Endpoint<CatalogService, DdlRequest, CatalogService.DdlReply> CATALOG_DDL =
      new Endpoint<>(
          "CatalogService/ddl",
          DdlRequest.class,
          CatalogService.DdlReply.class,
          CatalogService::ddl);

  static final Endpoint<
          CatalogService, CatalogService.FindCollection, CatalogService.CollectionView>
      CATALOG_COLLECTION =
          new Endpoint<>(
              "CatalogService/collection",
              CatalogService.FindCollection.class,
              CatalogService.CollectionView.class,
              CatalogService::collection);

  static final Endpoint<
          CatalogService, CatalogService.ListCollections, CatalogService.CollectionList>
      CATALOG_COLLECTIONS =
          new Endpoint<>(
              "CatalogService/collections",
              CatalogService.ListCollections.class,
              CatalogService.CollectionList.class,
              CatalogService::collections);

  static final Endpoint<CatalogService, CatalogService.ListDatabases, CatalogService.DatabaseList>
      CATALOG_DATABASES =
          new Endpoint<>(
              "CatalogService/databases",
              CatalogService.ListDatabases.class,
              CatalogService.DatabaseList.class,
              CatalogService::databases);

  static final Endpoint<CatalogService, CatalogService.FindAlias, CatalogService.AliasView>
      CATALOG_ALIAS =
          new Endpoint<>(
              "CatalogService/alias",
              CatalogService.FindAlias.class,
              CatalogService.AliasView.class,
              CatalogService::alias);

  static final Endpoint<CatalogService, CatalogService.ListAliases, CatalogService.AliasList>
      CATALOG_ALIASES =
          new Endpoint<>(
              "CatalogService/aliases",
              CatalogService.ListAliases.class,
              CatalogService.AliasList.class,
              CatalogService::aliases);

  /// Every call of [CatalogService].
  static final List<Endpoint<CatalogService, ?, ?>> CATALOG =
      List.of(
          CATALOG_DDL,
          CATALOG_COLLECTION,
          CATALOG_COLLECTIONS,
          CATALOG_DATABASES,
          CATALOG_ALIAS,
          CATALOG_ALIASES);

  // QueryCoordService

  static final Endpoint<QueryCoordService, QueryCoordService.FindLoad, QueryCoordService.LoadStatus>
      QUERYCOORD_LOAD_STATUS =
          new Endpoint<>(
              "QueryCoordService/loadStatus",
              QueryCoordService.FindLoad.class,
              QueryCoordService.LoadStatus.class,
              QueryCoordService::loadStatus);

  static final Endpoint<
          QueryCoordService, QueryCoordService.FindShards, QueryCoordService.ShardList>
      QUERYCOORD_SHARDS =
          new Endpoint<>(
              "QueryCoordService/shards",
              QueryCoordService.FindShards.class,
              QueryCoordService.ShardList.class,
              QueryCoordService::shards);

  static final Endpoint<
          QueryCoordService,
          QueryCoordService.ListLoadedSegments,
          QueryCoordService.LoadedSegmentList>
      QUERYCOORD_LOADED_SEGMENTS =
          new Endpoint<>(
              "QueryCoordService/loadedSegments",
              QueryCoordService.ListLoadedSegments.class,
              QueryCoordService.LoadedSegmentList.class,
              QueryCoordService::loadedSegments);

  /// Every call of [QueryCoordService].
  static final List<Endpoint<QueryCoordService, ?, ?>> QUERYCOORD =
      List.of(QUERYCOORD_LOAD_STATUS, QUERYCOORD_SHARDS, QUERYCOORD_LOADED_SEGMENTS);

  // StreamingService

  static final Endpoint<
          StreamingService, StreamingService.OpenChannel, StreamingService.ChannelOpened>
      STREAMING_OPEN =
          new Endpoint<>(
              "StreamingService/open",
              StreamingService.OpenChannel.class,
              StreamingService.ChannelOpened.class,
              StreamingService::open);

  static final Endpoint<StreamingService, StreamingService.CloseChannel, Done> STREAMING_CLOSE =
      new Endpoint<>(
          "StreamingService/close",
          StreamingService.CloseChannel.class,
          Done.class,
          StreamingService::close);

  static final Endpoint<
          StreamingService, StreamingService.AppendRequest, StreamingService.AppendReply>
      STREAMING_APPEND =
          new Endpoint<>(
              "StreamingService/append",
              StreamingService.AppendRequest.class,
              StreamingService.AppendReply.class,
              StreamingService::append);

  static final Endpoint<StreamingService, StreamingService.ForgetBroadcast, Done>
      STREAMING_FORGET_BROADCAST =
          new Endpoint<>(
              "StreamingService/forgetBroadcast",
              StreamingService.ForgetBroadcast.class,
              Done.class,
              StreamingService::forgetBroadcast);

  /// Every call of [StreamingService].
  static final List<Endpoint<StreamingService, ?, ?>> STREAMING =
      List.of(STREAMING_OPEN, STREAMING_CLOSE, STREAMING_APPEND, STREAMING_FORGET_BROADCAST);

  // DelegatorService

  static final Endpoint<DelegatorService, DelegatorService.WatchShard, Done> DELEGATOR_WATCH =
      new Endpoint<>(
          "DelegatorService/watch",
          DelegatorService.WatchShard.class,
          Done.class,
          DelegatorService::watch);

  static final Endpoint<DelegatorService, DelegatorService.UnwatchShard, Done> DELEGATOR_UNWATCH =
      new Endpoint<>(
          "DelegatorService/unwatch",
          DelegatorService.UnwatchShard.class,
          Done.class,
          DelegatorService::unwatch);

  static final Endpoint<DelegatorService, DelegatorService.UpdateView, Done> DELEGATOR_UPDATE_VIEW =
      new Endpoint<>(
          "DelegatorService/updateView",
          DelegatorService.UpdateView.class,
          Done.class,
          DelegatorService::updateView);

  static final Endpoint<DelegatorService, ReadRequest, ReadReply> DELEGATOR_READ =
      new Endpoint<>(
          "DelegatorService/read", ReadRequest.class, ReadReply.class, DelegatorService::read);

  static final Endpoint<
          DelegatorService, DelegatorService.FindShardStatus, DelegatorService.ShardStatus>
      DELEGATOR_STATUS =
          new Endpoint<>(
              "DelegatorService/status",
              DelegatorService.FindShardStatus.class,
              DelegatorService.ShardStatus.class,
              DelegatorService::status);

  /// Every call of [DelegatorService].
  static final List<Endpoint<DelegatorService, ?, ?>> DELEGATOR =
      List.of(
          DELEGATOR_WATCH,
          DELEGATOR_UNWATCH,
          DELEGATOR_UPDATE_VIEW,
          DELEGATOR_READ,
          DELEGATOR_STATUS);

  // DataNodeService

  static final Endpoint<DataNodeService, DataNodeService.BuildIndex, DataNodeService.IndexBuilt>
      DATANODE_BUILD_INDEX =
          new Endpoint<>(
              "DataNodeService/buildIndex",
              DataNodeService.BuildIndex.class,
              DataNodeService.IndexBuilt.class,
              DataNodeService::buildIndex);

  static final Endpoint<DataNodeService, DataNodeService.Compact, DataNodeService.Compacted>
      DATANODE_COMPACT =
          new Endpoint<>(
              "DataNodeService/compact",
              DataNodeService.Compact.class,
              DataNodeService.Compacted.class,
              DataNodeService::compact);

  /// Every call of [DataNodeService].
  static final List<Endpoint<DataNodeService, ?, ?>> DATANODE =
      List.of(DATANODE_BUILD_INDEX, DATANODE_COMPACT);

  // ProxyCacheService

  static final Endpoint<ProxyCacheService, ProxyCacheService.InvalidateCache, Done>
      PROXYCACHE_INVALIDATE =
          new Endpoint<>(
              "ProxyCacheService/invalidate",
              ProxyCacheService.InvalidateCache.class,
              Done.class,
              ProxyCacheService::invalidate);

  /// Every call of [ProxyCacheService].
  static final List<Endpoint<ProxyCacheService, ?, ?>> PROXYCACHE = List.of(PROXYCACHE_INVALIDATE);

  // DataCoordService

  static final Endpoint<
          DataCoordService, DataCoordService.FlushCollection, DataCoordService.FlushReply>
      DATACOORD_FLUSH =
          new Endpoint<>(
              "DataCoordService/flush",
              DataCoordService.FlushCollection.class,
              DataCoordService.FlushReply.class,
              DataCoordService::flush);

  static final Endpoint<
          DataCoordService, DataCoordService.FindFlushState, DataCoordService.FlushState>
      DATACOORD_FLUSH_STATE =
          new Endpoint<>(
              "DataCoordService/flushState",
              DataCoordService.FindFlushState.class,
              DataCoordService.FlushState.class,
              DataCoordService::flushState);

  static final Endpoint<DataCoordService, DataCoordService.CountRows, DataCoordService.RowCount>
      DATACOORD_COUNT_ROWS =
          new Endpoint<>(
              "DataCoordService/countRows",
              DataCoordService.CountRows.class,
              DataCoordService.RowCount.class,
              DataCoordService::countRows);

  static final Endpoint<
          DataCoordService, DataCoordService.ListSegments, DataCoordService.SegmentList>
      DATACOORD_SEGMENTS =
          new Endpoint<>(
              "DataCoordService/segments",
              DataCoordService.ListSegments.class,
              DataCoordService.SegmentList.class,
              DataCoordService::segments);

  static final Endpoint<DataCoordService, DataCoordService.ListIndexes, DataCoordService.IndexList>
      DATACOORD_INDEXES =
          new Endpoint<>(
              "DataCoordService/indexes",
              DataCoordService.ListIndexes.class,
              DataCoordService.IndexList.class,
              DataCoordService::indexes);

  static final Endpoint<
          DataCoordService, DataCoordService.CompactCollection, DataCoordService.CompactionStarted>
      DATACOORD_COMPACT =
          new Endpoint<>(
              "DataCoordService/compact",
              DataCoordService.CompactCollection.class,
              DataCoordService.CompactionStarted.class,
              DataCoordService::compact);

  static final Endpoint<
          DataCoordService, DataCoordService.FindCompaction, DataCoordService.CompactionStatus>
      DATACOORD_COMPACTION_STATUS =
          new Endpoint<>(
              "DataCoordService/compactionStatus",
              DataCoordService.FindCompaction.class,
              DataCoordService.CompactionStatus.class,
              DataCoordService::compactionStatus);

  static final Endpoint<DataCoordService, SegmentMeta, Done> DATACOORD_REPORT_FLUSHED =
      new Endpoint<>(
          "DataCoordService/reportFlushed",
          SegmentMeta.class,
          Done.class,
          DataCoordService::reportFlushed);

  static final Endpoint<DataCoordService, DeltaLogMeta, Done> DATACOORD_REPORT_DELTA =
      new Endpoint<>(
          "DataCoordService/reportDelta",
          DeltaLogMeta.class,
          Done.class,
          DataCoordService::reportDelta);

  static final Endpoint<DataCoordService, DataCoordService.ChannelCheckpoint, Done>
      DATACOORD_REPORT_CHECKPOINT =
          new Endpoint<>(
              "DataCoordService/reportCheckpoint",
              DataCoordService.ChannelCheckpoint.class,
              Done.class,
              DataCoordService::reportCheckpoint);

  static final Endpoint<
          DataCoordService, DataCoordService.FindChannelRecovery, DataCoordService.ChannelRecovery>
      DATACOORD_CHANNEL_RECOVERY =
          new Endpoint<>(
              "DataCoordService/channelRecovery",
              DataCoordService.FindChannelRecovery.class,
              DataCoordService.ChannelRecovery.class,
              DataCoordService::channelRecovery);

  /// Every call of [DataCoordService].
  static final List<Endpoint<DataCoordService, ?, ?>> DATACOORD =
      List.of(
          DATACOORD_FLUSH,
          DATACOORD_FLUSH_STATE,
          DATACOORD_COUNT_ROWS,
          DATACOORD_SEGMENTS,
          DATACOORD_INDEXES,
          DATACOORD_COMPACT,
          DATACOORD_COMPACTION_STATUS,
          DATACOORD_REPORT_FLUSHED,
          DATACOORD_REPORT_DELTA,
          DATACOORD_REPORT_CHECKPOINT,
          DATACOORD_CHANNEL_RECOVERY);

  // QueryNodeService

  static final Endpoint<
          QueryNodeService, QueryNodeService.LoadSegment, QueryNodeService.SegmentLoaded>
      QUERYNODE_LOAD =
          new Endpoint<>(
              "QueryNodeService/load",
              QueryNodeService.LoadSegment.class,
              QueryNodeService.SegmentLoaded.class,
              QueryNodeService::load);

  static final Endpoint<QueryNodeService, QueryNodeService.ReleaseSegments, Done>
      QUERYNODE_RELEASE =
          new Endpoint<>(
              "QueryNodeService/release",
              QueryNodeService.ReleaseSegments.class,
              Done.class,
              QueryNodeService::release);

  static final Endpoint<QueryNodeService, QueryNodeService.ApplyDeletes, Done>
      QUERYNODE_APPLY_DELETES =
          new Endpoint<>(
              "QueryNodeService/applyDeletes",
              QueryNodeService.ApplyDeletes.class,
              Done.class,
              QueryNodeService::applyDeletes);

  static final Endpoint<
          QueryNodeService, QueryNodeService.SearchSegments, QueryNodeService.SegmentHits>
      QUERYNODE_SEARCH =
          new Endpoint<>(
              "QueryNodeService/search",
              QueryNodeService.SearchSegments.class,
              QueryNodeService.SegmentHits.class,
              QueryNodeService::search);

  static final Endpoint<
          QueryNodeService, QueryNodeService.QuerySegments, QueryNodeService.SegmentRows>
      QUERYNODE_QUERY =
          new Endpoint<>(
              "QueryNodeService/query",
              QueryNodeService.QuerySegments.class,
              QueryNodeService.SegmentRows.class,
              QueryNodeService::query);

  static final Endpoint<QueryNodeService, QueryNodeService.FetchRows, QueryNodeService.FetchedRows>
      QUERYNODE_FETCH =
          new Endpoint<>(
              "QueryNodeService/fetch",
              QueryNodeService.FetchRows.class,
              QueryNodeService.FetchedRows.class,
              QueryNodeService::fetch);

  /// Every call of [QueryNodeService].
  static final List<Endpoint<QueryNodeService, ?, ?>> QUERYNODE =
      List.of(
          QUERYNODE_LOAD,
          QUERYNODE_RELEASE,
          QUERYNODE_APPLY_DELETES,
          QUERYNODE_SEARCH,
          QUERYNODE_QUERY,
          QUERYNODE_FETCH);
}
