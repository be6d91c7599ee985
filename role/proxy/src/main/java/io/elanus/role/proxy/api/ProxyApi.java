package io.elanus.role.proxy.api;

import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.QueryCoordService;
import java.util.concurrent.CompletableFuture;

/// Every client operation, checked and carried out. Each future fails with a
/// [io.elanus.base.error.DbException] only, whose code and message are what the client sees.
///
/// Thread-safe. No method blocks the calling thread, which may be an event loop.
public interface ProxyApi {
  /// Checks the form of a DDL and runs it. CreateIndex may come with empty `buildParams`: they are
  /// resolved here (AUTOINDEX, defaults, checks of indexes.md section 1).
  CompletableFuture<CatalogService.DdlReply> ddl(CallContext context, DdlRequest request);

  CompletableFuture<CatalogService.CollectionView> collection(
      CallContext context, CatalogService.FindCollection request);

  CompletableFuture<CatalogService.CollectionList> collections(
      CallContext context, String database);

  CompletableFuture<CatalogService.DatabaseList> databases(CallContext context);

  CompletableFuture<CatalogService.AliasView> alias(
      CallContext context, String database, String alias);

  CompletableFuture<CatalogService.AliasList> aliases(
      CallContext context, CatalogService.ListAliases request);

  /// Error 700 when there is none (of that name, if one is given; pass an empty name for all).
  CompletableFuture<DataCoordService.IndexList> indexes(
      CallContext context, String database, String collection, String indexName);

  CompletableFuture<QueryCoordService.LoadStatus> loadStatus(
      CallContext context, CollectionTarget target);

  CompletableFuture<DataCoordService.RowCount> countRows(
      CallContext context, CollectionTarget target);

  CompletableFuture<DataCoordService.FlushReply> flush(
      CallContext context, String database, String collection);

  CompletableFuture<DataCoordService.FlushState> flushState(
      CallContext context, DataCoordService.FindFlushState request);

  CompletableFuture<DataCoordService.SegmentList> segments(
      CallContext context, String database, String collection);

  CompletableFuture<QueryCoordService.LoadedSegmentList> loadedSegments(
      CallContext context, String database, String collection);

  CompletableFuture<QueryCoordService.ShardList> shards(
      CallContext context, String database, String collection);

  CompletableFuture<DataCoordService.CompactionStarted> compact(
      CallContext context, String database, String collection, boolean major);

  CompletableFuture<DataCoordService.CompactionStatus> compactionStatus(
      CallContext context, long compactionId);

  CompletableFuture<io.elanus.base.time.HybridTs> allocTimestamp(CallContext context);

  CompletableFuture<WriteReply> insert(CallContext context, WriteRequest.Insert request);

  CompletableFuture<WriteReply> upsert(CallContext context, WriteRequest.Upsert request);

  CompletableFuture<WriteReply> delete(CallContext context, WriteRequest.Delete request);

  CompletableFuture<SearchReply> search(CallContext context, SearchRequest request);

  CompletableFuture<SearchReply> hybridSearch(CallContext context, HybridSearchRequest request);

  CompletableFuture<QueryReply> query(CallContext context, QueryRequest request);

  /// A collection by name, and partitions of it by name (empty = all).
  record CollectionTarget(String database, String collection, java.util.List<String> partitions) {}
}
