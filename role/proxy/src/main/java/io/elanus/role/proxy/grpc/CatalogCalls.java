package io.elanus.role.proxy.grpc;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.role.proxy.check.Names;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.proto.common.Status;
import io.elanus.wire.proto.milvus.AlterCollectionRequest;
import io.elanus.wire.proto.milvus.BatchDescribeCollectionRequest;
import io.elanus.wire.proto.milvus.BatchDescribeCollectionResponse;
import io.elanus.wire.proto.milvus.BoolResponse;
import io.elanus.wire.proto.milvus.CreateCollectionRequest;
import io.elanus.wire.proto.milvus.DescribeAliasRequest;
import io.elanus.wire.proto.milvus.DescribeAliasResponse;
import io.elanus.wire.proto.milvus.DescribeCollectionRequest;
import io.elanus.wire.proto.milvus.DescribeCollectionResponse;
import io.elanus.wire.proto.milvus.DescribeDatabaseRequest;
import io.elanus.wire.proto.milvus.DescribeDatabaseResponse;
import io.elanus.wire.proto.milvus.HasCollectionRequest;
import io.elanus.wire.proto.milvus.HasPartitionRequest;
import io.elanus.wire.proto.milvus.ListAliasesRequest;
import io.elanus.wire.proto.milvus.ListAliasesResponse;
import io.elanus.wire.proto.milvus.ListDatabasesResponse;
import io.elanus.wire.proto.milvus.ShowCollectionsRequest;
import io.elanus.wire.proto.milvus.ShowCollectionsResponse;
import io.elanus.wire.proto.milvus.ShowPartitionsRequest;
import io.elanus.wire.proto.milvus.ShowPartitionsResponse;
import io.elanus.wire.proto.milvus.ShowType;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.CatalogService.CollectionView;
import io.elanus.wire.service.CatalogService.FindCollection;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.status.WireStatus;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// Databases, collections, partitions and aliases.
///
/// Thread-safe: stateless.
@SuppressWarnings("deprecation") // Old clients still read what the contract has deprecated.
final class CatalogCalls {
  private final ProxyApi proxy;

  CatalogCalls(ProxyApi proxy) {
    this.proxy = proxy;
  }

  void ddl(DdlRequest request, StreamObserver<Status> observer) {
    CallContext context = CallContextInterceptor.call();
    Replies.status(observer, () -> proxy.ddl(context, request));
  }

  void createCollection(CreateCollectionRequest request, StreamObserver<Status> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.status(
        observer,
        () -> {
          Map<String, String> properties =
              new TreeMap<>(SchemaConverter.properties(request.getSchema()));
          properties.putAll(Pairs.map(request.getPropertiesList()));
          DdlRequest ddl =
              new DdlRequest.CreateCollection(
                  database,
                  SchemaConverter.schema(request.getSchema(), request.getCollectionName()),
                  request.getShardsNum(),
                  Math.clamp(request.getNumPartitions(), Integer.MIN_VALUE, Integer.MAX_VALUE),
                  new DdlRequest.CreateCollection.Options(
                      ConsistencyLevel.ofNumber(request.getConsistencyLevelValue()), properties));
          return proxy.ddl(context, ddl);
        });
  }

  void alterCollection(AlterCollectionRequest request, StreamObserver<Status> observer) {
    ddl(
        new DdlRequest.AlterCollection(
            CallContextInterceptor.database(request.getDbName()),
            request.getCollectionName(),
            Pairs.map(request.getPropertiesList()),
            List.copyOf(request.getDeleteKeysList())),
        observer);
  }

  private static CompletableFuture<Boolean> exists(CompletableFuture<?> lookup, ErrorCode missing) {
    return lookup.handle((_, fault) -> {
      if (fault == null) {
        return true;
      }
      Throwable cause = fault;
      while (cause instanceof CompletionException && cause.getCause() != null) {
        cause = cause.getCause();
      }
      if (cause instanceof DbException known && known.code() == missing) {
        return false;
      }
      throw fault instanceof CompletionException wrapped ? wrapped : new CompletionException(fault);
    });
  }

  private static BoolResponse bool(boolean value) {
    return BoolResponse.newBuilder().setStatus(WireStatus.success()).setValue(value).build();
  }

  void hasCollection(HasCollectionRequest request, StreamObserver<BoolResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    FindCollection find =
        FindCollection.byName(
            CallContextInterceptor.database(request.getDbName()), request.getCollectionName());
    Replies.answer(
        observer,
        () -> exists(proxy.collection(context, find), ErrorCode.COLLECTION_NOT_FOUND),
        CatalogCalls::bool,
        status -> BoolResponse.newBuilder().setStatus(status).build());
  }

  void hasPartition(HasPartitionRequest request, StreamObserver<BoolResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String partition = request.getPartitionName();
    FindCollection find =
        FindCollection.byName(
            CallContextInterceptor.database(request.getDbName()), request.getCollectionName());
    Replies.answer(
        observer,
        () -> {
          Names.partition(partition, true);
          return proxy.collection(context, find);
        },
        view -> bool(view.meta().partition(partition) != null),
        status -> BoolResponse.newBuilder().setStatus(status).build());
  }

  void describeCollection(
      DescribeCollectionRequest request, StreamObserver<DescribeCollectionResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    String name = request.getCollectionName();
    FindCollection find =
        name.isEmpty() && request.getCollectionID() != 0
            ? FindCollection.byId(new CollectionId(request.getCollectionID()))
            : FindCollection.byName(database, name);
    Replies.answer(
        observer,
        () -> proxy.collection(context, find),
        CatalogCalls::description,
        status -> undescribed(status, database, name));
  }

  /// Older clients recognise a missing collection by this text and the old code 1.
  private static DescribeCollectionResponse undescribed(
      Status status, String database, String name) {
    Status shown = status;
    if (status.getCode() == ErrorCode.COLLECTION_NOT_FOUND.number()) {
      String text = "can't find collection[database=" + database + "][collection=" + name + "]";
      shown =
          WireStatus.withOldCode(status, io.elanus.wire.proto.common.ErrorCode.UnexpectedError)
              .toBuilder()
              .setReason(text)
              .setDetail(text)
              .setRetriable(false)
              .putExtraInfo(WireStatus.IS_INPUT_ERROR, "true")
              .build();
    }
    return DescribeCollectionResponse.newBuilder().setStatus(shown).build();
  }

  static DescribeCollectionResponse description(CollectionView view) {
    CollectionMeta meta = view.meta();
    DescribeCollectionResponse.Builder out =
        DescribeCollectionResponse.newBuilder()
            .setStatus(WireStatus.success())
            .setSchema(SchemaConverter.describe(meta.schema()))
            .setCollectionID(meta.id().value())
            .setCreatedTimestamp(meta.createdTs().value())
            .setCreatedUtcTimestamp(meta.createdTs().physicalMs())
            .setShardsNum(meta.shards())
            .addAllAliases(view.aliases())
            .setConsistencyLevelValue(meta.options().consistency().number())
            .setCollectionName(meta.name())
            .addAllProperties(Pairs.list(meta.options().properties()))
            .setDbName(meta.owner().databaseName())
            .setDbId(meta.owner().databaseId().value())
            .setNumPartitions(meta.partitions().size())
            .setUpdateTimestamp(meta.updateTs().value())
            .setUpdateTimestampStr(meta.updateTs().toString());
    for (VChannel channel : meta.vchannels()) {
      out.addVirtualChannelNames(channel.name());
      out.addPhysicalChannelNames(channel.pchannel().name());
    }
    return out.build();
  }

  void batchDescribe(
      BatchDescribeCollectionRequest request,
      StreamObserver<BatchDescribeCollectionResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> {
          List<CompletableFuture<DescribeCollectionResponse>> parts = new ArrayList<>();
          for (String name : request.getCollectionNameList()) {
            parts.add(described(context, FindCollection.byName(database, name), name));
          }
          for (long id : request.getCollectionIDList()) {
            parts.add(described(context, FindCollection.byId(new CollectionId(id)), ""));
          }
          if (parts.isEmpty()) {
            throw DbException.of(ErrorCode.PARAMETER_MISSING, "collection names cannot be empty");
          }
          return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
              .thenApply(_ -> parts.stream().map(CompletableFuture::join).toList());
        },
        parts ->
            BatchDescribeCollectionResponse.newBuilder()
                .setStatus(WireStatus.success())
                .addAllResponses(parts)
                .build(),
        status -> BatchDescribeCollectionResponse.newBuilder().setStatus(status).build());
  }

  private CompletableFuture<DescribeCollectionResponse> described(
      CallContext context, FindCollection find, String name) {
    return proxy
        .collection(context, find)
        .handle((view, fault) ->
            fault == null
                ? description(view)
                : undescribed(WireStatus.of(fault, context.requestId()), find.database(), name));
  }

  void showCollections(
      ShowCollectionsRequest request, StreamObserver<ShowCollectionsResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    boolean inMemory = request.getType() == ShowType.InMemory;
    List<String> names = List.copyOf(request.getCollectionNamesList());
    Replies.answer(
        observer,
        () ->
            proxy
                .collections(context, database)
                .thenCompose(list ->
                    inMemory
                        ? withLoad(context, list.collections(), names)
                        : CompletableFuture.completedFuture(
                            list.collections().stream().map(v -> new Shown(v, null)).toList())),
        CatalogCalls::shown,
        status -> ShowCollectionsResponse.newBuilder().setStatus(status).build());
  }

  private record Shown(CollectionView view, QueryCoordService.@Nullable LoadStatus load) {}

  private CompletableFuture<List<Shown>> withLoad(
      CallContext context, List<CollectionView> views, List<String> names) {
    List<CompletableFuture<Shown>> parts = new ArrayList<>();
    for (CollectionView view : views) {
      if (names.isEmpty() || names.contains(view.meta().name())) {
        ProxyApi.CollectionTarget target =
            new ProxyApi.CollectionTarget(
                view.meta().owner().databaseName(), view.meta().name(), List.of());
        parts.add(proxy.loadStatus(context, target).thenApply(load -> new Shown(view, load)));
      }
    }
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(_ ->
            parts.stream().map(CompletableFuture::join).filter(CatalogCalls::isLoading).toList());
  }

  private static boolean isLoading(Shown shown) {
    return shown.load() != null && shown.load().state() != QueryCoordService.LoadState.NOT_LOADED;
  }

  private static ShowCollectionsResponse shown(List<Shown> collections) {
    ShowCollectionsResponse.Builder out =
        ShowCollectionsResponse.newBuilder().setStatus(WireStatus.success());
    for (Shown shown : collections) {
      CollectionMeta meta = shown.view().meta();
      out.addCollectionNames(meta.name());
      out.addCollectionIds(meta.id().value());
      out.addCreatedTimestamps(meta.createdTs().value());
      out.addCreatedUtcTimestamps(meta.createdTs().physicalMs());
      out.addShardsNum(meta.shards());
      QueryCoordService.LoadStatus load = shown.load();
      if (load != null) {
        out.addInMemoryPercentages(load.progress());
        out.addQueryServiceAvailable(load.state() == QueryCoordService.LoadState.LOADED);
      }
    }
    return out.build();
  }

  void showPartitions(
      ShowPartitionsRequest request, StreamObserver<ShowPartitionsResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    String name = request.getCollectionName();
    FindCollection find =
        name.isEmpty() && request.getCollectionID() != 0
            ? FindCollection.byId(new CollectionId(request.getCollectionID()))
            : FindCollection.byName(database, name);
    boolean inMemory = request.getType() == ShowType.InMemory;
    Replies.answer(
        observer,
        () ->
            proxy
                .collection(context, find)
                .thenCompose(view -> partitions(context, view.meta(), inMemory)),
        partitions -> partitionList(partitions, request.getPartitionNamesList()),
        status -> ShowPartitionsResponse.newBuilder().setStatus(status).build());
  }

  private record ShownPartition(PartitionMeta partition, int percent) {}

  private CompletableFuture<List<ShownPartition>> partitions(
      CallContext context, CollectionMeta meta, boolean inMemory) {
    if (!inMemory) {
      return CompletableFuture.completedFuture(
          meta.partitions().stream().map(p -> new ShownPartition(p, 0)).toList());
    }
    ProxyApi.CollectionTarget target =
        new ProxyApi.CollectionTarget(meta.owner().databaseName(), meta.name(), List.of());
    return proxy
        .loadStatus(context, target)
        .thenApply(load ->
            meta.partitions().stream()
                .filter(p -> load.loadedPartitions().contains(p.id()))
                .map(p -> new ShownPartition(p, load.progress()))
                .toList());
  }

  private static ShowPartitionsResponse partitionList(
      List<ShownPartition> partitions, List<String> names) {
    ShowPartitionsResponse.Builder out =
        ShowPartitionsResponse.newBuilder().setStatus(WireStatus.success());
    for (ShownPartition shown : partitions) {
      PartitionMeta partition = shown.partition();
      if (names.isEmpty() || names.contains(partition.name())) {
        out.addPartitionNames(partition.name());
        out.addPartitionIDs(partition.id().value());
        out.addCreatedTimestamps(partition.createdTs().value());
        out.addCreatedUtcTimestamps(partition.createdTs().physicalMs());
        out.addInMemoryPercentages(shown.percent());
      }
    }
    return out.build();
  }

  void describeAlias(DescribeAliasRequest request, StreamObserver<DescribeAliasResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> proxy.alias(context, database, request.getAlias()),
        view ->
            DescribeAliasResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setDbName(database)
                .setAlias(view.alias().alias())
                .setCollection(view.collectionName())
                .build(),
        status -> DescribeAliasResponse.newBuilder().setStatus(status).build());
  }

  void listAliases(ListAliasesRequest request, StreamObserver<ListAliasesResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    String collection = request.getCollectionName();
    Replies.answer(
        observer,
        () ->
            proxy.aliases(
                context,
                new CatalogService.ListAliases(database, collection.isEmpty() ? null : collection)),
        list -> {
          ListAliasesResponse.Builder out =
              ListAliasesResponse.newBuilder()
                  .setStatus(WireStatus.success())
                  .setDbName(database)
                  .setCollectionName(collection);
          list.aliases().forEach(view -> out.addAliases(view.alias().alias()));
          return out.build();
        },
        status -> ListAliasesResponse.newBuilder().setStatus(status).build());
  }

  void listDatabases(StreamObserver<ListDatabasesResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    Replies.answer(
        observer,
        () -> proxy.databases(context),
        list -> {
          ListDatabasesResponse.Builder out =
              ListDatabasesResponse.newBuilder().setStatus(WireStatus.success());
          for (DatabaseMeta database : list.databases()) {
            out.addDbNames(database.name());
            out.addCreatedTimestamp(database.createdTs().value());
            out.addDbIds(database.id().value());
          }
          return out.build();
        },
        status -> ListDatabasesResponse.newBuilder().setStatus(status).build());
  }

  void describeDatabase(
      DescribeDatabaseRequest request, StreamObserver<DescribeDatabaseResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String name = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> database(context, name),
        database ->
            DescribeDatabaseResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setDbName(database.name())
                .setDbID(database.id().value())
                .setCreatedTimestamp(database.createdTs().value())
                .addAllProperties(Pairs.list(database.properties()))
                .build(),
        status -> DescribeDatabaseResponse.newBuilder().setStatus(status).build());
  }

  /// The database of this name; 800 when there is none.
  CompletableFuture<DatabaseMeta> database(CallContext context, String name) {
    return proxy
        .databases(context)
        .thenApply(list -> {
          for (DatabaseMeta database : list.databases()) {
            if (database.name().equals(name)) {
              return database;
            }
          }
          throw DbException.withFields(ErrorCode.DATABASE_NOT_FOUND, "database", name);
        });
  }

  /// A fresh timestamp, for the identifier of a connection.
  CompletableFuture<HybridTs> timestamp(CallContext context) {
    return proxy.allocTimestamp(context);
  }
}
