package io.elanus.role.proxy.grpc;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.wire.proto.common.IndexState;
import io.elanus.wire.proto.common.LoadState;
import io.elanus.wire.proto.common.Status;
import io.elanus.wire.proto.milvus.CreateIndexRequest;
import io.elanus.wire.proto.milvus.DescribeIndexRequest;
import io.elanus.wire.proto.milvus.DescribeIndexResponse;
import io.elanus.wire.proto.milvus.GetIndexBuildProgressRequest;
import io.elanus.wire.proto.milvus.GetIndexBuildProgressResponse;
import io.elanus.wire.proto.milvus.GetIndexStateRequest;
import io.elanus.wire.proto.milvus.GetIndexStateResponse;
import io.elanus.wire.proto.milvus.GetIndexStatisticsRequest;
import io.elanus.wire.proto.milvus.GetIndexStatisticsResponse;
import io.elanus.wire.proto.milvus.GetLoadStateRequest;
import io.elanus.wire.proto.milvus.GetLoadStateResponse;
import io.elanus.wire.proto.milvus.GetLoadingProgressRequest;
import io.elanus.wire.proto.milvus.GetLoadingProgressResponse;
import io.elanus.wire.proto.milvus.IndexDescription;
import io.elanus.wire.proto.milvus.LoadCollectionRequest;
import io.elanus.wire.proto.milvus.LoadPartitionsRequest;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.FindCollection;
import io.elanus.wire.service.DataCoordService.IndexStatus;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.status.WireStatus;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Indexes and loads.
///
/// Thread-safe: stateless.
final class IndexCalls {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final ProxyApi proxy;

  IndexCalls(ProxyApi proxy) {
    this.proxy = proxy;
  }

  void createIndex(CreateIndexRequest request, StreamObserver<Status> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.status(
        observer,
        () ->
            proxy.ddl(
                context,
                new DdlRequest.CreateIndex(
                    database,
                    request.getCollectionName(),
                    request.getFieldName(),
                    request.getIndexName(),
                    flattened(Pairs.map(request.getExtraParamsList())),
                    Map.of())));
  }

  /// `params` is a JSON object whose members count as keys of their own.
  private static Map<String, String> flattened(Map<String, String> extra) {
    String params = extra.get("params");
    if (params == null) {
      return extra;
    }
    Map<String, String> flat = new TreeMap<>(extra);
    flat.remove("params");
    if (params.isBlank()) {
      return flat;
    }
    JsonNode object;
    try {
      object = JSON.readTree(params);
    } catch (JacksonException e) {
      throw DbException.invalid("index params should be a JSON object, got " + params).causedBy(e);
    }
    if (!object.isObject()) {
      throw DbException.invalid("index params should be a JSON object, got " + params);
    }
    object
        .properties()
        .forEach(member -> {
          JsonNode value = member.getValue();
          flat.put(member.getKey(), value.isString() ? value.stringValue() : value.toString());
        });
    return flat;
  }

  private record Described(List<IndexStatus> indexes, Map<FieldId, String> fieldNames) {}

  private CompletableFuture<Described> indexes(
      CallContext context, String database, String collection, String indexName) {
    return proxy
        .indexes(context, database, collection, indexName)
        .thenCombine(
            proxy.collection(context, FindCollection.byName(database, collection)),
            (list, view) -> {
              Map<FieldId, String> names = new TreeMap<>();
              for (FieldSchema field : view.meta().schema().fields()) {
                names.put(field.id(), field.name());
              }
              return new Described(list.indexes(), names);
            });
  }

  private static IndexDescription description(IndexStatus status, Map<FieldId, String> names) {
    return IndexDescription.newBuilder()
        .setIndexName(status.index().name())
        .setIndexID(status.index().id().value())
        .addAllParams(Pairs.list(status.index().userParams()))
        .setFieldName(fieldName(status, names))
        .setIndexedRows(status.indexedRows())
        .setTotalRows(status.totalRows())
        .setPendingIndexRows(status.pendingRows())
        .setStateValue(status.state())
        .setIndexStateFailReason(status.failReason())
        .build();
  }

  /// The field's name; of an index on a dynamic key, the key.
  private static String fieldName(IndexStatus status, Map<FieldId, String> names) {
    String name = names.getOrDefault(status.index().fieldId(), "");
    String path = status.index().buildParams().getOrDefault("json_path", "");
    if (!name.equals(CollectionSchema.DYNAMIC_FIELD) || !path.startsWith("/")) {
      return name;
    }
    int end = path.indexOf('/', 1);
    return path.substring(1, end < 0 ? path.length() : end).replace("~1", "/").replace("~0", "~");
  }

  void describeIndex(DescribeIndexRequest request, StreamObserver<DescribeIndexResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> indexes(context, database, request.getCollectionName(), request.getIndexName()),
        found -> {
          DescribeIndexResponse.Builder out =
              DescribeIndexResponse.newBuilder().setStatus(WireStatus.success());
          found
              .indexes()
              .forEach(status -> out.addIndexDescriptions(description(status, found.fieldNames())));
          return out.build();
        },
        status -> DescribeIndexResponse.newBuilder().setStatus(status).build());
  }

  void indexStatistics(
      GetIndexStatisticsRequest request, StreamObserver<GetIndexStatisticsResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> indexes(context, database, request.getCollectionName(), request.getIndexName()),
        found -> {
          GetIndexStatisticsResponse.Builder out =
              GetIndexStatisticsResponse.newBuilder().setStatus(WireStatus.success());
          found
              .indexes()
              .forEach(status -> out.addIndexDescriptions(description(status, found.fieldNames())));
          return out.build();
        },
        status -> GetIndexStatisticsResponse.newBuilder().setStatus(status).build());
  }

  /// The only index meant by an old call: several are ambiguous (702).
  private static IndexStatus single(Described found) {
    if (found.indexes().size() > 1) {
      throw DbException.of(
          ErrorCode.INDEX_DUPLICATE, "there are multiple indexes, please specify the index_name");
    }
    return found.indexes().getFirst();
  }

  void indexState(GetIndexStateRequest request, StreamObserver<GetIndexStateResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () ->
            indexes(context, database, request.getCollectionName(), request.getIndexName())
                .thenApply(IndexCalls::single),
        status ->
            GetIndexStateResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setStateValue(status.state())
                .setFailReason(status.failReason())
                .build(),
        status ->
            GetIndexStateResponse.newBuilder()
                .setStatus(status)
                .setState(IndexState.IndexStateNone)
                .build());
  }

  void indexBuildProgress(
      GetIndexBuildProgressRequest request,
      StreamObserver<GetIndexBuildProgressResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () ->
            indexes(context, database, request.getCollectionName(), request.getIndexName())
                .thenApply(IndexCalls::single),
        status ->
            GetIndexBuildProgressResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setIndexedRows(status.indexedRows())
                .setTotalRows(status.totalRows())
                .build(),
        status -> GetIndexBuildProgressResponse.newBuilder().setStatus(status).build());
  }

  void loadCollection(LoadCollectionRequest request, StreamObserver<Status> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.status(
        observer,
        () ->
            proxy.ddl(
                context,
                new DdlRequest.Load(
                    database,
                    request.getCollectionName(),
                    List.of(),
                    request.getReplicaNumber(),
                    List.copyOf(request.getLoadFieldsList()))));
  }

  void loadPartitions(LoadPartitionsRequest request, StreamObserver<Status> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.status(
        observer,
        () -> {
          if (request.getPartitionNamesCount() == 0) {
            throw DbException.invalid("due to no partition specified");
          }
          return proxy.ddl(
              context,
              new DdlRequest.Load(
                  database,
                  request.getCollectionName(),
                  List.copyOf(request.getPartitionNamesList()),
                  request.getReplicaNumber(),
                  List.copyOf(request.getLoadFieldsList())));
        });
  }

  void loadingProgress(
      GetLoadingProgressRequest request, StreamObserver<GetLoadingProgressResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    ProxyApi.CollectionTarget target =
        new ProxyApi.CollectionTarget(
            database, request.getCollectionName(), List.copyOf(request.getPartitionNamesList()));
    FindCollection find = FindCollection.byName(database, request.getCollectionName());
    Replies.answer(
        observer,
        () ->
            proxy
                .collection(context, find)
                .thenCombine(
                    proxy.loadStatus(context, target),
                    (view, load) -> {
                      if (load.state() == QueryCoordService.LoadState.NOT_LOADED) {
                        throw DbException.withFields(
                            ErrorCode.COLLECTION_NOT_LOADED, "collection", view.meta().id());
                      }
                      return load;
                    }),
        load ->
            GetLoadingProgressResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setProgress(load.progress())
                .setRefreshProgress(100)
                .build(),
        status -> GetLoadingProgressResponse.newBuilder().setStatus(status).build());
  }

  void loadState(GetLoadStateRequest request, StreamObserver<GetLoadStateResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    ProxyApi.CollectionTarget target =
        new ProxyApi.CollectionTarget(
            CallContextInterceptor.database(request.getDbName()),
            request.getCollectionName(),
            List.copyOf(request.getPartitionNamesList()));
    Replies.answer(
        observer,
        () -> proxy.loadStatus(context, target),
        load -> loadState(stateOf(load.state())),
        status ->
            status.getCode() == ErrorCode.COLLECTION_NOT_FOUND.number()
                ? loadState(LoadState.LoadStateNotExist)
                : GetLoadStateResponse.newBuilder().setStatus(status).build());
  }

  private static GetLoadStateResponse loadState(LoadState state) {
    return GetLoadStateResponse.newBuilder()
        .setStatus(WireStatus.success())
        .setState(state)
        .build();
  }

  private static LoadState stateOf(QueryCoordService.LoadState state) {
    return switch (state) {
      case NOT_LOADED -> LoadState.LoadStateNotLoad;
      case LOADING -> LoadState.LoadStateLoading;
      case LOADED -> LoadState.LoadStateLoaded;
    };
  }
}
