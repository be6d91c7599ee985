package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.elanus.server.embedded.ElanusExtension;
import io.milvus.response.QueryResultsWrapper;
import io.milvus.v2.client.MilvusClientV2;
import io.milvus.v2.common.ConsistencyLevel;
import io.milvus.v2.common.DataType;
import io.milvus.v2.common.IndexParam;
import io.milvus.v2.exception.MilvusClientException;
import io.milvus.v2.service.collection.request.AddFieldReq;
import io.milvus.v2.service.collection.request.CreateCollectionReq;
import io.milvus.v2.service.collection.request.DescribeCollectionReq;
import io.milvus.v2.service.collection.request.DropCollectionReq;
import io.milvus.v2.service.collection.request.GetCollectionStatsReq;
import io.milvus.v2.service.collection.request.GetLoadStateReq;
import io.milvus.v2.service.collection.request.HasCollectionReq;
import io.milvus.v2.service.collection.request.LoadCollectionReq;
import io.milvus.v2.service.collection.request.ReleaseCollectionReq;
import io.milvus.v2.service.collection.request.RenameCollectionReq;
import io.milvus.v2.service.collection.response.DescribeCollectionResp;
import io.milvus.v2.service.index.request.CreateIndexReq;
import io.milvus.v2.service.index.request.DescribeIndexReq;
import io.milvus.v2.service.index.request.DropIndexReq;
import io.milvus.v2.service.index.request.ListIndexesReq;
import io.milvus.v2.service.index.response.DescribeIndexResp;
import io.milvus.v2.service.partition.request.CreatePartitionReq;
import io.milvus.v2.service.partition.request.DropPartitionReq;
import io.milvus.v2.service.partition.request.HasPartitionReq;
import io.milvus.v2.service.partition.request.ListPartitionsReq;
import io.milvus.v2.service.partition.request.ReleasePartitionsReq;
import io.milvus.v2.service.utility.request.AlterAliasReq;
import io.milvus.v2.service.utility.request.CreateAliasReq;
import io.milvus.v2.service.utility.request.DescribeAliasReq;
import io.milvus.v2.service.utility.request.DropAliasReq;
import io.milvus.v2.service.utility.request.FlushReq;
import io.milvus.v2.service.utility.request.ListAliasesReq;
import io.milvus.v2.service.vector.request.DeleteReq;
import io.milvus.v2.service.vector.request.GetReq;
import io.milvus.v2.service.vector.request.InsertReq;
import io.milvus.v2.service.vector.request.QueryIteratorReq;
import io.milvus.v2.service.vector.request.QueryReq;
import io.milvus.v2.service.vector.request.SearchIteratorReqV2;
import io.milvus.v2.service.vector.request.SearchReq;
import io.milvus.v2.service.vector.request.UpsertReq;
import io.milvus.v2.service.vector.request.data.FloatVec;
import io.milvus.v2.service.vector.response.QueryResp;
import io.milvus.v2.service.vector.response.SearchResp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The unmodified Java client against one server. Every test uses a collection of its own.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class JavaSdkIT {
  @RegisterExtension static final ElanusExtension db = new ElanusExtension();

  private static MilvusClientV2 client;

  @BeforeAll
  static void connect() {
    client = Sdk.connect(db.uri());
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  // Collections

  @Test
  void describesHasListsRenamesAndDropsCollections() {
    createEveryType("ddl", DataType.Int64, false);

    DescribeCollectionResp described = describe("ddl");
    assertThat(described.getFieldNames())
        .containsExactly(
            "id", "flag", "i8", "i16", "i32", "i64", "f", "d", "s", "j", "n", "e", "v");
    assertThat(described.getPrimaryFieldName()).isEqualTo("id");
    assertThat(described.getEnableDynamicField()).isTrue();
    assertThat(described.getAutoID()).isFalse();
    assertThat(described.getShardsNum()).isEqualTo(2);
    assertThat(described.getConsistencyLevel()).isEqualTo(ConsistencyLevel.STRONG);
    assertThat(described.getCollectionSchema().getField("s").getMaxLength()).isEqualTo(64);
    assertThat(described.getCollectionSchema().getField("v").getDimension()).isEqualTo(4);
    assertThat(described.getCollectionSchema().getField("n").getIsNullable()).isTrue();

    client.renameCollection(
        RenameCollectionReq.builder().collectionName("ddl").newCollectionName("ddl2").build());
    assertThat(has("ddl")).isFalse();
    assertThat(has("ddl2")).isTrue();
    assertThat(client.listCollections().getCollectionNames())
        .contains("ddl2")
        .doesNotContain("ddl");

    drop("ddl2");
    assertThat(has("ddl2")).isFalse();
    // Dropping what is not there is no error in the contract.
    drop("ddl2");
  }

  @Test
  void keepsEveryTypeOfField() {
    createEveryType("types", DataType.Int64, false);
    JsonObject full = everyType(1);
    full.addProperty("n", 77);
    full.addProperty("e", "given");
    full.addProperty("extra", "dynamic");
    JsonObject sparse = everyType(2);
    sparse.add("n", JsonNull.INSTANCE);
    insert("types", List.of(full, sparse));

    assertTypes();
    flush("types");
    assertTypes();
    drop("types");
  }

  private static void assertTypes() {
    List<QueryResp.QueryResult> rows = query("types", "id in [1, 2]", List.of("*"));
    assertThat(rows).hasSize(2);
    Map<String, Object> one = entity(rows, 1L);
    assertThat(one)
        .containsEntry("flag", false)
        .containsEntry("i64", 1L << 40)
        .containsEntry("f", 1.5f)
        .containsEntry("d", 1.25)
        .containsEntry("s", "text 1")
        .containsEntry("n", 77L)
        .containsEntry("e", "given");
    assertThat(one.get("i8")).hasToString("1");
    assertThat(one.get("i16")).hasToString("-1");
    assertThat(one.get("i32")).hasToString("100000");
    assertThat(String.valueOf(one.get("j"))).contains("\"k\":1");
    assertThat(String.valueOf(one.get("extra"))).contains("dynamic");
    assertThat(one.get("v")).hasToString("[1.0, 0.0, 0.0, 0.0]");
    Map<String, Object> two = entity(rows, 2L);
    assertThat(two.get("n")).isNull();
    assertThat(two).containsEntry("e", "by default");
  }

  @Test
  void filtersByEveryTypeOfField() {
    createEveryType("filters", DataType.Int64, false);
    insert("filters", rows(0, 20));
    flush("filters");
    insert("filters", rows(20, 40));

    assertThat(Sdk.count(client, "filters", "flag == true")).isEqualTo(20);
    assertThat(Sdk.count(client, "filters", "i8 < 5")).isEqualTo(5);
    assertThat(Sdk.count(client, "filters", "i32 in [0, 100000, 200000]")).isEqualTo(3);
    assertThat(Sdk.count(client, "filters", "d > 10 and d <= 20")).isEqualTo(16 - 8);
    assertThat(Sdk.count(client, "filters", "s like \"text 3%\"")).isEqualTo(11);
    assertThat(Sdk.count(client, "filters", "j[\"k\"] >= 38")).isEqualTo(2);
    assertThat(Sdk.count(client, "filters", "n is null")).isEqualTo(40);
    assertThat(Sdk.count(client, "filters", "not (id > 3)")).isEqualTo(4);
    assertThat(query("filters", "id >= 0", List.of("id"), 5, 10)).hasSize(5);
    drop("filters");
  }

  @Test
  void takesTextAsKey() {
    createEveryType("text_key", DataType.VarChar, false);
    List<JsonObject> rows = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      JsonObject row = everyType(i);
      row.addProperty("id", "key " + i);
      rows.add(row);
    }
    assertThat(insert("text_key", rows))
        .containsExactly("key 0", "key 1", "key 2", "key 3", "key 4");
    assertThat(
            client
                .get(GetReq.builder().collectionName("text_key").ids(List.of("key 3")).build())
                .getGetResults())
        .hasSize(1);
    client.delete(
        DeleteReq.builder().collectionName("text_key").ids(List.of("key 3", "key 9")).build());
    assertThat(Sdk.count(client, "text_key", "")).isEqualTo(4);
    assertThat(Sdk.nearest(client, "text_key", new float[] {4, 0, 0, 0}, 1))
        .containsExactly("key 4");
    drop("text_key");
  }

  @Test
  void givesKeysWhenAsked() {
    createEveryType("auto", DataType.Int64, true);
    List<JsonObject> rows = rows(0, 10);
    rows.forEach(row -> row.remove("id"));
    List<Object> keys = insert("auto", rows);
    assertThat(new TreeSet<>(keys)).hasSize(10);
    assertThat(
            client.get(GetReq.builder().collectionName("auto").ids(keys).build()).getGetResults())
        .hasSize(10);
    drop("auto");
  }

  // Writes and reads

  @Test
  void upsertReplacesAndDeleteRemoves() {
    Sdk.createVersioned(client, "writes", 2);
    insert("writes", points(0, 100));
    client.upsert(
        UpsertReq.builder()
            .collectionName("writes")
            .data(
                List.of(Sdk.row(5, 1, new float[] {500, 0}), Sdk.row(200, 1, new float[] {200, 0})))
            .build());
    assertThat(Sdk.count(client, "writes", "")).isEqualTo(101);
    assertThat(Sdk.count(client, "writes", "ver == 1")).isEqualTo(2);
    assertThat(Sdk.nearest(client, "writes", new float[] {500, 0}, 1)).containsExactly(5L);

    flush("writes");
    client.delete(DeleteReq.builder().collectionName("writes").filter("id < 50").build());
    assertThat(Sdk.count(client, "writes", "")).isEqualTo(51);
    assertThat(Sdk.nearest(client, "writes", new float[] {49, 0}, 2)).containsExactly(50L, 51L);
    client.delete(DeleteReq.builder().collectionName("writes").ids(List.of(50L)).build());
    assertThat(Sdk.nearest(client, "writes", new float[] {49, 0}, 1)).containsExactly(51L);
    flush("writes");
    assertThat(Sdk.count(client, "writes", "")).isEqualTo(50);
    drop("writes");
  }

  @Test
  void searchesByRangeOffsetAndSeveralVectors() {
    Sdk.createVersioned(client, "searches", 2);
    insert("searches", points(0, 1500));
    flush("searches");
    insert("searches", points(1500, 1600));

    SearchResp several =
        client.search(
            searchOf("searches", new float[] {3, 0}, new float[] {1550, 0})
                .limit(3)
                .filter("id % 2 == 0")
                .outputFields(List.of("ver"))
                .build());
    assertThat(several.getSearchResults()).hasSize(2);
    assertThat(ids(several, 0)).hasSize(3).contains(2L, 4L);
    assertThat(ids(several, 1)).startsWith(1550L).contains(1548L, 1552L);
    assertThat(several.getSearchResults().getFirst().getFirst().getEntity())
        .containsEntry("ver", 0L);

    SearchResp offset =
        client.search(searchOf("searches", new float[] {0, 0}).offset(5).limit(3).build());
    assertThat(ids(offset, 0)).containsExactly(5L, 6L, 7L);

    // L2 scores are squared distances; the lower bound is included, the radius is not.
    SearchResp range =
        client.search(
            searchOf("searches", new float[] {0, 0})
                .limit(100)
                .searchParams(Map.of("radius", 25.0, "range_filter", 4.0))
                .build());
    assertThat(ids(range, 0)).containsExactly(2L, 3L, 4L);
    drop("searches");
  }

  @Test
  void iteratesOverQueriesAndSearches() {
    Sdk.createVersioned(client, "iterators", 2);
    insert("iterators", points(0, 300));

    var queries =
        client.queryIterator(
            QueryIteratorReq.builder()
                .collectionName("iterators")
                .expr("id >= 100")
                .outputFields(List.of("id", "ver"))
                .batchSize(64)
                .build());
    List<Object> queried = new ArrayList<>();
    for (var batch = queries.next(); !batch.isEmpty(); batch = queries.next()) {
      assertThat(batch).hasSizeLessThanOrEqualTo(64);
      for (QueryResultsWrapper.RowRecord row : batch) {
        queried.add(row.get("id"));
      }
    }
    queries.close();
    assertThat(new TreeSet<>(queried)).hasSize(200);
    assertThat(queried).hasSize(200);

    var searches =
        client.searchIteratorV2(
            SearchIteratorReqV2.builder()
                .collectionName("iterators")
                .vectorFieldName("v")
                .vectors(List.of(new FloatVec(new float[] {0, 0})))
                .metricType(IndexParam.MetricType.L2)
                .batchSize(50)
                .limit(120)
                .build());
    List<Object> searched = new ArrayList<>();
    for (var batch = searches.next(); !batch.isEmpty(); batch = searches.next()) {
      batch.forEach(hit -> searched.add(hit.getId()));
    }
    searches.close();
    assertThat(searched).hasSize(120).startsWith(0L, 1L, 2L).endsWith(118L, 119L);
    drop("iterators");
  }

  @ParameterizedTest
  @EnumSource(
      value = ConsistencyLevel.class,
      names = {"STRONG", "BOUNDED", "SESSION", "EVENTUALLY"})
  void readsAtEveryConsistencyLevel(ConsistencyLevel level) {
    String name = "level_" + level;
    Sdk.createVersioned(client, name, 2);
    insert(name, points(0, 10));
    // What a strong read has seen, weaker ones on the same server see as well.
    assertThat(Sdk.count(client, name, "")).isEqualTo(10);
    SearchResp found =
        client.search(searchOf(name, new float[] {4, 0}).limit(1).consistencyLevel(level).build());
    assertThat(ids(found, 0)).containsExactly(4L);
    drop(name);
  }

  // Partitions, aliases, load, indexes

  @Test
  void partitionsHoldTheirRows() {
    Sdk.createVersioned(client, "parts", 2);
    client.createPartition(
        CreatePartitionReq.builder().collectionName("parts").partitionName("p1").build());
    assertThat(client.listPartitions(ListPartitionsReq.builder().collectionName("parts").build()))
        .containsExactlyInAnyOrder("_default", "p1");
    insert("parts", points(0, 10));
    client.insert(
        InsertReq.builder()
            .collectionName("parts")
            .partitionName("p1")
            .data(points(10, 15))
            .build());

    assertThat(Sdk.count(client, "parts", "")).isEqualTo(15);
    SearchResp inside =
        client.search(
            searchOf("parts", new float[] {0, 0}).partitionNames(List.of("p1")).limit(2).build());
    assertThat(ids(inside, 0)).containsExactly(10L, 11L);

    client.releasePartitions(
        ReleasePartitionsReq.builder()
            .collectionName("parts")
            .partitionNames(List.of("p1"))
            .build());
    client.dropPartition(
        DropPartitionReq.builder().collectionName("parts").partitionName("p1").build());
    assertThat(
            client.hasPartition(
                HasPartitionReq.builder().collectionName("parts").partitionName("p1").build()))
        .isFalse();
    assertThat(Sdk.count(client, "parts", "")).isEqualTo(10);
    drop("parts");
  }

  @Test
  void aliasesLeadToTheirCollection() {
    Sdk.createVersioned(client, "alias_a", 2);
    Sdk.createVersioned(client, "alias_b", 2);
    insert("alias_b", points(0, 3));
    client.createAlias(CreateAliasReq.builder().collectionName("alias_a").alias("current").build());
    assertThat(Sdk.count(client, "current", "")).isZero();
    assertThat(
            client
                .describeAlias(DescribeAliasReq.builder().alias("current").build())
                .getCollectionName())
        .isEqualTo("alias_a");
    client.alterAlias(AlterAliasReq.builder().collectionName("alias_b").alias("current").build());
    assertThat(Sdk.count(client, "current", "")).isEqualTo(3);
    assertThat(
            client
                .listAliases(ListAliasesReq.builder().collectionName("alias_b").build())
                .getAlias())
        .containsExactly("current");
    client.dropAlias(DropAliasReq.builder().alias("current").build());
    assertFails(() -> Sdk.count(client, "current", ""), 100, "current");
    drop("alias_a");
    drop("alias_b");
  }

  @Test
  void releasedCollectionsAnswerAgainOnceLoaded() {
    Sdk.createVersioned(client, "loads", 2);
    insert("loads", points(0, 10));
    assertThat(loaded("loads")).isTrue();
    client.releaseCollection(ReleaseCollectionReq.builder().collectionName("loads").build());
    assertThat(loaded("loads")).isFalse();
    assertFails(() -> Sdk.nearest(client, "loads", new float[] {1, 0}, 1), 101, "not loaded");
    insert("loads", points(10, 20));
    client.loadCollection(LoadCollectionReq.builder().collectionName("loads").build());
    assertThat(Sdk.count(client, "loads", "")).isEqualTo(20);
    drop("loads");
  }

  @Test
  void indexesAreCreatedDescribedAndDropped() {
    createEveryType("indexes", DataType.Int64, false);
    insert("indexes", rows(0, 30));
    flush("indexes");
    assertThat(
            client
                .getCollectionStats(
                    GetCollectionStatsReq.builder().collectionName("indexes").build())
                .getNumOfEntities())
        .isEqualTo(30);
    client.createIndex(
        CreateIndexReq.builder()
            .collectionName("indexes")
            .indexParams(
                List.of(
                    IndexParam.builder()
                        .fieldName("i64")
                        .indexName("by_i64")
                        .indexType(IndexParam.IndexType.STL_SORT)
                        .build()))
            .build());
    assertThat(client.listIndexes(ListIndexesReq.builder().collectionName("indexes").build()))
        .containsExactlyInAnyOrder("v", "by_i64");
    DescribeIndexResp.IndexDesc vector =
        client
            .describeIndex(
                DescribeIndexReq.builder().collectionName("indexes").fieldName("v").build())
            .getIndexDescByFieldName("v");
    assertThat(vector.getIndexType()).isEqualTo(IndexParam.IndexType.HNSW);
    assertThat(vector.getMetricType()).isEqualTo(IndexParam.MetricType.L2);
    assertThat(vector.getTotalRows()).isEqualTo(30);

    client.dropIndex(DropIndexReq.builder().collectionName("indexes").indexName("by_i64").build());
    assertThat(client.listIndexes(ListIndexesReq.builder().collectionName("indexes").build()))
        .containsExactly("v");
    assertFails(
        () ->
            client.dropIndex(
                DropIndexReq.builder().collectionName("indexes").indexName("v").build()),
        1100,
        "loaded");
    drop("indexes");
  }

  // Mistakes

  @Test
  void answersMistakesWithTheContractsNumbers() {
    Sdk.createVersioned(client, "mistakes", 2);
    assertFails(() -> describe("nowhere"), 100, "nowhere");
    assertFails(() -> insert("nowhere", points(0, 1)), 100, "nowhere");
    assertFails(() -> query("mistakes", "idd == 1", List.of("id")), 1100, "idd");
    assertFails(() -> query("mistakes", "id ==", List.of("id")), 1100, "");
    assertFails(
        () -> client.search(searchOf("mistakes", new float[] {1, 2, 3}).limit(1).build()),
        1100,
        "dim");
    assertFails(
        () -> client.search(searchOf("mistakes", new float[] {1, 2}).limit(20_000).build()),
        1100,
        "16384");
    assertFails(
        () ->
            client.search(
                searchOf("mistakes", new float[] {1, 2})
                    .partitionNames(List.of("p9"))
                    .limit(1)
                    .build()),
        1100,
        "p9");
    assertFails(() -> query("mistakes", "id > 0", List.of("id", "nothing")), 1100, "nothing");
    assertFails(
        () -> client.describeAlias(DescribeAliasReq.builder().alias("no_alias").build()),
        1600,
        "no_alias");
    assertFails(
        () ->
            client.createCollection(
                CreateCollectionReq.builder().collectionName("1bad name").dimension(2).build()),
        1100,
        "");
    drop("mistakes");
  }

  // Short forms

  private static void createEveryType(String name, DataType keyType, boolean autoId) {
    var schema = CreateCollectionReq.CollectionSchema.builder().enableDynamicField(true).build();
    var key = AddFieldReq.builder().fieldName("id").dataType(keyType).isPrimaryKey(true);
    schema.addField((keyType == DataType.VarChar ? key.maxLength(32) : key).autoID(autoId).build());
    List<Map.Entry<String, DataType>> plain =
        List.of(
            Map.entry("flag", DataType.Bool),
            Map.entry("i8", DataType.Int8),
            Map.entry("i16", DataType.Int16),
            Map.entry("i32", DataType.Int32),
            Map.entry("i64", DataType.Int64),
            Map.entry("f", DataType.Float),
            Map.entry("d", DataType.Double));
    for (Map.Entry<String, DataType> field : plain) {
      schema.addField(
          AddFieldReq.builder().fieldName(field.getKey()).dataType(field.getValue()).build());
    }
    schema.addField(
        AddFieldReq.builder().fieldName("s").dataType(DataType.VarChar).maxLength(64).build());
    schema.addField(AddFieldReq.builder().fieldName("j").dataType(DataType.JSON).build());
    schema.addField(
        AddFieldReq.builder().fieldName("n").dataType(DataType.Int64).isNullable(true).build());
    schema.addField(
        AddFieldReq.builder()
            .fieldName("e")
            .dataType(DataType.VarChar)
            .maxLength(16)
            .defaultValue("by default")
            .build());
    schema.addField(
        AddFieldReq.builder().fieldName("v").dataType(DataType.FloatVector).dimension(4).build());
    client.createCollection(
        CreateCollectionReq.builder()
            .collectionName(name)
            .collectionSchema(schema)
            .numShards(2)
            .consistencyLevel(ConsistencyLevel.STRONG)
            .indexParams(
                List.of(
                    IndexParam.builder()
                        .fieldName("v")
                        .indexType(IndexParam.IndexType.HNSW)
                        .metricType(IndexParam.MetricType.L2)
                        .extraParams(Map.of("M", 8, "efConstruction", 64))
                        .build()))
            .build());
    client.loadCollection(LoadCollectionReq.builder().collectionName(name).build());
  }

  private static JsonObject everyType(int i) {
    JsonObject row = new JsonObject();
    row.addProperty("id", i);
    row.addProperty("flag", i % 2 == 0);
    row.addProperty("i8", i);
    row.addProperty("i16", -i);
    row.addProperty("i32", i * 100_000);
    row.addProperty("i64", (long) i << 40);
    row.addProperty("f", i * 1.5f);
    row.addProperty("d", i * 1.25);
    row.addProperty("s", "text " + i);
    row.add("j", JsonParser.parseString("{\"k\":" + i + ",\"list\":[1,2]}"));
    JsonArray vector = new JsonArray();
    for (float value : new float[] {i, 0, 0, 0}) {
      vector.add(value);
    }
    row.add("v", vector);
    return row;
  }

  private static List<JsonObject> rows(int from, int to) {
    List<JsonObject> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      rows.add(everyType(i));
    }
    return rows;
  }

  /// Rows of a versioned collection, each at (id, 0).
  private static List<JsonObject> points(int from, int to) {
    List<JsonObject> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      rows.add(Sdk.row(i, 0, new float[] {i, 0}));
    }
    return rows;
  }

  private static List<Object> insert(String name, List<JsonObject> rows) {
    return client
        .insert(InsertReq.builder().collectionName(name).data(rows).build())
        .getPrimaryKeys();
  }

  private static void flush(String name) {
    client.flush(FlushReq.builder().collectionNames(List.of(name)).build());
  }

  private static List<QueryResp.QueryResult> query(
      String name, String filter, List<String> fields) {
    return query(name, filter, fields, 100, 0);
  }

  private static List<QueryResp.QueryResult> query(
      String name, String filter, List<String> fields, long limit, long offset) {
    return client
        .query(
            QueryReq.builder()
                .collectionName(name)
                .filter(filter)
                .outputFields(fields)
                .limit(limit)
                .offset(offset)
                .build())
        .getQueryResults();
  }

  private static Map<String, Object> entity(List<QueryResp.QueryResult> rows, long id) {
    return rows.stream()
        .map(QueryResp.QueryResult::getEntity)
        .filter(row -> Objects.equals(row.get("id"), id))
        .findFirst()
        .orElseThrow();
  }

  private static SearchReq.SearchReqBuilder searchOf(String name, float[]... vectors) {
    var data = new ArrayList<io.milvus.v2.service.vector.request.data.BaseVector>();
    for (float[] vector : vectors) {
      data.add(new FloatVec(vector));
    }
    return SearchReq.builder()
        .collectionName(name)
        .annsField("v")
        .data(data)
        .consistencyLevel(ConsistencyLevel.STRONG);
  }

  private static List<Object> ids(SearchResp reply, int query) {
    return reply.getSearchResults().get(query).stream()
        .map(SearchResp.SearchResult::getId)
        .toList();
  }

  private static DescribeCollectionResp describe(String name) {
    return client.describeCollection(DescribeCollectionReq.builder().collectionName(name).build());
  }

  private static boolean has(String name) {
    return client.hasCollection(HasCollectionReq.builder().collectionName(name).build());
  }

  private static boolean loaded(String name) {
    return client.getLoadState(GetLoadStateReq.builder().collectionName(name).build());
  }

  private static void drop(String name) {
    client.dropCollection(DropCollectionReq.builder().collectionName(name).build());
  }

  private static void assertFails(ThrowingCallable call, int code, String said) {
    MilvusClientException fault = catchThrowableOfType(MilvusClientException.class, call);
    assertThat(fault).as("a failure with code %s about '%s'", code, said).isNotNull();
    assertThat(fault.getServerErrCode()).as(fault.getMessage()).isEqualTo(code);
    assertThat(fault.getMessage()).contains(said);
  }
}
