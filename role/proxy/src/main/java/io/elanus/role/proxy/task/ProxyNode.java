package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PartitionId;
import io.elanus.base.loop.Threads;
import io.elanus.base.loop.WorkPool;
import io.elanus.base.random.Rng;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.HybridSearchRequest;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.role.proxy.api.QueryReply;
import io.elanus.role.proxy.api.QueryRequest;
import io.elanus.role.proxy.api.SearchReply;
import io.elanus.role.proxy.api.SearchRequest;
import io.elanus.role.proxy.api.WriteReply;
import io.elanus.role.proxy.api.WriteRequest;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.cache.CollectionCache;
import io.elanus.role.proxy.cache.RouteCache;
import io.elanus.role.proxy.check.Names;
import io.elanus.role.proxy.consistency.GuaranteeTs;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.QueryCoordService;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The proxy of one process: checks requests, keeps what it knows of collections, and carries
/// operations out on the other roles. It holds no truth; any number of proxies serve a cluster.
///
/// Thread-safe: tasks share only caches, which guard themselves.
public final class ProxyNode implements ProxyApi, ProxyCacheService, AutoCloseable {
  private static final int HEAVY_QUEUE = 1024;

  private final Parts parts;
  private final Retry retry;
  private final ProxyMetrics metrics;
  private final DdlTask ddl;
  private final InsertTask insert;
  private final UpsertTask upsert;
  private final DeleteTask delete;
  private final SearchTask search;
  private final HybridTask hybrid;
  private final QueryTask query;
  private final LookUps lookUps;

  /// What a proxy takes from its process.
  public record Surroundings(Threads threads, Rng rng, MeterRegistry metrics) {}

  public ProxyNode(ProxyServices services, Surroundings surroundings, ProxyConfig config) {
    Threads threads = surroundings.threads();
    this.metrics =
        new ProxyMetrics(surroundings.metrics(), threads.clock(), config.times().slowQuery());
    WorkPool heavyWork = threads.pool("proxy/convert", 2, HEAVY_QUEUE);
    this.retry = new Retry(threads, heavyWork);
    this.parts =
        new Parts(
            services,
            new Parts.Caches(
                new CollectionCache(services.catalog(), threads.clock(), metrics::cacheLooked),
                new RouteCache(services.query(), services.data(), threads.clock())),
            new TimestampBatcher(services.tso()),
            retry,
            new GuaranteeTs(config.times().gracefulTime()),
            config,
            heavyWork);
    WalWriter writer = new WalWriter(services.streaming(), retry);
    ShardReads reads = new ShardReads(parts);
    SearchPlan.Maker plans =
        new SearchPlan.Maker(
            config, new SearchParamTexts(), surroundings.rng().split("proxy/search-iterator"));
    this.ddl = new DdlTask(parts);
    this.insert = new InsertTask(parts, writer);
    this.upsert = new UpsertTask(parts, writer, new StoredRows(parts, reads));
    this.delete = new DeleteTask(parts, reads, writer);
    this.search = new SearchTask(parts, reads, plans);
    this.hybrid = new HybridTask(parts, reads, search, plans);
    this.query = new QueryTask(parts, reads);
    this.lookUps = new LookUps(parts);
  }

  @Override
  public CompletableFuture<CatalogService.DdlReply> ddl(CallContext context, DdlRequest request) {
    return metrics.measure(operation(request), context, false, () -> ddl.run(context, request));
  }

  /// The name of the call that a DDL came by, as metrics show it.
  private static String operation(DdlRequest request) {
    String name = request.getClass().getSimpleName();
    return switch (request) {
      case DdlRequest.Load load ->
          load.partitions().isEmpty() ? "LoadCollection" : "LoadPartitions";
      case DdlRequest.Release release ->
          release.partitions().isEmpty() ? "ReleaseCollection" : "ReleasePartitions";
      case DdlRequest.AddField _ -> "AddCollectionField";
      case DdlRequest.AlterField _ -> "AlterCollectionField";
      case DdlRequest.CreateDatabase _,
          DdlRequest.AlterDatabase _,
          DdlRequest.DropDatabase _,
          DdlRequest.CreateCollection _,
          DdlRequest.DropCollection _,
          DdlRequest.RenameCollection _,
          DdlRequest.AlterCollection _,
          DdlRequest.CreatePartition _,
          DdlRequest.DropPartition _,
          DdlRequest.CreateAlias _,
          DdlRequest.AlterAlias _,
          DdlRequest.DropAlias _,
          DdlRequest.CreateIndex _,
          DdlRequest.AlterIndex _,
          DdlRequest.DropIndex _ ->
          name;
    };
  }

  @Override
  public CompletableFuture<CatalogService.CollectionView> collection(
      CallContext context, CatalogService.FindCollection request) {
    return metrics.measure(
        "DescribeCollection", context, false, () -> lookUps.collection(context, request));
  }

  @Override
  public CompletableFuture<CatalogService.CollectionList> collections(
      CallContext context, String database) {
    return metrics.measure(
        "ShowCollections",
        context,
        false,
        () ->
            lookUps.named(
                parts
                    .services()
                    .catalog()
                    .collections(context, new CatalogService.ListCollections(database))));
  }

  @Override
  public CompletableFuture<CatalogService.DatabaseList> databases(CallContext context) {
    return metrics.measure(
        "ListDatabases",
        context,
        false,
        () -> parts.services().catalog().databases(context, new CatalogService.ListDatabases()));
  }

  @Override
  public CompletableFuture<CatalogService.AliasView> alias(
      CallContext context, String database, String alias) {
    return metrics.measure(
        "DescribeAlias",
        context,
        false,
        () -> {
          Names.alias(alias);
          return lookUps.named(
              parts
                  .services()
                  .catalog()
                  .alias(context, new CatalogService.FindAlias(database, alias)));
        });
  }

  @Override
  public CompletableFuture<CatalogService.AliasList> aliases(
      CallContext context, CatalogService.ListAliases request) {
    return metrics.measure(
        "ListAliases",
        context,
        false,
        () -> lookUps.named(parts.services().catalog().aliases(context, request)));
  }

  @Override
  public CompletableFuture<DataCoordService.IndexList> indexes(
      CallContext context, String database, String collection, String indexName) {
    return metrics.measure(
        "DescribeIndex",
        context,
        false,
        () -> lookUps.indexes(context, database, collection, indexName));
  }

  @Override
  public CompletableFuture<QueryCoordService.LoadStatus> loadStatus(
      CallContext context, CollectionTarget target) {
    return metrics.measure(
        "GetLoadState",
        context,
        false,
        () ->
            lookUps.withPartitions(
                context,
                target,
                (collection, partitions) ->
                    parts
                        .services()
                        .query()
                        .loadStatus(
                            context, new QueryCoordService.FindLoad(collection.id(), partitions))));
  }

  @Override
  public CompletableFuture<DataCoordService.RowCount> countRows(
      CallContext context, CollectionTarget target) {
    return metrics.measure(
        "GetCollectionStatistics", context, false, () -> lookUps.countRows(context, target));
  }

  @Override
  public CompletableFuture<DataCoordService.FlushReply> flush(
      CallContext context, String database, String collection) {
    return metrics.measure(
        "Flush",
        context,
        false,
        () ->
            lookUps.on(
                context,
                database,
                collection,
                cached ->
                    parts
                        .services()
                        .data()
                        .flush(context, new DataCoordService.FlushCollection(cached.id()))));
  }

  @Override
  public CompletableFuture<DataCoordService.FlushState> flushState(
      CallContext context, DataCoordService.FindFlushState request) {
    return metrics.measure(
        "GetFlushState",
        context,
        false,
        () -> parts.services().data().flushState(context, request));
  }

  @Override
  public CompletableFuture<DataCoordService.SegmentList> segments(
      CallContext context, String database, String collection) {
    return metrics.measure(
        "GetPersistentSegmentInfo",
        context,
        false,
        () ->
            lookUps.on(
                context,
                database,
                collection,
                cached ->
                    parts
                        .services()
                        .data()
                        .segments(context, new DataCoordService.ListSegments(cached.id()))));
  }

  @Override
  public CompletableFuture<QueryCoordService.LoadedSegmentList> loadedSegments(
      CallContext context, String database, String collection) {
    return metrics.measure(
        "GetQuerySegmentInfo",
        context,
        false,
        () ->
            lookUps.on(
                context,
                database,
                collection,
                cached ->
                    parts
                        .services()
                        .query()
                        .loadedSegments(
                            context, new QueryCoordService.ListLoadedSegments(cached.id()))));
  }

  @Override
  public CompletableFuture<QueryCoordService.ShardList> shards(
      CallContext context, String database, String collection) {
    return metrics.measure(
        "GetReplicas",
        context,
        false,
        () ->
            lookUps.on(
                context,
                database,
                collection,
                cached ->
                    parts
                        .services()
                        .query()
                        .shards(context, new QueryCoordService.FindShards(cached.id()))));
  }

  @Override
  public CompletableFuture<DataCoordService.CompactionStarted> compact(
      CallContext context, String database, String collection, boolean major) {
    return metrics.measure(
        "ManualCompaction",
        context,
        false,
        () ->
            lookUps.on(
                context,
                database,
                collection,
                cached ->
                    parts
                        .services()
                        .data()
                        .compact(
                            context, new DataCoordService.CompactCollection(cached.id(), major))));
  }

  @Override
  public CompletableFuture<DataCoordService.CompactionStatus> compactionStatus(
      CallContext context, long compactionId) {
    return metrics.measure(
        "GetCompactionState",
        context,
        false,
        () ->
            parts
                .services()
                .data()
                .compactionStatus(context, new DataCoordService.FindCompaction(compactionId)));
  }

  @Override
  public CompletableFuture<HybridTs> allocTimestamp(CallContext context) {
    return metrics.measure(
        "AllocTimestamp", context, false, () -> parts.timestamps().next(context));
  }

  @Override
  public CompletableFuture<WriteReply> insert(CallContext context, WriteRequest.Insert request) {
    return metrics
        .measure("Insert", context, false, () -> insert.run(context, request))
        .thenApply(reply -> counted("insert_vectors_count", reply.inserted(), reply));
  }

  @Override
  public CompletableFuture<WriteReply> upsert(CallContext context, WriteRequest.Upsert request) {
    return metrics
        .measure(
            "Upsert", context, false, () -> retry.whileOutdated(() -> upsert.run(context, request)))
        .thenApply(reply -> counted("upsert_vectors_count", reply.upserted(), reply));
  }

  @Override
  public CompletableFuture<WriteReply> delete(CallContext context, WriteRequest.Delete request) {
    return metrics
        .measure(
            "Delete", context, false, () -> retry.whileOutdated(() -> delete.run(context, request)))
        .thenApply(reply -> counted("delete_vectors_count", reply.deleted(), reply));
  }

  private <T> T counted(String meter, long rows, T reply) {
    metrics.rows(meter, rows);
    return reply;
  }

  @Override
  public CompletableFuture<SearchReply> search(CallContext context, SearchRequest request) {
    metrics.rows("search_vectors_count", request.queries().values().size());
    return metrics.measure(
        "Search", context, true, () -> retry.whileOutdated(() -> search.run(context, request)));
  }

  @Override
  public CompletableFuture<SearchReply> hybridSearch(
      CallContext context, HybridSearchRequest request) {
    return metrics.measure(
        "HybridSearch",
        context,
        true,
        () -> retry.whileOutdated(() -> hybrid.run(context, request)));
  }

  @Override
  public CompletableFuture<QueryReply> query(CallContext context, QueryRequest request) {
    return metrics.measure(
        "Query", context, true, () -> retry.whileOutdated(() -> query.run(context, request)));
  }

  @Override
  public CompletableFuture<Done> invalidate(CallContext context, InvalidateCache request) {
    parts
        .caches()
        .collections()
        .invalidate(request.database(), request.names(), request.collectionId());
    parts.caches().routes().invalidate(request.collectionId());
    return CompletableFuture.completedFuture(Done.INSTANCE);
  }

  @Override
  public void close() {
    parts.heavyWork().close();
  }

  /// Look-ups that resolve names first.
  private record LookUps(Parts parts) {
    <T> CompletableFuture<T> named(CompletableFuture<T> answer) {
      return answer.exceptionally(failure -> {
        throw Parts.named(failure);
      });
    }

    CompletableFuture<CatalogService.CollectionView> collection(
        CallContext context, CatalogService.FindCollection request) {
      var id = request.id();
      if (id != null) {
        return named(parts.caches().collections().byId(context, id))
            .thenApply(CachedCollection::view);
      }
      String name = request.name() == null ? "" : request.name();
      Names.collection(name);
      return parts.collection(context, request.database(), name).thenApply(CachedCollection::view);
    }

    <T> CompletableFuture<T> on(
        CallContext context,
        String database,
        String collection,
        java.util.function.Function<CachedCollection, CompletableFuture<T>> work) {
      Names.collection(collection);
      return parts.collection(context, database, collection).thenCompose(work);
    }

    <T> CompletableFuture<T> withPartitions(
        CallContext context,
        CollectionTarget target,
        java.util.function.BiFunction<CachedCollection, List<PartitionId>, CompletableFuture<T>>
            work) {
      return on(
          context,
          target.database(),
          target.collection(),
          cached -> {
            List<PartitionId> partitions = new ArrayList<>();
            for (String name : target.partitions()) {
              Names.partition(name, false);
              partitions.add(cached.partitionId(name));
            }
            return work.apply(cached, partitions);
          });
    }

    CompletableFuture<DataCoordService.RowCount> countRows(
        CallContext context, CollectionTarget target) {
      return withPartitions(
          context,
          target,
          (cached, partitions) -> {
            List<CompletableFuture<DataCoordService.RowCount>> counts = new ArrayList<>();
            if (partitions.isEmpty()) {
              counts.add(count(context, new DataCoordService.CountRows(cached.id(), null)));
            }
            for (PartitionId partition : partitions) {
              counts.add(count(context, new DataCoordService.CountRows(cached.id(), partition)));
            }
            return CompletableFuture.allOf(counts.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                    new DataCoordService.RowCount(
                        counts.stream().mapToLong(c -> c.join().rows()).sum()));
          });
    }

    private CompletableFuture<DataCoordService.RowCount> count(
        CallContext context, DataCoordService.CountRows request) {
      return parts.services().data().countRows(context, request);
    }

    CompletableFuture<DataCoordService.IndexList> indexes(
        CallContext context, String database, String collection, String indexName) {
      return on(
          context,
          database,
          collection,
          cached ->
              parts
                  .services()
                  .data()
                  .indexes(context, new DataCoordService.ListIndexes(cached.id()))
                  .thenApply(list -> filtered(list, collection, indexName)));
    }

    private static DataCoordService.IndexList filtered(
        DataCoordService.IndexList list, String collection, String indexName) {
      if (indexName.isEmpty()) {
        if (list.indexes().isEmpty()) {
          throw DbException.withFields(ErrorCode.INDEX_NOT_FOUND, "collection", collection);
        }
        return list;
      }
      List<DataCoordService.IndexStatus> named = new ArrayList<>();
      for (DataCoordService.IndexStatus status : list.indexes()) {
        if (status.index().name().equals(indexName)) {
          named.add(status);
        }
      }
      if (named.isEmpty()) {
        throw DbException.withFields(ErrorCode.INDEX_NOT_FOUND, "indexName", indexName);
      }
      return new DataCoordService.IndexList(named);
    }
  }
}
