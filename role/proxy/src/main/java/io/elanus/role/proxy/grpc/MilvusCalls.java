package io.elanus.role.proxy.grpc;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.wire.proto.common.Status;
import io.elanus.wire.proto.feder.Feder;
import io.elanus.wire.proto.milvus.*;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.status.WireStatus;
import io.grpc.stub.StreamObserver;
import java.util.List;

/// The service of the wire contract: one line a call. What is not overridden answers gRPC
/// UNIMPLEMENTED with the method's name; the contract's own stubs answer as it says (rpcs.md,
/// section 7).
///
/// Thread-safe: stateless. Runs on event loops and never blocks them.
@SuppressWarnings("deprecation") // Old clients still call what the contract has deprecated.
final class MilvusCalls extends MilvusServiceGrpc.MilvusServiceImplBase {
  private final CatalogCalls catalog;
  private final IndexCalls indexes;
  private final DataCalls data;
  private final OpsCalls ops;
  private final FlushAllCalls flushAll;
  private final ProxyApi proxy;

  MilvusCalls(ProxyApi proxy, DataCalls data, NodeFacts facts) {
    this.proxy = proxy;
    this.catalog = new CatalogCalls(proxy);
    this.indexes = new IndexCalls(proxy);
    this.data = data;
    this.ops = new OpsCalls(proxy, catalog, facts);
    this.flushAll = new FlushAllCalls(proxy);
  }

  private static String db(String name) {
    return CallContextInterceptor.database(name);
  }

  // Databases.

  @Override
  public void createDatabase(CreateDatabaseRequest q, StreamObserver<Status> out) {
    catalog.ddl(
        new DdlRequest.CreateDatabase(q.getDbName(), Pairs.map(q.getPropertiesList())), out);
  }

  @Override
  public void dropDatabase(DropDatabaseRequest q, StreamObserver<Status> out) {
    catalog.ddl(new DdlRequest.DropDatabase(q.getDbName()), out);
  }

  @Override
  public void alterDatabase(AlterDatabaseRequest q, StreamObserver<Status> out) {
    catalog.ddl(
        new DdlRequest.AlterDatabase(
            db(q.getDbName()), Pairs.map(q.getPropertiesList()), q.getDeleteKeysList()),
        out);
  }

  @Override
  public void listDatabases(ListDatabasesRequest q, StreamObserver<ListDatabasesResponse> out) {
    catalog.listDatabases(out);
  }

  @Override
  public void describeDatabase(
      DescribeDatabaseRequest q, StreamObserver<DescribeDatabaseResponse> out) {
    catalog.describeDatabase(q, out);
  }

  // Collections.

  @Override
  public void createCollection(CreateCollectionRequest q, StreamObserver<Status> out) {
    catalog.createCollection(q, out);
  }

  @Override
  public void dropCollection(DropCollectionRequest q, StreamObserver<Status> out) {
    catalog.ddl(new DdlRequest.DropCollection(db(q.getDbName()), q.getCollectionName()), out);
  }

  @Override
  public void hasCollection(HasCollectionRequest q, StreamObserver<BoolResponse> out) {
    catalog.hasCollection(q, out);
  }

  @Override
  public void describeCollection(
      DescribeCollectionRequest q, StreamObserver<DescribeCollectionResponse> out) {
    catalog.describeCollection(q, out);
  }

  @Override
  public void batchDescribeCollection(
      BatchDescribeCollectionRequest q, StreamObserver<BatchDescribeCollectionResponse> out) {
    catalog.batchDescribe(q, out);
  }

  @Override
  public void showCollections(
      ShowCollectionsRequest q, StreamObserver<ShowCollectionsResponse> out) {
    catalog.showCollections(q, out);
  }

  @Override
  public void alterCollection(AlterCollectionRequest q, StreamObserver<Status> out) {
    catalog.alterCollection(q, out);
  }

  @Override
  public void alterCollectionField(AlterCollectionFieldRequest q, StreamObserver<Status> out) {
    catalog.ddl(
        new DdlRequest.AlterField(
            db(q.getDbName()),
            q.getCollectionName(),
            q.getFieldName(),
            Pairs.map(q.getPropertiesList()),
            q.getDeleteKeysList()),
        out);
  }

  @Override
  public void addCollectionField(AddCollectionFieldRequest q, StreamObserver<Status> out) {
    var context = CallContextInterceptor.call();
    String database = db(q.getDbName());
    Replies.status(
        out,
        () ->
            proxy.ddl(
                context,
                new DdlRequest.AddField(
                    database, q.getCollectionName(), SchemaConverter.field(q.getSchema()))));
  }

  @Override
  public void renameCollection(RenameCollectionRequest q, StreamObserver<Status> out) {
    String database = db(q.getDbName());
    String target = q.getNewDBName().isEmpty() ? database : q.getNewDBName();
    catalog.ddl(
        new DdlRequest.RenameCollection(database, q.getOldName(), target, q.getNewName()), out);
  }

  @Override
  public void getCollectionStatistics(
      GetCollectionStatisticsRequest q, StreamObserver<GetCollectionStatisticsResponse> out) {
    ops.collectionStatistics(q, out);
  }

  // Partitions.

  @Override
  public void createPartition(CreatePartitionRequest q, StreamObserver<Status> out) {
    catalog.ddl(
        new DdlRequest.CreatePartition(
            db(q.getDbName()), q.getCollectionName(), q.getPartitionName()),
        out);
  }

  @Override
  public void dropPartition(DropPartitionRequest q, StreamObserver<Status> out) {
    catalog.ddl(
        new DdlRequest.DropPartition(
            db(q.getDbName()), q.getCollectionName(), q.getPartitionName()),
        out);
  }

  @Override
  public void hasPartition(HasPartitionRequest q, StreamObserver<BoolResponse> out) {
    catalog.hasPartition(q, out);
  }

  @Override
  public void showPartitions(ShowPartitionsRequest q, StreamObserver<ShowPartitionsResponse> out) {
    catalog.showPartitions(q, out);
  }

  @Override
  public void getPartitionStatistics(
      GetPartitionStatisticsRequest q, StreamObserver<GetPartitionStatisticsResponse> out) {
    ops.partitionStatistics(q, out);
  }

  // Aliases.

  @Override
  public void createAlias(CreateAliasRequest q, StreamObserver<Status> out) {
    catalog.ddl(
        new DdlRequest.CreateAlias(db(q.getDbName()), q.getCollectionName(), q.getAlias()), out);
  }

  @Override
  public void alterAlias(AlterAliasRequest q, StreamObserver<Status> out) {
    catalog.ddl(
        new DdlRequest.AlterAlias(db(q.getDbName()), q.getCollectionName(), q.getAlias()), out);
  }

  @Override
  public void dropAlias(DropAliasRequest q, StreamObserver<Status> out) {
    catalog.ddl(new DdlRequest.DropAlias(db(q.getDbName()), q.getAlias()), out);
  }

  @Override
  public void describeAlias(DescribeAliasRequest q, StreamObserver<DescribeAliasResponse> out) {
    catalog.describeAlias(q, out);
  }

  @Override
  public void listAliases(ListAliasesRequest q, StreamObserver<ListAliasesResponse> out) {
    catalog.listAliases(q, out);
  }

  // Indexes and loads.

  @Override
  public void createIndex(CreateIndexRequest q, StreamObserver<Status> out) {
    indexes.createIndex(q, out);
  }

  @Override
  public void alterIndex(AlterIndexRequest q, StreamObserver<Status> out) {
    catalog.ddl(
        new DdlRequest.AlterIndex(
            db(q.getDbName()),
            q.getCollectionName(),
            q.getIndexName(),
            Pairs.map(q.getExtraParamsList()),
            q.getDeleteKeysList()),
        out);
  }

  @Override
  public void dropIndex(DropIndexRequest q, StreamObserver<Status> out) {
    catalog.ddl(
        new DdlRequest.DropIndex(db(q.getDbName()), q.getCollectionName(), q.getIndexName()), out);
  }

  @Override
  public void describeIndex(DescribeIndexRequest q, StreamObserver<DescribeIndexResponse> out) {
    indexes.describeIndex(q, out);
  }

  @Override
  public void getIndexStatistics(
      GetIndexStatisticsRequest q, StreamObserver<GetIndexStatisticsResponse> out) {
    indexes.indexStatistics(q, out);
  }

  @Override
  public void getIndexState(GetIndexStateRequest q, StreamObserver<GetIndexStateResponse> out) {
    indexes.indexState(q, out);
  }

  @Override
  public void getIndexBuildProgress(
      GetIndexBuildProgressRequest q, StreamObserver<GetIndexBuildProgressResponse> out) {
    indexes.indexBuildProgress(q, out);
  }

  @Override
  public void loadCollection(LoadCollectionRequest q, StreamObserver<Status> out) {
    indexes.loadCollection(q, out);
  }

  @Override
  public void loadPartitions(LoadPartitionsRequest q, StreamObserver<Status> out) {
    indexes.loadPartitions(q, out);
  }

  @Override
  public void releaseCollection(ReleaseCollectionRequest q, StreamObserver<Status> out) {
    catalog.ddl(new DdlRequest.Release(db(q.getDbName()), q.getCollectionName(), List.of()), out);
  }

  @Override
  public void releasePartitions(ReleasePartitionsRequest q, StreamObserver<Status> out) {
    if (q.getPartitionNamesCount() == 0) {
      Replies.send(
          out,
          WireStatus.of(
              DbException.invalid("due to no partition specified"),
              CallContextInterceptor.call().requestId()));
      return;
    }
    catalog.ddl(
        new DdlRequest.Release(db(q.getDbName()), q.getCollectionName(), q.getPartitionNamesList()),
        out);
  }

  @Override
  public void getLoadingProgress(
      GetLoadingProgressRequest q, StreamObserver<GetLoadingProgressResponse> out) {
    indexes.loadingProgress(q, out);
  }

  @Override
  public void getLoadState(GetLoadStateRequest q, StreamObserver<GetLoadStateResponse> out) {
    indexes.loadState(q, out);
  }

  // Data.

  @Override
  public void insert(InsertRequest q, StreamObserver<MutationResult> out) {
    data.insert(new BulkRequest<>(q, List.of(), q.getSerializedSize()), out);
  }

  @Override
  public void upsert(UpsertRequest q, StreamObserver<MutationResult> out) {
    data.upsert(new BulkRequest<>(q, List.of(), q.getSerializedSize()), out);
  }

  @Override
  public void delete(DeleteRequest q, StreamObserver<MutationResult> out) {
    data.delete(q, out);
  }

  @Override
  public void search(SearchRequest q, StreamObserver<SearchResults> out) {
    data.search(q, out);
  }

  @Override
  public void hybridSearch(HybridSearchRequest q, StreamObserver<SearchResults> out) {
    data.hybridSearch(q, out);
  }

  @Override
  public void query(QueryRequest q, StreamObserver<QueryResults> out) {
    data.query(q, out);
  }

  // Operations.

  @Override
  public void connect(ConnectRequest q, StreamObserver<ConnectResponse> out) {
    ops.connect(out);
  }

  @Override
  public void getVersion(GetVersionRequest q, StreamObserver<GetVersionResponse> out) {
    ops.version(out);
  }

  @Override
  public void listResourceGroups(
      ListResourceGroupsRequest q, StreamObserver<ListResourceGroupsResponse> out) {
    ops.resourceGroups(out);
  }

  @Override
  public void checkHealth(CheckHealthRequest q, StreamObserver<CheckHealthResponse> out) {
    ops.checkHealth(out);
  }

  @Override
  public void getComponentStates(GetComponentStatesRequest q, StreamObserver<ComponentStates> out) {
    ops.componentStates(out);
  }

  @Override
  public void getMetrics(GetMetricsRequest q, StreamObserver<GetMetricsResponse> out) {
    ops.metrics(q, out);
  }

  @Override
  public void flush(FlushRequest q, StreamObserver<FlushResponse> out) {
    ops.flush(q, out);
  }

  @Override
  public void flushAll(FlushAllRequest q, StreamObserver<FlushAllResponse> out) {
    flushAll.flushAll(q, out);
  }

  @Override
  public void getFlushAllState(
      GetFlushAllStateRequest q, StreamObserver<GetFlushAllStateResponse> out) {
    flushAll.state(q, out);
  }

  @Override
  public void getFlushState(GetFlushStateRequest q, StreamObserver<GetFlushStateResponse> out) {
    ops.flushState(q, out);
  }

  @Override
  public void getPersistentSegmentInfo(
      GetPersistentSegmentInfoRequest q, StreamObserver<GetPersistentSegmentInfoResponse> out) {
    ops.persistentSegments(q, out);
  }

  @Override
  public void getQuerySegmentInfo(
      GetQuerySegmentInfoRequest q, StreamObserver<GetQuerySegmentInfoResponse> out) {
    ops.querySegments(q, out);
  }

  @Override
  public void getReplicas(GetReplicasRequest q, StreamObserver<GetReplicasResponse> out) {
    ops.replicas(q, out);
  }

  @Override
  public void manualCompaction(
      ManualCompactionRequest q, StreamObserver<ManualCompactionResponse> out) {
    ops.compact(q, out);
  }

  @Override
  public void getCompactionState(
      GetCompactionStateRequest q, StreamObserver<GetCompactionStateResponse> out) {
    ops.compactionState(q, out);
  }

  @Override
  public void getCompactionStateWithPlans(
      GetCompactionPlansRequest q, StreamObserver<GetCompactionPlansResponse> out) {
    ops.compactionPlans(q, out);
  }

  @Override
  public void allocTimestamp(AllocTimestampRequest q, StreamObserver<AllocTimestampResponse> out) {
    var context = CallContextInterceptor.call();
    Replies.answer(
        out,
        () -> proxy.allocTimestamp(context),
        timestamp ->
            AllocTimestampResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setTimestamp(timestamp.value())
                .build(),
        status -> AllocTimestampResponse.newBuilder().setStatus(status).build());
  }

  // Stubs of the contract.

  private static Status unavailable(String what) {
    return WireStatus.of(
        DbException.described(ErrorCode.SERVICE_UNAVAILABLE, what),
        CallContextInterceptor.call().requestId());
  }

  @Override
  public void calcDistance(CalcDistanceRequest q, StreamObserver<CalcDistanceResults> out) {
    Replies.send(
        out,
        CalcDistanceResults.newBuilder().setStatus(unavailable("CalcDistance deprecated")).build());
  }

  @Override
  public void listIndexedSegment(
      Feder.ListIndexedSegmentRequest q, StreamObserver<Feder.ListIndexedSegmentResponse> out) {
    Replies.send(
        out, Feder.ListIndexedSegmentResponse.newBuilder().setStatus(unavailable("unimp")).build());
  }

  @Override
  public void describeSegmentIndexData(
      Feder.DescribeSegmentIndexDataRequest q,
      StreamObserver<Feder.DescribeSegmentIndexDataResponse> out) {
    Replies.send(
        out,
        Feder.DescribeSegmentIndexDataResponse.newBuilder()
            .setStatus(unavailable("unimp"))
            .build());
  }

  @Override
  public void replicateMessage(
      ReplicateMessageRequest q, StreamObserver<ReplicateMessageResponse> out) {
    Replies.send(
        out,
        ReplicateMessageResponse.newBuilder()
            .setStatus(unavailable("not supported in streaming mode"))
            .build());
  }

  @Override
  public void registerLink(RegisterLinkRequest q, StreamObserver<RegisterLinkResponse> out) {
    Replies.send(
        out,
        RegisterLinkResponse.newBuilder()
            .setStatus(WireStatus.success().toBuilder().setReason("STANDALONE"))
            .build());
  }
}
