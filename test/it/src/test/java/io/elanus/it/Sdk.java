package io.elanus.it;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.milvus.v2.client.ConnectConfig;
import io.milvus.v2.client.MilvusClientV2;
import io.milvus.v2.client.RetryConfig;
import io.milvus.v2.common.ConsistencyLevel;
import io.milvus.v2.common.DataType;
import io.milvus.v2.common.IndexParam;
import io.milvus.v2.service.collection.request.AddFieldReq;
import io.milvus.v2.service.collection.request.CreateCollectionReq;
import io.milvus.v2.service.collection.request.LoadCollectionReq;
import io.milvus.v2.service.vector.request.QueryReq;
import io.milvus.v2.service.vector.request.SearchReq;
import io.milvus.v2.service.vector.request.data.FloatVec;
import io.milvus.v2.service.vector.response.QueryResp;
import io.milvus.v2.service.vector.response.SearchResp;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Short forms of SDK calls that tests repeat.
final class Sdk {
  private Sdk() {}

  /// A client that try-with-resources closes.
  record Closing(MilvusClientV2 client) implements AutoCloseable {
    @Override
    public void close() {
      client.close();
    }
  }

  static Closing open(String uri) {
    return new Closing(connect(uri));
  }

  /// A client that never retries by itself, so that a test knows what was sent.
  static MilvusClientV2 connect(String uri) {
    MilvusClientV2 client =
        new MilvusClientV2(
            ConnectConfig.builder()
                .uri(uri)
                .connectTimeoutMs(20_000)
                .rpcDeadlineMs(30_000)
                .build());
    client.retryConfig(RetryConfig.builder().maxRetryTimes(1).build());
    return client;
  }

  /// `id` INT64 key, `ver` INT64, `v` FLOAT_VECTOR of `dim`, indexed by HNSW with L2, loaded.
  static void createVersioned(MilvusClientV2 client, String name, int dim) {
    CreateCollectionReq.CollectionSchema schema =
        CreateCollectionReq.CollectionSchema.builder().build();
    schema.addField(
        AddFieldReq.builder().fieldName("id").dataType(DataType.Int64).isPrimaryKey(true).build());
    schema.addField(AddFieldReq.builder().fieldName("ver").dataType(DataType.Int64).build());
    schema.addField(
        AddFieldReq.builder().fieldName("v").dataType(DataType.FloatVector).dimension(dim).build());
    IndexParam index =
        IndexParam.builder()
            .fieldName("v")
            .indexType(IndexParam.IndexType.HNSW)
            .metricType(IndexParam.MetricType.L2)
            .extraParams(Map.of("M", 8, "efConstruction", 64))
            .build();
    client.createCollection(
        CreateCollectionReq.builder()
            .collectionName(name)
            .collectionSchema(schema)
            .indexParams(List.of(index))
            .consistencyLevel(ConsistencyLevel.STRONG)
            .build());
    // Creating with an index asks for the load, but does not wait for it.
    client.loadCollection(LoadCollectionReq.builder().collectionName(name).build());
  }

  static JsonObject row(long id, long version, float[] vector) {
    JsonObject row = new JsonObject();
    row.addProperty("id", id);
    row.addProperty("ver", version);
    JsonArray values = new JsonArray();
    for (float value : vector) {
      values.add(value);
    }
    row.add("v", values);
    return row;
  }

  /// Keys of the `limit` rows whose `v` is nearest to `vector`, nearest first.
  static List<Object> nearest(MilvusClientV2 client, String name, float[] vector, int limit) {
    return client
        .search(
            SearchReq.builder()
                .collectionName(name)
                .annsField("v")
                .data(List.of(new FloatVec(vector)))
                .limit(limit)
                .consistencyLevel(ConsistencyLevel.STRONG)
                .build())
        .getSearchResults()
        .getFirst()
        .stream()
        .map(SearchResp.SearchResult::getId)
        .toList();
  }

  static long count(MilvusClientV2 client, String collection, String filter) {
    QueryResp reply =
        client.query(
            QueryReq.builder()
                .collectionName(collection)
                .filter(filter)
                .outputFields(List.of("count(*)"))
                .consistencyLevel(ConsistencyLevel.STRONG)
                .build());
    Object count = reply.getQueryResults().getFirst().getEntity().get("count(*)");
    return (Long) Objects.requireNonNull(count);
  }
}
