package io.elanus.role.proxy.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.elanus.base.error.DbException;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.role.proxy.api.Consistency;
import io.elanus.role.proxy.api.HybridSearchRequest;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.role.proxy.api.QueryReply;
import io.elanus.role.proxy.api.QueryRequest;
import io.elanus.role.proxy.api.ReadTarget;
import io.elanus.role.proxy.api.SearchReply;
import io.elanus.role.proxy.api.SearchRequest;
import io.elanus.role.proxy.api.WriteReply;
import io.elanus.role.proxy.api.WriteRequest;
import io.elanus.wire.proto.common.PlaceholderGroup;
import io.elanus.wire.proto.common.PlaceholderValue;
import io.elanus.wire.proto.common.Status;
import io.elanus.wire.proto.milvus.DeleteRequest;
import io.elanus.wire.proto.milvus.InsertRequest;
import io.elanus.wire.proto.milvus.MutationResult;
import io.elanus.wire.proto.milvus.QueryResults;
import io.elanus.wire.proto.milvus.SearchResults;
import io.elanus.wire.proto.milvus.UpsertRequest;
import io.elanus.wire.proto.schema.SearchIteratorV2Results;
import io.elanus.wire.proto.schema.SearchResultData;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.status.WireStatus;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Insert, upsert, delete, search, query.
///
/// Thread-safe: stateless.
final class DataCalls {
  /// Requests larger than this are converted off the event loop.
  private static final int INLINE_BYTES = 512 * 1024;

  private final ProxyApi proxy;
  private final Executor large;

  DataCalls(ProxyApi proxy, Executor large) {
    this.proxy = proxy;
    this.large = large;
  }

  private <R> Supplier<CompletableFuture<R>> sized(int bytes, Supplier<CompletableFuture<R>> work) {
    if (bytes <= INLINE_BYTES) {
      return work;
    }
    return () -> CompletableFuture.supplyAsync(work, large).thenCompose(future -> future);
  }

  /// A namespace separates tenants: what ignores it would mix their rows.
  private static void refuseNamespace(boolean given, String namespace) {
    if (given && !namespace.isEmpty()) {
      throw DbException.invalid("namespaces are not supported yet");
    }
  }

  void insert(BulkRequest<InsertRequest> bulk, StreamObserver<MutationResult> observer) {
    InsertRequest request = bulk.message();
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    int rows = request.getNumRows();
    Replies.answer(
        observer,
        sized(
            bulk.sizeBytes(),
            () -> {
              refuseNamespace(request.hasNamespace(), request.getNamespace());
              return proxy.insert(
                  context,
                  new WriteRequest.Insert(
                      database,
                      request.getCollectionName(),
                      request.getPartitionName(),
                      FieldDataReader.read(request.getFieldsDataList(), bulk.floats()),
                      rows,
                      request.getSchemaTimestamp()));
            }),
        reply -> written(reply, rows),
        status -> unwritten(status, rows));
  }

  void upsert(BulkRequest<UpsertRequest> bulk, StreamObserver<MutationResult> observer) {
    UpsertRequest request = bulk.message();
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    int rows = request.getNumRows();
    Replies.answer(
        observer,
        sized(
            bulk.sizeBytes(),
            () -> {
              refuseNamespace(request.hasNamespace(), request.getNamespace());
              if (request.getFieldOpsCount() > 0) {
                throw DbException.invalid("field_ops of an upsert are not supported yet");
              }
              return proxy.upsert(
                  context,
                  new WriteRequest.Upsert(
                      database,
                      request.getCollectionName(),
                      request.getPartitionName(),
                      FieldDataReader.read(request.getFieldsDataList(), bulk.floats()),
                      rows,
                      new WriteRequest.Upsert.Options(
                          request.getSchemaTimestamp(), request.getPartialUpdate())));
            }),
        reply -> written(reply, rows),
        status -> unwritten(status, rows));
  }

  void delete(DeleteRequest request, StreamObserver<MutationResult> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () ->
            proxy.delete(
                context,
                new WriteRequest.Delete(
                    database,
                    request.getCollectionName(),
                    request.getPartitionName(),
                    request.getExpr(),
                    TemplateReader.read(request.getExprTemplateValuesMap()))),
        reply -> written(reply, 0),
        status -> unwritten(status, 0));
  }

  private static MutationResult written(WriteReply reply, int rows) {
    MutationResult.Builder out =
        MutationResult.newBuilder()
            .setStatus(WireStatus.success())
            .setIDs(FieldDataWriter.ids(reply.keys()))
            .setAcknowledged(true)
            .setInsertCnt(reply.inserted())
            .setDeleteCnt(reply.deleted())
            .setUpsertCnt(reply.upserted())
            .setTimestamp(reply.timestamp().value());
    for (int i = 0; i < rows; i++) {
      out.addSuccIndex(i);
    }
    return out.build();
  }

  private static MutationResult unwritten(Status status, int rows) {
    MutationResult.Builder out = MutationResult.newBuilder().setStatus(status);
    for (int i = 0; i < rows; i++) {
      out.addErrIndex(i);
    }
    return out.build();
  }

  void search(
      io.elanus.wire.proto.milvus.SearchRequest request, StreamObserver<SearchResults> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> {
          refuseUnsupported(request);
          return proxy.search(context, searchRequest(request, database));
        },
        DataCalls::found,
        status -> SearchResults.newBuilder().setStatus(status).build());
  }

  /// What would change the answer and is not there must be refused, never ignored.
  private static void refuseUnsupported(io.elanus.wire.proto.milvus.SearchRequest request) {
    refuseNamespace(request.hasNamespace(), request.getNamespace());
    if (request.hasIds()) {
      throw DbException.invalid("search by primary keys is not supported yet");
    }
    if (request.getFunctionScore().getFunctionsCount() > 0) {
      throw DbException.invalid("rerank functions are not supported yet");
    }
    if (request.hasHighlighter()) {
      throw DbException.invalid("the highlighter is not supported yet");
    }
    if (request.getSubReqsCount() > 0) {
      throw DbException.invalid("sub requests belong to HybridSearch");
    }
  }

  private static SearchRequest searchRequest(
      io.elanus.wire.proto.milvus.SearchRequest request, String database) {
    ReadTarget target =
        new ReadTarget(
            database,
            request.getCollectionName(),
            List.copyOf(request.getPartitionNamesList()),
            request.getDsl(),
            TemplateReader.read(request.getExprTemplateValuesMap()),
            List.copyOf(request.getOutputFieldsList()));
    return new SearchRequest(
        target,
        queries(request),
        Pairs.map(request.getSearchParamsList()),
        new Consistency(
            request.getUseDefaultConsistency(),
            ConsistencyLevel.ofNumber(request.getConsistencyLevelValue()),
            request.getGuaranteeTimestamp()));
  }

  private static SearchRequest.Queries queries(io.elanus.wire.proto.milvus.SearchRequest request) {
    PlaceholderGroup group;
    try {
      group = PlaceholderGroup.parseFrom(request.getPlaceholderGroup());
    } catch (InvalidProtocolBufferException e) {
      throw DbException.invalid("placeholder group can't be read: " + e.getMessage()).causedBy(e);
    }
    if (group.getPlaceholdersCount() != 1) {
      throw DbException.invalid(
          "number of placeholders should be 1, got " + group.getPlaceholdersCount());
    }
    PlaceholderValue value = group.getPlaceholders(0);
    int type = value.getTypeValue();
    if (type >= 300) {
      throw DbException.invalid("embedding lists as queries are not supported yet");
    }
    List<byte[]> vectors = new ArrayList<>(value.getValuesCount());
    value.getValuesList().forEach(bytes -> vectors.add(bytes.toByteArray()));
    return new SearchRequest.Queries(DataType.ofNumber(type), vectors, request.getNq());
  }

  void hybridSearch(
      io.elanus.wire.proto.milvus.HybridSearchRequest request,
      StreamObserver<SearchResults> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> {
          refuseNamespace(request.hasNamespace(), request.getNamespace());
          if (request.getFunctionScore().getFunctionsCount() > 0) {
            throw DbException.invalid("rerank functions are not supported yet");
          }
          List<SearchRequest> searches = new ArrayList<>();
          request
              .getRequestsList()
              .forEach(sub -> {
                refuseUnsupported(sub);
                searches.add(searchRequest(sub, database));
              });
          ReadTarget target =
              new ReadTarget(
                  database,
                  request.getCollectionName(),
                  List.copyOf(request.getPartitionNamesList()),
                  "",
                  Map.of(),
                  List.copyOf(request.getOutputFieldsList()));
          return proxy.hybridSearch(
              context,
              new HybridSearchRequest(
                  target,
                  searches,
                  Pairs.map(request.getRankParamsList()),
                  new Consistency(
                      request.getUseDefaultConsistency(),
                      ConsistencyLevel.ofNumber(request.getConsistencyLevelValue()),
                      request.getGuaranteeTimestamp())));
        },
        DataCalls::found,
        status -> SearchResults.newBuilder().setStatus(status).build());
  }

  private static SearchResults found(SearchReply reply) {
    SearchResultData.Builder data =
        SearchResultData.newBuilder()
            .setNumQueries(reply.counts().length)
            .setTopK(reply.fields().topK())
            .setIds(FieldDataWriter.ids(reply.keys()))
            .setAllSearchCount(reply.searchedRows())
            .addAllOutputFields(reply.fields().outputNames())
            .setPrimaryFieldName(reply.fields().primaryField());
    for (float score : reply.scores()) {
      data.addScores(score);
    }
    for (int count : reply.counts()) {
      data.addTopks(count);
    }
    for (NamedColumn column : reply.fields().columns()) {
      data.addFieldsData(FieldDataWriter.write(column));
    }
    String token = reply.paging().token();
    if (token != null) {
      data.setSearchIteratorV2Results(
          SearchIteratorV2Results.newBuilder()
              .setToken(token)
              .setLastBound(reply.paging().lastBound()));
    }
    return SearchResults.newBuilder()
        .setStatus(WireStatus.success())
        .setResults(data)
        .setCollectionName(reply.collection())
        .setSessionTs(reply.paging().sessionTs().value())
        .build();
  }

  void query(
      io.elanus.wire.proto.milvus.QueryRequest request, StreamObserver<QueryResults> observer) {
    CallContext context = CallContextInterceptor.call();
    String database = CallContextInterceptor.database(request.getDbName());
    Replies.answer(
        observer,
        () -> {
          refuseNamespace(request.hasNamespace(), request.getNamespace());
          ReadTarget target =
              new ReadTarget(
                  database,
                  request.getCollectionName(),
                  List.copyOf(request.getPartitionNamesList()),
                  request.getExpr(),
                  TemplateReader.read(request.getExprTemplateValuesMap()),
                  List.copyOf(request.getOutputFieldsList()));
          return proxy.query(
              context,
              new QueryRequest(
                  target,
                  Pairs.map(request.getQueryParamsList()),
                  new Consistency(
                      request.getUseDefaultConsistency(),
                      ConsistencyLevel.ofNumber(request.getConsistencyLevelValue()),
                      request.getGuaranteeTimestamp())));
        },
        DataCalls::rows,
        status -> QueryResults.newBuilder().setStatus(status).build());
  }

  private static QueryResults rows(QueryReply reply) {
    QueryResults.Builder out =
        QueryResults.newBuilder()
            .setStatus(WireStatus.success())
            .setCollectionName(reply.collection())
            .addAllOutputFields(reply.outputNames())
            .setPrimaryFieldName(reply.primaryField())
            .setSessionTs(reply.sessionTs().value());
    reply.columns().forEach(column -> out.addFieldsData(FieldDataWriter.write(column)));
    return out.build();
  }
}
