package io.elanus.role.proxy.rest;

import static io.elanus.role.proxy.rest.RestHandler.NODES;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.role.proxy.check.Names;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DdlRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Partitions, indexes, aliases and databases (rest-v2.md, section 4).
///
/// Thread-safe: stateless.
final class ObjectRoutes {
  private final ProxyApi proxy;

  ObjectRoutes(ProxyApi proxy) {
    this.proxy = proxy;
  }

  void register(Map<String, RestHandler.Route> routes) {
    partitions(routes);
    indexes(routes);
    aliases(routes);
    databases(routes);
  }

  private CompletableFuture<ObjectNode> ddl(RestCall call, DdlRequest request) {
    return proxy.ddl(call.context(), request).thenApply(_ -> RestHandler.empty());
  }

  private static String collection(RestCall call) {
    return call.required("collectionName");
  }

  private CompletableFuture<CollectionMeta> meta(RestCall call) {
    return proxy
        .collection(
            call.context(), CatalogService.FindCollection.byName(call.database(), collection(call)))
        .thenApply(CatalogService.CollectionView::meta);
  }

  // Partitions.

  private void partitions(Map<String, RestHandler.Route> routes) {
    routes.put("/partitions/list", this::listPartitions);
    routes.put("/partitions/has", this::hasPartition);
    routes.put("/partitions/get_stats", this::partitionStats);
    routes.put(
        "/partitions/create",
        call ->
            ddl(
                call,
                new DdlRequest.CreatePartition(
                    call.database(), collection(call), call.required("partitionName"))));
    routes.put(
        "/partitions/drop",
        call ->
            ddl(
                call,
                new DdlRequest.DropPartition(
                    call.database(), collection(call), call.required("partitionName"))));
    routes.put(
        "/partitions/load",
        call ->
            ddl(
                call,
                new DdlRequest.Load(
                    call.database(), collection(call), partitionNames(call), 0, List.of())));
    routes.put(
        "/partitions/release",
        call ->
            ddl(
                call,
                new DdlRequest.Release(call.database(), collection(call), partitionNames(call))));
  }

  private static List<String> partitionNames(RestCall call) {
    call.requiredNode("partitionNames");
    return call.texts("partitionNames");
  }

  private CompletableFuture<ObjectNode> listPartitions(RestCall call) {
    return meta(call)
        .thenApply(meta -> {
          ArrayNode names = NODES.arrayNode();
          meta.partitions().forEach(partition -> names.add(partition.name()));
          return RestHandler.data(names);
        });
  }

  private CompletableFuture<ObjectNode> hasPartition(RestCall call) {
    String name = call.required("partitionName");
    Names.partition(name, true);
    return meta(call)
        .thenApply(meta -> {
          ObjectNode has = NODES.objectNode();
          has.put("has", meta.partition(name) != null);
          return RestHandler.data(has);
        });
  }

  private CompletableFuture<ObjectNode> partitionStats(RestCall call) {
    ProxyApi.CollectionTarget target =
        new ProxyApi.CollectionTarget(
            call.database(), collection(call), List.of(call.required("partitionName")));
    return proxy
        .countRows(call.context(), target)
        .thenApply(count -> {
          ObjectNode stats = NODES.objectNode();
          stats.put("rowCount", count.rows());
          return RestHandler.data(stats);
        });
  }

  // Indexes.

  private void indexes(Map<String, RestHandler.Route> routes) {
    routes.put("/indexes/list", this::listIndexes);
    routes.put("/indexes/describe", this::describeIndex);
    routes.put("/indexes/create", this::createIndexes);
    routes.put(
        "/indexes/drop",
        call ->
            ddl(
                call,
                new DdlRequest.DropIndex(
                    call.database(), collection(call), call.required("indexName"))));
    routes.put(
        "/indexes/alter_properties",
        call ->
            ddl(
                call,
                new DdlRequest.AlterIndex(
                    call.database(),
                    collection(call),
                    call.required("indexName"),
                    call.requiredProperties("properties"),
                    List.of())));
    routes.put(
        "/indexes/drop_properties",
        call ->
            ddl(
                call,
                new DdlRequest.AlterIndex(
                    call.database(),
                    collection(call),
                    call.required("indexName"),
                    Map.of(),
                    call.texts("propertyKeys"))));
  }

  private CompletableFuture<ObjectNode> listIndexes(RestCall call) {
    return proxy
        .indexes(call.context(), call.database(), collection(call), "")
        .handle((found, fault) -> {
          if (fault != null && !Faults.hasCode(fault, ErrorCode.INDEX_NOT_FOUND)) {
            throw Faults.rethrown(fault);
          }
          ArrayNode names = NODES.arrayNode();
          if (fault == null) {
            found.indexes().forEach(status -> names.add(status.index().name()));
          }
          return RestHandler.data(names);
        });
  }

  private CompletableFuture<ObjectNode> describeIndex(RestCall call) {
    String name = call.required("indexName");
    CompletableFuture<DataCoordService.IndexList> found =
        proxy.indexes(call.context(), call.database(), collection(call), name);
    return found.thenCombine(
        meta(call),
        (list, meta) -> {
          ArrayNode out = NODES.arrayNode();
          list.indexes().forEach(status -> out.add(indexNode(status, meta)));
          return RestHandler.data(out);
        });
  }

  private static ObjectNode indexNode(DataCoordService.IndexStatus status, CollectionMeta meta) {
    FieldSchema field = meta.schema().field(status.index().fieldId());
    Map<String, String> params = status.index().userParams();
    ObjectNode out = NODES.objectNode();
    out.put("indexName", status.index().name());
    out.put("fieldName", field == null ? "" : field.name());
    out.put("indexType", params.getOrDefault("index_type", ""));
    out.put("metricType", params.getOrDefault("metric_type", ""));
    out.put("totalRows", status.totalRows());
    out.put("pendingRows", status.pendingRows());
    out.put("indexedRows", status.indexedRows());
    out.put("indexState", stateName(status.state()));
    out.put("failReason", status.failReason());
    out.put("minIndexVersion", 0);
    out.put("maxIndexVersion", 0);
    ArrayNode list = out.putArray("indexParams");
    params.forEach((key, value) -> list.addObject().put("key", key).put("value", value));
    return out;
  }

  private static String stateName(int state) {
    return switch (state) {
      case 1 -> "Unissued";
      case 2 -> "InProgress";
      case 3 -> "Finished";
      case 4 -> "Failed";
      case 5 -> "Retry";
      default -> "IndexStateNone";
    };
  }

  private CompletableFuture<ObjectNode> createIndexes(RestCall call) {
    String collection = collection(call);
    call.requiredNode("indexParams");
    CompletableFuture<?> done = CompletableFuture.completedFuture(true);
    for (JsonNode node : RestCall.objects(call.body(), "indexParams")) {
      String field = RestCall.text(node, "fieldName", "");
      if (field.isEmpty()) {
        throw RestCall.missing("fieldName");
      }
      DdlRequest.CreateIndex request =
          CreateCollectionRoute.index(
              call,
              collection,
              field,
              RestCall.text(node, "indexName", ""),
              CreateCollectionRoute.params(node));
      done = done.thenCompose(_ -> proxy.ddl(call.context(), request));
    }
    return done.thenApply(_ -> RestHandler.empty());
  }

  // Aliases.

  private void aliases(Map<String, RestHandler.Route> routes) {
    routes.put("/aliases/list", this::listAliases);
    routes.put("/aliases/describe", this::describeAlias);
    routes.put(
        "/aliases/create",
        call ->
            ddl(
                call,
                new DdlRequest.CreateAlias(
                    call.database(), collection(call), call.required("aliasName"))));
    routes.put(
        "/aliases/alter",
        call ->
            ddl(
                call,
                new DdlRequest.AlterAlias(
                    call.database(), collection(call), call.required("aliasName"))));
    routes.put(
        "/aliases/drop",
        call -> ddl(call, new DdlRequest.DropAlias(call.database(), call.required("aliasName"))));
  }

  private CompletableFuture<ObjectNode> listAliases(RestCall call) {
    String collection = call.text("collectionName", "");
    CatalogService.ListAliases request =
        new CatalogService.ListAliases(call.database(), collection.isEmpty() ? null : collection);
    return proxy
        .aliases(call.context(), request)
        .thenApply(found -> {
          ArrayNode names = NODES.arrayNode();
          found.aliases().forEach(view -> names.add(view.alias().alias()));
          return RestHandler.data(names);
        });
  }

  private CompletableFuture<ObjectNode> describeAlias(RestCall call) {
    return proxy
        .alias(call.context(), call.database(), call.required("aliasName"))
        .thenApply(view -> {
          ObjectNode out = NODES.objectNode();
          out.put("aliasName", view.alias().alias());
          out.put("collectionName", view.collectionName());
          out.put("dbName", call.database());
          return RestHandler.data(out);
        });
  }

  // Databases.

  private void databases(Map<String, RestHandler.Route> routes) {
    routes.put("/databases/list", this::listDatabases);
    routes.put("/databases/describe", this::describeDatabase);
    routes.put(
        "/databases/create",
        call ->
            ddl(
                call,
                new DdlRequest.CreateDatabase(
                    call.required("dbName"), RestCall.properties(call.body(), "properties"))));
    RestHandler.Route alter =
        call ->
            ddl(
                call,
                new DdlRequest.AlterDatabase(
                    call.required("dbName"), call.requiredProperties("properties"), List.of()));
    routes.put("/databases/alter", alter);
    routes.put("/databases/alter_properties", alter);
    routes.put(
        "/databases/drop_properties",
        call ->
            ddl(
                call,
                new DdlRequest.AlterDatabase(
                    call.required("dbName"), Map.of(), call.texts("propertyKeys"))));
    routes.put(
        "/databases/drop", call -> ddl(call, new DdlRequest.DropDatabase(call.required("dbName"))));
  }

  private CompletableFuture<ObjectNode> listDatabases(RestCall call) {
    return proxy
        .databases(call.context())
        .thenApply(found -> {
          ArrayNode names = NODES.arrayNode();
          found.databases().forEach(database -> names.add(database.name()));
          return RestHandler.data(names);
        });
  }

  private CompletableFuture<ObjectNode> describeDatabase(RestCall call) {
    String name = call.required("dbName");
    return proxy
        .databases(call.context())
        .thenApply(found -> {
          for (DatabaseMeta database : found.databases()) {
            if (database.name().equals(name)) {
              return RestHandler.data(databaseNode(database));
            }
          }
          throw DbException.withFields(ErrorCode.DATABASE_NOT_FOUND, "database", name);
        });
  }

  private static ObjectNode databaseNode(DatabaseMeta database) {
    ObjectNode out = NODES.objectNode();
    out.put("dbName", database.name());
    out.put("dbID", database.id().value());
    ArrayNode properties = out.putArray("properties");
    database
        .properties()
        .forEach((key, value) -> properties.addObject().put("key", key).put("value", value));
    return out;
  }
}
