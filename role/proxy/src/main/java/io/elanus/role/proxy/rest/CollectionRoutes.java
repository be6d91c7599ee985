package io.elanus.role.proxy.rest;

import static io.elanus.role.proxy.rest.RestHandler.NODES;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.QueryCoordService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `/collections/...` (rest-v2.md, section 2).
///
/// Thread-safe: stateless.
final class CollectionRoutes {
  private final ProxyApi proxy;

  CollectionRoutes(ProxyApi proxy) {
    this.proxy = proxy;
  }

  void register(Map<String, RestHandler.Route> routes) {
    routes.put("/collections/list", this::list);
    routes.put("/collections/has", this::has);
    routes.put("/collections/describe", this::describe);
    routes.put("/collections/get_stats", this::stats);
    routes.put("/collections/get_load_state", this::loadState);
    routes.put("/collections/create", new CreateCollectionRoute(proxy)::create);
    routes.put("/collections/drop", call -> ddl(call, drop(call)));
    routes.put("/collections/load", call -> ddl(call, load(call)));
    routes.put("/collections/refresh_load", call -> ddl(call, load(call)));
    routes.put("/collections/release", call -> ddl(call, release(call)));
    routes.put("/collections/rename", call -> ddl(call, rename(call)));
    routes.put("/collections/alter_properties", call -> ddl(call, alter(call)));
    routes.put("/collections/drop_properties", call -> ddl(call, dropProperties(call)));
    routes.put("/collections/fields/alter_properties", call -> ddl(call, alterField(call)));
    routes.put("/collections/fields/add", call -> ddl(call, addField(call)));
    routes.put("/collections/flush", this::flush);
    routes.put("/collections/compact", this::compact);
    routes.put("/collections/get_compaction_state", this::compactionState);
  }

  private CompletableFuture<ObjectNode> ddl(RestCall call, DdlRequest request) {
    return proxy.ddl(call.context(), request).thenApply(_ -> RestHandler.empty());
  }

  private static String name(RestCall call) {
    return call.required("collectionName");
  }

  private static DdlRequest drop(RestCall call) {
    return new DdlRequest.DropCollection(call.database(), name(call));
  }

  private static DdlRequest load(RestCall call) {
    return new DdlRequest.Load(call.database(), name(call), List.of(), 0, List.of());
  }

  private static DdlRequest release(RestCall call) {
    return new DdlRequest.Release(call.database(), name(call), List.of());
  }

  private static DdlRequest rename(RestCall call) {
    return new DdlRequest.RenameCollection(
        call.database(),
        name(call),
        call.text("newDbName", call.database()),
        call.required("newCollectionName"));
  }

  private static DdlRequest alter(RestCall call) {
    return new DdlRequest.AlterCollection(
        call.database(), name(call), call.requiredProperties("properties"), List.of());
  }

  private static DdlRequest dropProperties(RestCall call) {
    call.requiredNode("propertyKeys");
    return new DdlRequest.AlterCollection(
        call.database(), name(call), Map.of(), call.texts("propertyKeys"));
  }

  private static DdlRequest alterField(RestCall call) {
    return new DdlRequest.AlterField(
        call.database(),
        name(call),
        call.required("fieldName"),
        call.requiredProperties("fieldParams"),
        List.of());
  }

  private static DdlRequest addField(RestCall call) {
    return new DdlRequest.AddField(
        call.database(), name(call), RestSchemas.field(call.requiredNode("schema"), false));
  }

  private CompletableFuture<ObjectNode> list(RestCall call) {
    return proxy
        .collections(call.context(), call.database())
        .thenApply(found -> {
          ArrayNode names = NODES.arrayNode();
          found.collections().forEach(view -> names.add(view.meta().name()));
          return RestHandler.data(names);
        });
  }

  private CompletableFuture<ObjectNode> has(RestCall call) {
    return proxy
        .collection(
            call.context(), CatalogService.FindCollection.byName(call.database(), name(call)))
        .handle((_, fault) -> {
          boolean missing = Faults.hasCode(fault, ErrorCode.COLLECTION_NOT_FOUND);
          if (fault != null && !missing) {
            throw Faults.rethrown(fault);
          }
          ObjectNode has = NODES.objectNode();
          has.put("has", fault == null);
          return RestHandler.data(has);
        });
  }

  private CompletableFuture<ObjectNode> stats(RestCall call) {
    ProxyApi.CollectionTarget target =
        new ProxyApi.CollectionTarget(call.database(), name(call), List.of());
    return proxy
        .countRows(call.context(), target)
        .thenApply(count -> {
          ObjectNode stats = NODES.objectNode();
          stats.put("rowCount", count.rows());
          return RestHandler.data(stats);
        });
  }

  private CompletableFuture<ObjectNode> loadState(RestCall call) {
    ProxyApi.CollectionTarget target =
        new ProxyApi.CollectionTarget(call.database(), name(call), call.texts("partitionNames"));
    return proxy
        .loadStatus(call.context(), target)
        .thenApply(status -> {
          ObjectNode state = NODES.objectNode();
          state.put("loadState", stateName(status.state()));
          if (status.state() != QueryCoordService.LoadState.NOT_LOADED) {
            state.put("loadProgress", status.progress());
          }
          ObjectNode members = RestHandler.data(state);
          members.put("message", "");
          return members;
        });
  }

  private static String stateName(QueryCoordService.LoadState state) {
    return switch (state) {
      case NOT_LOADED -> "LoadStateNotLoad";
      case LOADING -> "LoadStateLoading";
      case LOADED -> "LoadStateLoaded";
    };
  }

  private CompletableFuture<ObjectNode> flush(RestCall call) {
    return proxy
        .flush(call.context(), call.database(), name(call))
        .thenApply(_ -> RestHandler.empty());
  }

  private CompletableFuture<ObjectNode> compact(RestCall call) {
    return proxy
        .compact(call.context(), call.database(), name(call), call.flag("isClustering", false))
        .thenApply(started -> {
          ObjectNode id = NODES.objectNode();
          id.put("compactionID", started.compactionId());
          return RestHandler.data(id);
        });
  }

  private CompletableFuture<ObjectNode> compactionState(RestCall call) {
    long id = call.whole("jobID", 0);
    return proxy
        .compactionStatus(call.context(), id)
        .thenApply(status -> {
          ObjectNode state = NODES.objectNode();
          state.put("compactionID", id);
          state.put("state", status.completed() ? "Completed" : "Executing");
          state.put("executingPlanNumber", status.executing());
          state.put("timeoutPlanNumber", 0);
          state.put("completedPlanNumber", status.done());
          return RestHandler.data(state);
        });
  }

  private CompletableFuture<ObjectNode> describe(RestCall call) {
    CatalogService.FindCollection find =
        CatalogService.FindCollection.byName(call.database(), name(call));
    return proxy
        .collection(call.context(), find)
        .thenCompose(view -> {
          CollectionMeta meta = view.meta();
          ProxyApi.CollectionTarget target =
              new ProxyApi.CollectionTarget(meta.owner().databaseName(), meta.name(), List.of());
          CompletableFuture<QueryCoordService.LoadStatus> load =
              proxy.loadStatus(call.context(), target);
          CompletableFuture<DataCoordService.IndexList> indexes =
              proxy
                  .indexes(call.context(), meta.owner().databaseName(), meta.name(), "")
                  .exceptionally(CollectionRoutes::noneIfMissing);
          return load.thenCombine(
              indexes, (state, list) -> RestHandler.data(description(view, state, list)));
        });
  }

  /// An absent index is an answer here, not an error.
  private static DataCoordService.IndexList noneIfMissing(Throwable fault) {
    if (Faults.hasCode(fault, ErrorCode.INDEX_NOT_FOUND)) {
      return new DataCoordService.IndexList(List.of());
    }
    throw Faults.rethrown(fault);
  }

  private static ObjectNode description(
      CatalogService.CollectionView view,
      QueryCoordService.LoadStatus load,
      DataCoordService.IndexList indexes) {
    CollectionMeta meta = view.meta();
    CollectionSchema schema = meta.schema();
    ObjectNode out = NODES.objectNode();
    out.put("collectionName", meta.name());
    out.put("collectionID", meta.id().value());
    out.put("description", schema.description());
    out.put("autoId", schema.primaryKey().isAutoId());
    ArrayNode fields = out.putArray("fields");
    for (FieldSchema field : schema.fields()) {
      if (!field.isDynamic()) {
        fields.add(RestSchemas.describe(field));
      }
    }
    out.putArray("functions");
    ArrayNode aliases = out.putArray("aliases");
    view.aliases().forEach(aliases::add);
    ArrayNode indexNodes = out.putArray("indexes");
    for (DataCoordService.IndexStatus status : indexes.indexes()) {
      ObjectNode index = indexNodes.addObject();
      index.put("indexName", status.index().name());
      FieldSchema field = schema.field(status.index().fieldId());
      index.put("fieldName", field == null ? "" : field.name());
      index.put("metricType", status.index().userParams().getOrDefault("metric_type", ""));
    }
    out.put("load", stateName(load.state()));
    out.put("shardsNum", meta.shards());
    out.put("partitionsNum", meta.partitions().size());
    out.put("consistencyLevel", meta.options().consistency().wireName());
    out.put("enableDynamicField", schema.dynamicFieldEnabled());
    ArrayNode properties = out.putArray("properties");
    meta.options()
        .properties()
        .forEach((key, value) -> properties.addObject().put("key", key).put("value", value));
    return out;
  }

  /// The type with this exact wire name; 1100 otherwise.
  static DataType typeOf(JsonNode object, String key) {
    String name = RestCall.text(object, key, "");
    for (DataType type : DataType.values()) {
      if (type.wireName().equals(name)) {
        return type;
      }
    }
    throw DbException.verbatim(
        ErrorCode.PARAMETER_INVALID,
        "invalid parameter, data type " + name + " is invalid(case sensitive).");
  }
}
