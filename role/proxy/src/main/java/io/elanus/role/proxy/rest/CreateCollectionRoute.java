package io.elanus.role.proxy.rest;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DdlRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `/collections/create`: the quick form (dimension only) and the full one, with indexes and load.
/// As in the contract the steps are not one transaction: a failing index leaves the collection
/// behind.
///
/// Thread-safe: stateless.
final class CreateCollectionRoute {
  private final ProxyApi proxy;

  CreateCollectionRoute(ProxyApi proxy) {
    this.proxy = proxy;
  }

  CompletableFuture<ObjectNode> create(RestCall call) {
    String name = call.required("collectionName");
    @Nullable ObjectNode full = RestCall.object(call.body(), "schema");
    CollectionSchema schema;
    List<DdlRequest.CreateIndex> indexes;
    if (full == null || full.isEmpty()) {
      long dim = call.whole("dimension", 0);
      if (dim == 0) {
        throw DbException.verbatim(
            ErrorCode.PARAMETER_INVALID,
            "dimension is required for quickly create collection(default metric type: COSINE)");
      }
      schema = RestSchemas.quick(call, name, dim);
      Map<String, String> params =
          Map.of("index_type", "AUTOINDEX", "metric_type", call.text("metricType", "COSINE"));
      indexes = List.of(index(call, name, schema.fields().getLast().name(), "", params));
    } else {
      schema = RestSchemas.schema(name, call.text("description", ""), full);
      indexes = indexesOf(call, name, schema);
    }
    CompletableFuture<CatalogService.DdlReply> done =
        proxy.ddl(call.context(), createRequest(call, schema));
    for (DdlRequest.CreateIndex index : indexes) {
      done = done.thenCompose(_ -> proxy.ddl(call.context(), index));
    }
    if (!indexes.isEmpty()) {
      DdlRequest load = new DdlRequest.Load(call.database(), name, List.of(), 0, List.of());
      done = done.thenCompose(_ -> proxy.ddl(call.context(), load));
    }
    return done.thenApply(_ -> RestHandler.empty());
  }

  private static DdlRequest createRequest(RestCall call, CollectionSchema schema) {
    @Nullable ObjectNode params = RestCall.object(call.body(), "params");
    int shards = 1;
    int partitions = 0;
    ConsistencyLevel consistency = ConsistencyLevel.BOUNDED;
    Map<String, String> properties = new TreeMap<>();
    if (params != null) {
      shards = number(params, "shardsNum", 1);
      partitions = number(params, "partitionsNum", 0);
      consistency = EntityRoutes.level(RestCall.text(params, "consistencyLevel", "Bounded"));
      copy(params, "ttlSeconds", properties, "collection.ttl.seconds");
      copy(params, "partitionKeyIsolation", properties, "partitionkey.isolation");
      copy(params, "mmap.enabled", properties, "mmap.enabled");
    }
    return new DdlRequest.CreateCollection(
        call.database(),
        schema,
        shards,
        partitions,
        new DdlRequest.CreateCollection.Options(consistency, properties));
  }

  private static int number(JsonNode params, String key, int otherwise) {
    String text = RestCall.text(params, key, "");
    try {
      return text.isEmpty() ? otherwise : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw DbException.invalid(key, "an integer", text).causedBy(e);
    }
  }

  private static void copy(
      JsonNode params, String from, Map<String, String> properties, String to) {
    String text = RestCall.text(params, from, "");
    if (!text.isEmpty()) {
      properties.put(to, text);
    }
  }

  private static List<DdlRequest.CreateIndex> indexesOf(
      RestCall call, String collection, CollectionSchema schema) {
    List<DdlRequest.CreateIndex> indexes = new ArrayList<>();
    for (JsonNode node : RestCall.objects(call.body(), "indexParams")) {
      String field = RestCall.text(node, "fieldName", "");
      if (schema.field(field) == null) {
        throw DbException.verbatim(
            ErrorCode.MISSING_REQUIRED_PARAMETERS,
            ErrorCode.MISSING_REQUIRED_PARAMETERS.text()
                + ", error: `"
                + field
                + "` hasn't defined in schema");
      }
      indexes.add(
          index(call, collection, field, RestCall.text(node, "indexName", ""), params(node)));
    }
    return indexes;
  }

  /// The index parameters of an `indexParams` entry, flattened.
  static Map<String, String> params(JsonNode node) {
    Map<String, String> params = new TreeMap<>(RestCall.properties(node, "params"));
    String metric = RestCall.text(node, "metricType", "");
    if (!metric.isEmpty()) {
      params.put("metric_type", metric);
    }
    String type = RestCall.text(node, "indexType", "");
    if (!type.isEmpty()) {
      params.put("index_type", type);
    }
    return params;
  }

  static DdlRequest.CreateIndex index(
      RestCall call, String collection, String field, String name, Map<String, String> params) {
    return new DdlRequest.CreateIndex(call.database(), collection, field, name, params, Map.of());
  }
}
