package io.elanus.role.proxy.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.NodeId;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.Consistency;
import io.elanus.role.proxy.api.HybridSearchRequest;
import io.elanus.role.proxy.api.QueryReply;
import io.elanus.role.proxy.api.QueryRequest;
import io.elanus.role.proxy.api.ReadTarget;
import io.elanus.role.proxy.api.SearchReply;
import io.elanus.role.proxy.api.SearchRequest;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import io.elanus.wire.status.WireStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReadTasksTest {
  private static final CallContext CONTEXT = CallContext.background("test");
  private static final Consistency STRONG = new Consistency(false, ConsistencyLevel.STRONG, 0);

  private final FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
  private final ProxyNode proxy = cluster.proxy();

  private static ReadTarget target(String filter, String... outputs) {
    return new ReadTarget("default", "c", List.of(), filter, Map.of(), List.of(outputs));
  }

  private static SearchRequest.Queries queries(int nq) {
    List<byte[]> blobs = new ArrayList<>();
    for (int i = 0; i < nq; i++) {
      blobs.add(
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putFloat(i).putFloat(1).array());
    }
    return new SearchRequest.Queries(DataType.FLOAT_VECTOR, blobs, nq);
  }

  private static Map<String, String> params(String... pairs) {
    Map<String, String> params = new HashMap<>(Map.of("topk", "10"));
    for (int i = 0; i < pairs.length; i += 2) {
      params.put(pairs[i], pairs[i + 1]);
    }
    return params;
  }

  private static SearchRequest search(Map<String, String> params) {
    return new SearchRequest(target(""), queries(1), params, STRONG);
  }

  private static ReadReply hits(ReadRequest request, long[] keys, float... scores) {
    ColumnBuilder numbers = new ColumnBuilder(DataType.INT64, 0, keys.length);
    ColumnBuilder dynamic = new ColumnBuilder(DataType.JSON, 0, keys.length);
    for (long key : keys) {
      numbers.addInteger(key * 10);
      dynamic.addText("{\"color\":\"c" + key + "\",\"size\":" + key + "}");
    }
    return new ReadReply.Hits(
        new int[] {keys.length},
        PrimaryKeys.of(keys),
        scores,
        new ColumnBatch(
            keys.length,
            Map.of(new FieldId(102), numbers.build(), new FieldId(103), dynamic.build())),
        keys.length,
        FakeCluster.cost(request));
  }

  private static long[] keys(long... keys) {
    return keys;
  }

  private void refused(CompletableFuture<?> answer, ErrorCode code, String message) {
    assertThatThrownBy(
            () -> {
              try {
                answer.join();
              } catch (RuntimeException e) {
                throw WireStatus.classify(e);
              }
            })
        .hasMessageContaining(message)
        .extracting("code")
        .isEqualTo(code);
  }

  private void refusedSearch(Map<String, String> params, ErrorCode code, String message) {
    refused(proxy.search(CONTEXT, search(params)), code, message);
  }

  @Test
  void asksTheShardForWhatTheRequestSays() {
    SearchRequest request =
        new SearchRequest(
            target("n > 1", "n"),
            queries(2),
            params("offset", "5", "metric_type", "l2", "params", "{\"ef\":64,\"radius\":\"3\"}"),
            STRONG);

    proxy.search(CONTEXT, request).join();

    ReadRequest.Search read = (ReadRequest.Search) cluster.reads.get(0);
    assertThat(read.filter()).isEqualTo("n > 1");
    assertThat(read.target().k()).isEqualTo(15);
    assertThat(read.target().vectors()).containsExactly(0, 1, 1, 1);
    assertThat(read.target().params())
        .containsExactly(Map.entry("ef", "64"), Map.entry("radius", "\"3\""));
    assertThat(read.outputs()).containsExactly(new FieldId(102));
    assertThat(read.guarantee().readTs()).isEqualTo(new HybridTs(FakeCluster.FIRST_TS));
  }

  @Test
  void mergesShardsAndCutsThePage() {
    FakeCluster wide = new FakeCluster(FakeCluster.collection(0, 2));
    wide.reader =
        request ->
            request.scope().vchannel().equals(wide.meta.vchannels().get(0))
                ? hits(request, keys(1, 2), 0.1f, 0.4f)
                : hits(request, keys(3, 4), 0.2f, 0.3f);
    SearchRequest request =
        new SearchRequest(
            target("", "n", "id", "color"), queries(1), params("topk", "2", "offset", "1"), STRONG);

    SearchReply reply = wide.proxy().search(CONTEXT, request).join();

    assertThat(reply.keys()).isEqualTo(PrimaryKeys.of(3L, 4L));
    assertThat(reply.scores()).containsExactly(0.2f, 0.3f);
    assertThat(reply.counts()).containsExactly(2);
    assertThat(reply.fields().outputNames()).containsExactly("n", "id", "color");
    assertThat(reply.fields().columns())
        .extracting(column -> column.name())
        .containsExactly("id", "n", "$meta");
    assertThat(reply.fields().columns().get(1).column().longAt(1)).isEqualTo(40);
    assertThat(reply.fields().columns().get(2).column().textAt(0)).isEqualTo("{\"color\":\"c3\"}");
    assertThat(reply.searchedRows()).isEqualTo(4);
  }

  @Test
  void answersTypedEmptyColumnsWhenNothingIsFound() {
    SearchReply reply =
        proxy
            .search(CONTEXT, new SearchRequest(target("", "*"), queries(3), params(), STRONG))
            .join();

    assertThat(reply.counts()).containsExactly(0, 0, 0);
    assertThat(reply.fields().columns())
        .extracting(column -> column.column().type())
        .containsExactly(DataType.INT64, DataType.FLOAT_VECTOR, DataType.INT64, DataType.JSON);
    assertThat(reply.fields().columns()).allMatch(column -> column.column().rows() == 0);
  }

  @Test
  void roundsScores() {
    cluster.reader = request -> hits(request, keys(1), 0.12345f);

    assertThat(proxy.search(CONTEXT, search(params("round_decimal", "2"))).join().scores())
        .containsExactly(0.12f);
  }

  @Test
  void asksForATimestampOnlyWhenTheLevelNeedsOne() {
    Consistency eventually = new Consistency(false, ConsistencyLevel.EVENTUALLY, 0);

    proxy.search(CONTEXT, new SearchRequest(target(""), queries(1), params(), eventually)).join();

    assertThat(cluster.nextTs).isEqualTo(FakeCluster.FIRST_TS);
    assertThat(cluster.reads.get(0).guarantee().guaranteeTs()).isEqualTo(cluster.meta.updateTs());
    assertThat(cluster.reads.get(0).guarantee().readTs()).isNull();
  }

  @Test
  void refusesSearchesThatBreakTheLimits() {
    ErrorCode invalid = ErrorCode.PARAMETER_INVALID;
    refusedSearch(Map.of(), ErrorCode.PARAMETER_MISSING, "topk is required");
    refusedSearch(
        params("topk", "16385"),
        invalid,
        "topk [16385] is invalid, it should be in range [1, 16384], but got 16385");
    refusedSearch(params("topk", "0"), invalid, "topk [0] is invalid");
    refusedSearch(params("topk", "x"), invalid, "topk [x] is invalid");
    refusedSearch(params("offset", "-1"), invalid, "offset [-1] is invalid");
    refusedSearch(
        params("topk", "16384", "offset", "1"), invalid, "offset+topk [16385] is invalid");
    refusedSearch(
        params("round_decimal", "7"),
        invalid,
        "round_decimal [7] is invalid, should be -1 or an integer in range [0, 6]");
    refusedSearch(
        params("metric_type", "IP"),
        invalid,
        "metric type not match: invalid parameter[expected=L2][actual=IP]");
    refusedSearch(params("anns_field", "n"), invalid, "is not of vector data type");
    refusedSearch(params("group_by_field", "n"), invalid, "group_by_field is not supported yet");
    refusedSearch(params("hints", "magic"), invalid, "hints: magic not supported");
    refusedSearch(
        params("params", "{\"hints\": \"magic\"}"), invalid, "hints: magic not supported");
    refusedSearch(params("params", "[1]"), invalid, "failed to create query plan: ");
    refused(
        proxy.search(
            CONTEXT,
            new SearchRequest(
                target(""),
                new SearchRequest.Queries(DataType.FLOAT_VECTOR, List.of(), 0),
                params(),
                STRONG)),
        invalid,
        "nq [0] is invalid, nq (number of search vector per search request) should be in range"
            + " [1, 16384], but got 0");
    refused(
        proxy.search(
            CONTEXT,
            new SearchRequest(
                target(""),
                new SearchRequest.Queries(DataType.FLOAT_VECTOR, List.of(new byte[12]), 1),
                params(),
                STRONG)),
        invalid,
        "vector dimension mismatch, expected vector size(byte) 8, actual 12");
  }

  @Test
  void wantsAnAnnsFieldWhenThereAreSeveral() {
    FieldSchema second =
        FieldSchema.of(105, "w", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "2"));
    cluster.meta =
        FakeCluster.collection(
            0, 1, List.of(FakeCluster.key(DataType.INT64, false), FakeCluster.vector(), second));

    refusedSearch(
        params(),
        ErrorCode.PARAMETER_INVALID,
        "multiple anns_fields exist, please specify a anns_field in search_params");
  }

  @Test
  void refusesPartitionsThatAreUnknownOrNotLoaded() {
    ReadTarget unknown = new ReadTarget("default", "c", List.of("nope"), "", Map.of(), List.of());
    ReadTarget cold = new ReadTarget("default", "c", List.of("p1"), "", Map.of(), List.of());

    refused(
        proxy.search(CONTEXT, new SearchRequest(unknown, queries(1), params(), STRONG)),
        ErrorCode.PARAMETER_INVALID,
        "partition name nope not found");
    refused(
        proxy.search(CONTEXT, new SearchRequest(cold, queries(1), params(), STRONG)),
        ErrorCode.PARTITION_NOT_LOADED,
        "partition not loaded");
    assertThat(cluster.routeLookUps).isEqualTo(2);
  }

  @Test
  void looksTheRouteUpAgainWhenAShardHasMoved() {
    cluster.readFailures.add(DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE));

    CompletableFuture<SearchReply> answer = proxy.search(CONTEXT, search(params()));
    cluster.threads.await(answer, Duration.ofSeconds(1));

    assertThat(cluster.routeLookUps).isEqualTo(2);
    assertThat(cluster.reads).hasSize(1);
  }

  @Test
  void looksTheRouteUpAgainWhenALeaderIsGone() {
    proxy.search(CONTEXT, search(params())).join();
    cluster.gone.add(cluster.leader);
    cluster.leader = new NodeId(2);

    CompletableFuture<SearchReply> answer = proxy.search(CONTEXT, search(params()));
    cluster.threads.await(answer, Duration.ofSeconds(1));

    assertThat(cluster.routeLookUps).isEqualTo(2);
  }

  @Test
  void usesRoutesAndSchemasUntilTheyAreInvalidated() {
    proxy.search(CONTEXT, search(params())).join();
    proxy.search(CONTEXT, search(params())).join();
    assertThat(cluster.routeLookUps).isEqualTo(1);
    assertThat(cluster.collectionLookUps).isEqualTo(1);

    proxy
        .invalidate(
            CONTEXT,
            new ProxyCacheService.InvalidateCache("default", List.of("c"), FakeCluster.COLLECTION))
        .join();
    proxy.search(CONTEXT, search(params())).join();

    assertThat(cluster.routeLookUps).isEqualTo(2);
    assertThat(cluster.collectionLookUps).isEqualTo(2);
  }

  @Test
  void iteratesBatchesBehindTheBoundAtOneReadTimestamp() {
    cluster.reader = request -> hits(request, keys(1, 2), 0.5f, 0.75f);
    Map<String, String> first =
        params("iterator", "True", "search_iter_v2", "True", "search_iter_batch_size", "2");

    SearchReply page = proxy.search(CONTEXT, search(first)).join();

    assertThat(page.paging().sessionTs()).isEqualTo(new HybridTs(FakeCluster.FIRST_TS));
    assertThat(page.paging().token()).hasSize(36);
    assertThat(page.paging().lastBound()).isEqualTo(0.75f);

    Map<String, String> next = new HashMap<>(first);
    next.put("search_iter_id", String.valueOf(page.paging().token()));
    next.put("search_iter_last_bound", "0.75");
    Consistency session =
        new Consistency(true, ConsistencyLevel.STRONG, page.paging().sessionTs().value());
    cluster.reader = FakeCluster::empty;
    SearchReply end =
        proxy.search(CONTEXT, new SearchRequest(target(""), queries(1), next, session)).join();

    ReadRequest.Search read = (ReadRequest.Search) cluster.reads.get(1);
    assertThat(read.target().k()).isEqualTo(2);
    assertThat(Float.parseFloat(String.valueOf(read.target().params().get("range_filter"))))
        .isEqualTo(Math.nextUp(0.75f));
    assertThat(read.target().params()).containsKey("radius");
    assertThat(read.guarantee().readTs()).isEqualTo(page.paging().sessionTs());
    assertThat(end.paging().lastBound()).isEqualTo(0.75f);
    assertThat(end.paging().token()).isEqualTo(page.paging().token());
    assertThat(end.paging().sessionTs()).isEqualTo(HybridTs.ZERO);
  }

  @Test
  void refusesIteratorsThatMakeNoSense() {
    Map<String, String> v2 = params("iterator", "True", "search_iter_v2", "True");
    refusedSearch(v2, ErrorCode.PARAMETER_MISSING, "batch size is required");
    Map<String, String> badToken = new HashMap<>(v2);
    badToken.put("search_iter_batch_size", "10");
    badToken.put("search_iter_id", "abc");
    refusedSearch(badToken, ErrorCode.PARAMETER_INVALID, "invalid token format");
    refusedSearch(
        params("collection_id", "8"),
        ErrorCode.PARAMETER_INVALID,
        "Input collection id is not consistent to collectionID in the context");
  }

  @Test
  void fusesHybridSearches() {
    List<String> answered = new ArrayList<>();
    cluster.reader =
        request -> {
          answered.add(request.filter());
          return request.filter().equals("n > 1")
              ? hits(request, keys(1, 2), 0.1f, 0.2f)
              : hits(request, keys(2, 3), 0.1f, 0.2f);
        };
    SearchRequest one = new SearchRequest(target("n > 1"), queries(1), Map.of(), STRONG);
    SearchRequest two = new SearchRequest(target("n > 2"), queries(1), Map.of(), STRONG);
    HybridSearchRequest request =
        new HybridSearchRequest(
            target("", "n"),
            List.of(one, two),
            Map.of("limit", "2", "strategy", "rrf", "params", "{\"k\":60}"),
            STRONG);

    SearchReply reply = proxy.hybridSearch(CONTEXT, request).join();

    assertThat(answered).containsExactly("n > 1", "n > 2");
    assertThat(reply.keys()).isEqualTo(PrimaryKeys.of(2L, 1L));
    assertThat(reply.fields().columns().get(0).column().longAt(0)).isEqualTo(20);
    assertThat(((ReadRequest.Search) cluster.reads.get(0)).target().k()).isEqualTo(2);
    assertThat(cluster.reads.get(0).guarantee()).isEqualTo(cluster.reads.get(1).guarantee());
  }

  @Test
  void refusesBadRankParameters() {
    SearchRequest sub = new SearchRequest(target(""), queries(1), params(), STRONG);
    refused(
        proxy.hybridSearch(
            CONTEXT, new HybridSearchRequest(target(""), List.of(sub), Map.of(), STRONG)),
        ErrorCode.PARAMETER_MISSING,
        "limit not found in rank_params");
    refused(
        proxy.hybridSearch(
            CONTEXT,
            new HybridSearchRequest(
                target(""),
                List.of(sub),
                Map.of("limit", "1", "strategy", "weighted", "params", "{\"weights\":[2]}"),
                STRONG)),
        ErrorCode.PARAMETER_INVALID,
        "rank param weight should be in range [0, 1]");
    refused(
        proxy.hybridSearch(
            CONTEXT,
            new HybridSearchRequest(
                target(""), List.of(sub), Map.of("limit", "1", "strategy", "magic"), STRONG)),
        ErrorCode.PARAMETER_INVALID,
        "unsupported rank type magic");
  }

  private QueryReply query(ReadTarget target, Map<String, String> params) {
    return proxy.query(CONTEXT, new QueryRequest(target, params, STRONG)).join();
  }

  @Test
  void queriesRowsInKeyOrderWithTheKeyAlways() {
    FakeCluster wide = new FakeCluster(FakeCluster.collection(0, 2));
    wide.reader =
        request -> {
          boolean first = request.scope().vchannel().equals(wide.meta.vchannels().get(0));
          ReadReply.Hits rows =
              (ReadReply.Hits) hits(request, first ? keys(1, 5) : keys(2, 3), 0, 0);
          return new ReadReply.Rows(rows.keys(), rows.fields(), rows.cost());
        };

    QueryReply reply =
        wide.proxy()
            .query(
                CONTEXT,
                new QueryRequest(
                    target("n >= 0", "n"), Map.of("limit", "2", "offset", "1"), STRONG))
            .join();

    assertThat(((ReadRequest.Query) wide.reads.get(0)).limit()).isEqualTo(3);
    assertThat(reply.columns()).extracting(column -> column.name()).containsExactly("id", "n");
    assertThat(PrimaryKeys.ofColumn(reply.columns().get(0).column()))
        .isEqualTo(PrimaryKeys.of(2L, 3L));
    assertThat(reply.columns().get(1).column().longAt(0)).isEqualTo(20);
    assertThat(reply.primaryField()).isEqualTo("id");
  }

  @Test
  void countsRowsOfAllShards() {
    FakeCluster wide = new FakeCluster(FakeCluster.collection(0, 3));
    wide.reader = request -> new ReadReply.Counted(5, FakeCluster.cost(request));

    QueryReply reply =
        wide.proxy()
            .query(CONTEXT, new QueryRequest(target("", "Count(*)"), Map.of(), STRONG))
            .join();

    assertThat(reply.columns().get(0).name()).isEqualTo("count(*)");
    assertThat(reply.columns().get(0).column().longAt(0)).isEqualTo(15);
  }

  @Test
  void queryIteratorFixesItsReadTimestampWithTheFirstPage() {
    Map<String, String> page = Map.of("limit", "10", "iterator", "True");

    QueryReply reply = query(target("id > 3"), page);

    assertThat(reply.sessionTs()).isEqualTo(new HybridTs(FakeCluster.FIRST_TS));
  }

  private void refusedQuery(ReadTarget target, Map<String, String> params, String message) {
    refused(
        proxy.query(CONTEXT, new QueryRequest(target, params, STRONG)),
        ErrorCode.PARAMETER_INVALID,
        message);
  }

  @Test
  void refusesQueriesThatBreakTheRules() {
    refusedQuery(target("", "n"), Map.of(), "empty expression should be used with limit");
    refusedQuery(
        target("", "count(*)"),
        Map.of("limit", "5"),
        "count entities with pagination is not allowed");
    refusedQuery(
        target("n > 1"),
        Map.of("limit", "16384", "offset", "1"),
        "(offset+limit) should be in range [1, 16384], but got 16385");
    refusedQuery(target("n > 1"), Map.of("limit", "x"), "limit [x] is invalid");
    refusedQuery(
        target("n >"), Map.of(), "failed to create query plan: cannot parse expression: n >");
    refusedQuery(target("n > 1", "x.y"), Map.of(), "parse output field name failed: x.y");
    cluster.loaded = false;
    refused(
        proxy.query(CONTEXT, new QueryRequest(target("n > 1"), Map.of(), STRONG)),
        ErrorCode.COLLECTION_NOT_LOADED,
        "collection not loaded[collection=7]");
  }
}
