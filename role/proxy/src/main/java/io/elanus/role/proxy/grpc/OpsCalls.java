package io.elanus.role.proxy.grpc;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.proto.common.CompactionState;
import io.elanus.wire.proto.common.SegmentLevel;
import io.elanus.wire.proto.common.ServerInfo;
import io.elanus.wire.proto.common.StateCode;
import io.elanus.wire.proto.milvus.CheckHealthResponse;
import io.elanus.wire.proto.milvus.CompactionMergeInfo;
import io.elanus.wire.proto.milvus.ComponentInfo;
import io.elanus.wire.proto.milvus.ComponentStates;
import io.elanus.wire.proto.milvus.ConnectResponse;
import io.elanus.wire.proto.milvus.FlushRequest;
import io.elanus.wire.proto.milvus.FlushResponse;
import io.elanus.wire.proto.milvus.GetCollectionStatisticsRequest;
import io.elanus.wire.proto.milvus.GetCollectionStatisticsResponse;
import io.elanus.wire.proto.milvus.GetCompactionPlansRequest;
import io.elanus.wire.proto.milvus.GetCompactionPlansResponse;
import io.elanus.wire.proto.milvus.GetCompactionStateRequest;
import io.elanus.wire.proto.milvus.GetCompactionStateResponse;
import io.elanus.wire.proto.milvus.GetFlushStateRequest;
import io.elanus.wire.proto.milvus.GetFlushStateResponse;
import io.elanus.wire.proto.milvus.GetMetricsRequest;
import io.elanus.wire.proto.milvus.GetMetricsResponse;
import io.elanus.wire.proto.milvus.GetPartitionStatisticsRequest;
import io.elanus.wire.proto.milvus.GetPartitionStatisticsResponse;
import io.elanus.wire.proto.milvus.GetPersistentSegmentInfoRequest;
import io.elanus.wire.proto.milvus.GetPersistentSegmentInfoResponse;
import io.elanus.wire.proto.milvus.GetQuerySegmentInfoRequest;
import io.elanus.wire.proto.milvus.GetQuerySegmentInfoResponse;
import io.elanus.wire.proto.milvus.GetReplicasRequest;
import io.elanus.wire.proto.milvus.GetReplicasResponse;
import io.elanus.wire.proto.milvus.GetVersionResponse;
import io.elanus.wire.proto.milvus.ListResourceGroupsResponse;
import io.elanus.wire.proto.milvus.ManualCompactionRequest;
import io.elanus.wire.proto.milvus.ManualCompactionResponse;
import io.elanus.wire.proto.milvus.PersistentSegmentInfo;
import io.elanus.wire.proto.milvus.QuerySegmentInfo;
import io.elanus.wire.proto.milvus.ReplicaInfo;
import io.elanus.wire.proto.milvus.ShardReplica;
import io.elanus.wire.proto.schema.LongArray;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.FindCollection;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.status.WireStatus;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Connection, health, flush, statistics, segments, compaction.
///
/// Thread-safe: stateless.
@SuppressWarnings("deprecation") // Old clients still read what the contract has deprecated.
final class OpsCalls {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final ProxyApi proxy;
  private final CatalogCalls catalog;
  private final NodeFacts facts;

  OpsCalls(ProxyApi proxy, CatalogCalls catalog, NodeFacts facts) {
    this.proxy = proxy;
    this.catalog = catalog;
    this.facts = facts;
  }

  void connect(StreamObserver<ConnectResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database("");
    Replies.answer(
        observer,
        () -> catalog.database(context, database).thenCompose(_ -> catalog.timestamp(context)),
        timestamp ->
            ConnectResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setIdentifier(timestamp.value())
                .setServerInfo(
                    ServerInfo.newBuilder()
                        .setBuildTags(facts.contractVersion())
                        .setGitCommit("elanus-" + facts.productVersion())
                        .setDeployMode(facts.deployMode()))
                .build(),
        status -> ConnectResponse.newBuilder().setStatus(status).build());
  }

  /// The contract's version is empty here; telling it, as Connect does, helps people who look.
  void version(StreamObserver<GetVersionResponse> observer) {
    Replies.send(
        observer,
        GetVersionResponse.newBuilder()
            .setStatus(WireStatus.success())
            .setVersion(facts.contractVersion())
            .build());
  }

  /// All nodes are in the one default group.
  void resourceGroups(StreamObserver<ListResourceGroupsResponse> observer) {
    Replies.send(
        observer,
        ListResourceGroupsResponse.newBuilder()
            .setStatus(WireStatus.success())
            .addResourceGroups("__default_resource_group")
            .build());
  }

  void checkHealth(StreamObserver<CheckHealthResponse> observer) {
    NodeFacts.Health health = facts.health().get();
    Replies.send(
        observer,
        CheckHealthResponse.newBuilder()
            .setStatus(WireStatus.success())
            .setIsHealthy(health.healthy())
            .addAllReasons(health.reasons())
            .build());
  }

  void componentStates(StreamObserver<ComponentStates> observer) {
    StateCode code = facts.health().get().healthy() ? StateCode.Healthy : StateCode.Abnormal;
    Replies.send(
        observer,
        ComponentStates.newBuilder()
            .setStatus(WireStatus.success())
            .setState(
                ComponentInfo.newBuilder()
                    .setNodeID(facts.nodeId())
                    .setRole("proxy")
                    .setStateCode(code))
            .build());
  }

  void metrics(GetMetricsRequest request, StreamObserver<GetMetricsResponse> observer) {
    Replies.answer(
        observer,
        () -> CompletableFuture.completedFuture(systemInfo(request.getRequest())),
        text ->
            GetMetricsResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setComponentName("proxy" + facts.nodeId())
                .setResponse(text)
                .build(),
        status -> GetMetricsResponse.newBuilder().setStatus(status).build());
  }

  private String systemInfo(String request) {
    JsonNode asked;
    try {
      asked = JSON.readTree(request);
    } catch (JacksonException e) {
      throw DbException.invalid("failed to decode the request, reason: " + e.getOriginalMessage())
          .causedBy(e);
    }
    JsonNode type = asked.get("metric_type");
    if (type == null) {
      throw DbException.invalid("metric_type or req_type not found in request");
    }
    if (!type.asString().equals("system_info")) {
      throw DbException.withFields(ErrorCode.METRIC_NOT_FOUND, "metric", type.asString());
    }
    Runtime runtime = Runtime.getRuntime();
    ObjectNode root = JSON.createObjectNode();
    ObjectNode node = root.putArray("nodes_info").addObject();
    node.put("identifier", facts.nodeId());
    node.putArray("connected");
    ObjectNode infos = node.putObject("infos");
    infos.put("has_error", false).put("error_reason", "").put("name", "proxy" + facts.nodeId());
    infos
        .putObject("hardware_infos")
        .put("ip", facts.address())
        .put("cpu_core_count", runtime.availableProcessors())
        .put("memory", runtime.maxMemory())
        .put("memory_usage", runtime.totalMemory() - runtime.freeMemory());
    infos
        .putObject("system_info")
        .put("deploy_mode", facts.deployMode())
        .put("build_version", facts.contractVersion())
        .put("system_version", "elanus-" + facts.productVersion());
    infos.put("type", "proxy").put("id", facts.nodeId());
    return root.toString();
  }

  // Statistics.

  void collectionStatistics(
      GetCollectionStatisticsRequest request,
      StreamObserver<GetCollectionStatisticsResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    ProxyApi.CollectionTarget target =
        new ProxyApi.CollectionTarget(
            CallContextInterceptor.database(request.getDbName()),
            request.getCollectionName(),
            List.of());
    Replies.answer(
        observer,
        () -> proxy.countRows(context, target),
        count ->
            GetCollectionStatisticsResponse.newBuilder()
                .setStatus(WireStatus.success())
                .addStats(Pairs.pair("row_count", Long.toString(count.rows())))
                .build(),
        status -> GetCollectionStatisticsResponse.newBuilder().setStatus(status).build());
  }

  void partitionStatistics(
      GetPartitionStatisticsRequest request,
      StreamObserver<GetPartitionStatisticsResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    ProxyApi.CollectionTarget target =
        new ProxyApi.CollectionTarget(
            CallContextInterceptor.database(request.getDbName()),
            request.getCollectionName(),
            List.of(request.getPartitionName()));
    Replies.answer(
        observer,
        () -> proxy.countRows(context, target),
        count ->
            GetPartitionStatisticsResponse.newBuilder()
                .setStatus(WireStatus.success())
                .addStats(Pairs.pair("row_count", Long.toString(count.rows())))
                .build(),
        status -> GetPartitionStatisticsResponse.newBuilder().setStatus(status).build());
  }

  // Flush.

  private record Flushed(String collection, DataCoordService.FlushReply reply) {}

  void flush(FlushRequest request, StreamObserver<FlushResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> {
          List<CompletableFuture<Flushed>> parts = new ArrayList<>();
          for (String name : request.getCollectionNamesList()) {
            parts.add(
                proxy.flush(context, database, name).thenApply(reply -> new Flushed(name, reply)));
          }
          return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
              .thenApply(_ -> parts.stream().map(CompletableFuture::join).toList());
        },
        flushed -> flushResponse(database, flushed),
        status -> FlushResponse.newBuilder().setStatus(status).build());
  }

  private static FlushResponse flushResponse(String database, List<Flushed> flushed) {
    FlushResponse.Builder out =
        FlushResponse.newBuilder().setStatus(WireStatus.success()).setDbName(database);
    for (Flushed one : flushed) {
      DataCoordService.FlushReply reply = one.reply();
      out.putCollSegIDs(one.collection(), ids(reply.sealed()));
      out.putFlushCollSegIDs(one.collection(), ids(reply.flushed()));
      out.putCollSealTimes(one.collection(), reply.flushTs().physicalMs() / 1000);
      out.putCollFlushTs(one.collection(), reply.flushTs().value());
    }
    return out.build();
  }

  private static LongArray ids(List<SegmentId> segments) {
    LongArray.Builder out = LongArray.newBuilder();
    segments.forEach(segment -> out.addData(segment.value()));
    return out.build();
  }

  void flushState(GetFlushStateRequest request, StreamObserver<GetFlushStateResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    String name = request.getCollectionName();
    List<SegmentId> segments = request.getSegmentIDsList().stream().map(SegmentId::new).toList();
    HybridTs flushTs = new HybridTs(request.getFlushTs());
    Replies.answer(
        observer,
        () ->
            collectionId(context, database, name)
                .thenCompose(id ->
                    proxy.flushState(
                        context, new DataCoordService.FindFlushState(id, segments, flushTs))),
        state ->
            GetFlushStateResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setFlushed(state.flushed())
                .build(),
        status -> GetFlushStateResponse.newBuilder().setStatus(status).build());
  }

  /// Old clients ask by segments only; id 0 stands for no collection.
  private CompletableFuture<CollectionId> collectionId(
      CallContext context, String database, String name) {
    return name.isEmpty()
        ? CompletableFuture.completedFuture(new CollectionId(0))
        : proxy
            .collection(context, FindCollection.byName(database, name))
            .thenApply(view -> view.meta().id());
  }

  // Segments and replicas.

  void persistentSegments(
      GetPersistentSegmentInfoRequest request,
      StreamObserver<GetPersistentSegmentInfoResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> proxy.segments(context, database, request.getCollectionName()),
        list -> {
          GetPersistentSegmentInfoResponse.Builder out =
              GetPersistentSegmentInfoResponse.newBuilder().setStatus(WireStatus.success());
          for (SegmentMeta segment : list.segments()) {
            out.addInfos(
                PersistentSegmentInfo.newBuilder()
                    .setSegmentID(segment.id().value())
                    .setCollectionID(segment.place().collectionId().value())
                    .setPartitionID(segment.place().partitionId().value())
                    .setNumRows(segment.stats().rows())
                    .setStateValue(segment.state().number())
                    .setLevel(SegmentLevel.L1));
          }
          return out.build();
        },
        status -> GetPersistentSegmentInfoResponse.newBuilder().setStatus(status).build());
  }

  void querySegments(
      GetQuerySegmentInfoRequest request, StreamObserver<GetQuerySegmentInfoResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    String name = request.getCollectionName();
    Replies.answer(
        observer,
        () ->
            proxy
                .loadedSegments(context, database, name)
                .thenCombine(
                    proxy.collection(context, FindCollection.byName(database, name)),
                    (list, view) -> loaded(list, view.meta().id())),
        response -> response,
        status -> GetQuerySegmentInfoResponse.newBuilder().setStatus(status).build());
  }

  private static GetQuerySegmentInfoResponse loaded(
      QueryCoordService.LoadedSegmentList list, CollectionId collection) {
    GetQuerySegmentInfoResponse.Builder out =
        GetQuerySegmentInfoResponse.newBuilder().setStatus(WireStatus.success());
    for (QueryCoordService.LoadedSegment segment : list.segments()) {
      out.addInfos(
          QuerySegmentInfo.newBuilder()
              .setSegmentID(segment.id().value())
              .setCollectionID(collection.value())
              .setPartitionID(segment.partitionId().value())
              .setMemSize(segment.memoryBytes())
              .setNumRows(segment.rows())
              .setNodeID(segment.node().value())
              .addNodeIds(segment.node().value())
              .setState(io.elanus.wire.proto.common.SegmentState.Sealed)
              .setLevel(SegmentLevel.L1));
    }
    return out.build();
  }

  void replicas(GetReplicasRequest request, StreamObserver<GetReplicasResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    String name = request.getCollectionName();
    FindCollection find =
        name.isEmpty() && request.getCollectionID() != 0
            ? FindCollection.byId(new CollectionId(request.getCollectionID()))
            : FindCollection.byName(database, name);
    Replies.answer(
        observer,
        () ->
            proxy
                .collection(context, find)
                .thenCompose(view ->
                    proxy
                        .shards(context, view.meta().owner().databaseName(), view.meta().name())
                        .thenApply(
                            shards -> replica(view.meta().id(), shards, view.meta().partitions()))),
        response -> response,
        status -> GetReplicasResponse.newBuilder().setStatus(status).build());
  }

  /// There is one replica; it takes the collection's id.
  private GetReplicasResponse replica(
      CollectionId collection, QueryCoordService.ShardList shards, List<PartitionMeta> all) {
    ReplicaInfo.Builder replica =
        ReplicaInfo.newBuilder()
            .setReplicaID(collection.value())
            .setCollectionID(collection.value())
            .setResourceGroupName("__default_resource_group");
    if (shards.loadedPartitions().size() < all.size()) {
      shards.loadedPartitions().forEach(id -> replica.addPartitionIds(id.value()));
    }
    List<Long> nodes = new ArrayList<>();
    for (QueryCoordService.Shard shard : shards.shards()) {
      long node = shard.leader().value();
      if (!nodes.contains(node)) {
        nodes.add(node);
      }
      replica.addShardReplicas(
          ShardReplica.newBuilder()
              .setLeaderID(node)
              .setLeaderAddr(facts.address())
              .setDmChannelName(shard.vchannel().name())
              .addNodeIds(node));
    }
    return GetReplicasResponse.newBuilder()
        .setStatus(WireStatus.success())
        .addReplicas(replica.addAllNodeIds(nodes))
        .build();
  }

  // Compaction.

  void compact(ManualCompactionRequest request, StreamObserver<ManualCompactionResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    boolean major = request.getMajorCompaction();
    Replies.answer(
        observer,
        () ->
            collectionName(context, request)
                .thenCompose(name -> proxy.compact(context, database, name, major)),
        started ->
            ManualCompactionResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setCompactionID(started.compactionId())
                .setCompactionPlanCount(started.plans())
                .build(),
        status -> ManualCompactionResponse.newBuilder().setStatus(status).build());
  }

  private CompletableFuture<String> collectionName(
      CallContext context, ManualCompactionRequest request) {
    if (!request.getCollectionName().isEmpty()) {
      return CompletableFuture.completedFuture(request.getCollectionName());
    }
    return proxy
        .collection(context, FindCollection.byId(new CollectionId(request.getCollectionID())))
        .thenApply(view -> view.meta().name());
  }

  private static CompactionState stateOf(DataCoordService.CompactionStatus status) {
    return status.completed() ? CompactionState.Completed : CompactionState.Executing;
  }

  void compactionState(
      GetCompactionStateRequest request, StreamObserver<GetCompactionStateResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    Replies.answer(
        observer,
        () -> proxy.compactionStatus(context, request.getCompactionID()),
        found ->
            GetCompactionStateResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setState(stateOf(found))
                .setExecutingPlanNo(found.executing())
                .setCompletedPlanNo(found.done())
                .setFailedPlanNo(found.failed())
                .build(),
        status -> GetCompactionStateResponse.newBuilder().setStatus(status).build());
  }

  void compactionPlans(
      GetCompactionPlansRequest request, StreamObserver<GetCompactionPlansResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    Replies.answer(
        observer,
        () -> proxy.compactionStatus(context, request.getCompactionID()),
        found -> {
          GetCompactionPlansResponse.Builder out =
              GetCompactionPlansResponse.newBuilder()
                  .setStatus(WireStatus.success())
                  .setState(stateOf(found));
          for (DataCoordService.MergedSegments merge : found.merges()) {
            CompactionMergeInfo.Builder info =
                CompactionMergeInfo.newBuilder().setTarget(merge.target().value());
            merge.sources().forEach(source -> info.addSources(source.value()));
            out.addMergeInfos(info);
          }
          return out.build();
        },
        status -> GetCompactionPlansResponse.newBuilder().setStatus(status).build());
  }
}
