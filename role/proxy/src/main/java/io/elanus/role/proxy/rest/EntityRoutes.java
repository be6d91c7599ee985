package io.elanus.role.proxy.rest;

import static io.elanus.role.proxy.rest.RestHandler.NODES;
import static java.util.Objects.requireNonNull;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.Consistency;
import io.elanus.role.proxy.api.HybridSearchRequest;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.role.proxy.api.QueryRequest;
import io.elanus.role.proxy.api.ReadTarget;
import io.elanus.role.proxy.api.SearchReply;
import io.elanus.role.proxy.api.SearchRequest;
import io.elanus.role.proxy.api.TemplateArgument;
import io.elanus.role.proxy.api.WriteReply;
import io.elanus.role.proxy.api.WriteRequest;
import io.elanus.wire.service.CatalogService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `/entities/...` (rest-v2.md, section 3).
///
/// Thread-safe: stateless.
final class EntityRoutes {
  private static final String DEFAULT_LIMIT = "100";

  private final ProxyApi proxy;

  EntityRoutes(ProxyApi proxy) {
    this.proxy = proxy;
  }

  void register(Map<String, RestHandler.Route> routes) {
    routes.put("/entities/insert", this::insert);
    routes.put("/entities/upsert", this::upsert);
    routes.put("/entities/delete", this::delete);
    routes.put("/entities/get", this::get);
    routes.put("/entities/query", this::query);
    routes.put("/entities/search", this::search);
    routes.put("/entities/hybrid_search", this::hybridSearch);
    routes.put("/entities/advanced_search", this::hybridSearch);
  }

  private CompletableFuture<CollectionSchema> schema(RestCall call) {
    return proxy
        .collection(
            call.context(),
            CatalogService.FindCollection.byName(call.database(), call.required("collectionName")))
        .thenApply(view -> view.meta().schema());
  }

  // Writes.

  private CompletableFuture<ObjectNode> insert(RestCall call) {
    String collection = call.required("collectionName");
    JsonNode rows = call.requiredNode("data");
    return schema(call)
        .thenCompose(schema -> {
          RowReader read = RowReader.read(schema, rows, RowReader.Mode.INSERT);
          return proxy.insert(
              call.context(),
              new WriteRequest.Insert(
                  call.database(),
                  collection,
                  call.text("partitionName", ""),
                  read.columns(),
                  read.rows(),
                  0));
        })
        .thenApply(reply -> written(call, reply, "insertCount", reply.inserted(), "insertIds"));
  }

  private CompletableFuture<ObjectNode> upsert(RestCall call) {
    String collection = call.required("collectionName");
    JsonNode rows = call.requiredNode("data");
    JsonNode ops = call.body().get("fieldOps");
    if (ops != null && !ops.isEmpty()) {
      throw DbException.invalid("fieldOps are not supported yet");
    }
    boolean partial = call.flag("partialUpdate", false);
    return schema(call)
        .thenCompose(schema -> {
          RowReader.Mode mode = partial ? RowReader.Mode.PARTIAL : RowReader.Mode.UPSERT;
          RowReader read = RowReader.read(schema, rows, mode);
          return proxy.upsert(
              call.context(),
              new WriteRequest.Upsert(
                  call.database(),
                  collection,
                  call.text("partitionName", ""),
                  read.columns(),
                  read.rows(),
                  new WriteRequest.Upsert.Options(0, partial)));
        })
        .thenApply(reply -> written(call, reply, "upsertCount", reply.upserted(), "upsertIds"));
  }

  private static ObjectNode written(
      RestCall call, WriteReply reply, String countKey, long count, String idsKey) {
    ObjectNode data = NODES.objectNode();
    data.put(countKey, count);
    ArrayNode ids = data.putArray(idsKey);
    switch (reply.keys()) {
      case PrimaryKeys.Longs longs -> {
        for (long key : longs.values()) {
          if (call.longsAsNumbers()) {
            ids.add(key);
          } else {
            ids.add(Long.toString(key));
          }
        }
      }
      case PrimaryKeys.Texts texts -> {
        for (String key : texts.values()) {
          ids.add(key);
        }
      }
    }
    return withCost(data);
  }

  private static ObjectNode withCost(JsonNode data) {
    ObjectNode members = RestHandler.data(data);
    members.put("cost", 0);
    return members;
  }

  private CompletableFuture<ObjectNode> delete(RestCall call) {
    WriteRequest.Delete request =
        new WriteRequest.Delete(
            call.database(),
            call.required("collectionName"),
            call.text("partitionName", ""),
            call.required("filter"),
            templates(call.body()));
    return proxy
        .delete(call.context(), request)
        .thenApply(reply -> {
          ObjectNode data = NODES.objectNode();
          data.put("deleteCount", reply.deleted());
          return withCost(data);
        });
  }

  // Reads.

  private CompletableFuture<ObjectNode> get(RestCall call) {
    JsonNode ids = call.requiredNode("id");
    return schema(call)
        .thenCompose(schema -> {
          ReadTarget target = target(call, keyFilter(schema.primaryKey(), ids), List.of("*"));
          return queryRows(call, new QueryRequest(target, Map.of(), consistency(call)));
        });
  }

  /// `pk in [...]` for one id or an array of them.
  private static String keyFilter(FieldSchema key, JsonNode ids) {
    ArrayNode list = NODES.arrayNode();
    if (ids.isArray()) {
      ids.forEach(id -> list.add(keyNode(key, id)));
    } else {
      list.add(keyNode(key, ids));
    }
    return key.name() + " in " + list;
  }

  private static JsonNode keyNode(FieldSchema key, JsonNode id) {
    if (key.type() == DataType.VARCHAR) {
      return NODES.stringNode(RestCall.scalarText(id));
    }
    try {
      return NODES.numberNode(Long.parseLong(RestCall.scalarText(id)));
    } catch (NumberFormatException e) {
      throw DbException.verbatim(
              ErrorCode.CHECK_PRIMARY_KEY,
              ErrorCode.CHECK_PRIMARY_KEY.text() + ", error: " + id + " is not an integer")
          .causedBy(e);
    }
  }

  private CompletableFuture<ObjectNode> query(RestCall call) {
    call.required("collectionName");
    ReadTarget target = target(call, call.text("filter", ""), List.of("*"));
    Map<String, String> params = new TreeMap<>();
    boolean counts =
        target.outputFields().size() == 1
            && target.outputFields().getFirst().equalsIgnoreCase("count(*)");
    if (!counts) {
      String limit = call.text("limit", "0");
      params.put("limit", limit.equals("0") ? DEFAULT_LIMIT : limit);
      putIfSet(params, "offset", call.text("offset", ""));
    }
    return queryRows(call, new QueryRequest(target, params, consistency(call)));
  }

  private CompletableFuture<ObjectNode> queryRows(RestCall call, QueryRequest request) {
    return proxy
        .query(call.context(), request)
        .thenApply(reply -> {
          RowWriter writer = new RowWriter(reply.columns(), call.longsAsNumbers());
          ArrayNode rows = NODES.arrayNode();
          for (int i = 0; i < writer.rows(); i++) {
            rows.add(writer.row(i));
          }
          return withCost(rows);
        });
  }

  private static ReadTarget target(RestCall call, String filter, List<String> otherwise) {
    List<String> outputs = call.texts("outputFields");
    return new ReadTarget(
        call.database(),
        call.required("collectionName"),
        call.texts("partitionNames"),
        filter,
        templates(call.body()),
        outputs.isEmpty() ? otherwise : outputs);
  }

  private CompletableFuture<ObjectNode> search(RestCall call) {
    call.required("collectionName");
    if (call.body().has("ids")) {
      throw DbException.invalid("search by ids is not supported yet");
    }
    refuseUnsupported(call.body());
    JsonNode data = call.requiredNode("data");
    return schema(call)
        .thenCompose(schema -> {
          Map<String, String> params = new TreeMap<>();
          SearchParams.put(params, call.body(), "searchParams");
          putIfSet(params, "anns_field", call.text("annsField", ""));
          String limit = call.text("limit", "0");
          params.put("topk", limit.equals("0") ? DEFAULT_LIMIT : limit);
          putIfSet(params, "offset", call.text("offset", ""));
          SearchRequest request =
              new SearchRequest(
                  target(call, call.text("filter", ""), List.of()),
                  SearchParams.queries(data),
                  params,
                  consistency(call));
          return proxy.search(call.context(), request);
        })
        .thenApply(reply -> hits(call, reply));
  }

  /// Refuses what would change the answer and isn't there; `object` is a call or a sub search.
  static void refuseUnsupported(JsonNode object) {
    for (String key : List.of("groupingField", "functionScore")) {
      JsonNode node = object.get(key);
      boolean blank =
          node == null
              || node.isNull()
              || (node.isString()
                  ? node.stringValue().isEmpty()
                  : node.isObject() && node.isEmpty());
      if (!blank) {
        throw DbException.invalid(key + " is not supported yet");
      }
    }
  }

  private CompletableFuture<ObjectNode> hybridSearch(RestCall call) {
    call.required("collectionName");
    refuseUnsupported(call.body());
    call.requiredNode("search");
    List<SearchRequest> searches = new ArrayList<>();
    Consistency consistency = consistency(call);
    for (JsonNode sub : RestCall.objects(call.body(), "search")) {
      refuseUnsupported(sub);
      searches.add(subSearch(call, sub, consistency));
    }
    Map<String, String> rank = new TreeMap<>();
    call.requiredNode("rerank");
    JsonNode rerank = requireNonNull(RestCall.object(call.body(), "rerank"));
    rank.put("strategy", RestCall.text(rerank, "strategy", ""));
    JsonNode params = rerank.get("params");
    rank.put("params", params == null ? "{}" : params.toString());
    String limit = call.text("limit", "0");
    rank.put("limit", limit.equals("0") ? DEFAULT_LIMIT : limit);
    putIfSet(rank, "offset", call.text("offset", ""));
    HybridSearchRequest request =
        new HybridSearchRequest(target(call, "", List.of()), searches, rank, consistency);
    return proxy.hybridSearch(call.context(), request).thenApply(reply -> hits(call, reply));
  }

  private static SearchRequest subSearch(RestCall call, JsonNode sub, Consistency consistency) {
    JsonNode data = sub.get("data");
    if (data == null) {
      throw RestCall.missing("data");
    }
    Map<String, String> params = new TreeMap<>();
    SearchParams.put(params, sub, "params");
    putIfSet(params, "metric_type", RestCall.text(sub, "metricType", ""));
    putIfSet(params, "anns_field", RestCall.text(sub, "annsField", ""));
    String limit = RestCall.text(sub, "limit", "0");
    params.put("topk", limit.equals("0") ? DEFAULT_LIMIT : limit);
    putIfSet(params, "offset", RestCall.text(sub, "offset", ""));
    ReadTarget target =
        new ReadTarget(
            call.database(),
            call.required("collectionName"),
            call.texts("partitionNames"),
            RestCall.text(sub, "filter", ""),
            templates(sub),
            List.of());
    return new SearchRequest(target, SearchParams.queries(data), params, consistency);
  }

  /// One flat list of rows over all queries, and how many each has.
  private static ObjectNode hits(RestCall call, SearchReply reply) {
    RowWriter writer = new RowWriter(reply.fields().columns(), call.longsAsNumbers());
    ArrayNode rows = NODES.arrayNode();
    for (int i = 0; i < reply.scores().length; i++) {
      ObjectNode row = writer.row(i);
      row.set(reply.fields().primaryField(), RowWriter.key(reply.keys(), i, call.longsAsNumbers()));
      row.put("distance", reply.scores()[i]);
      rows.add(row);
    }
    ObjectNode members = withCost(rows);
    ArrayNode counts = members.putArray("topks");
    for (int count : reply.counts()) {
      counts.add(count);
    }
    return members;
  }

  private static void putIfSet(Map<String, String> params, String key, String value) {
    if (!value.isEmpty()) {
      params.put(key, value);
    }
  }

  private static Consistency consistency(RestCall call) {
    String name = call.text("consistencyLevel", "");
    return name.isEmpty() ? Consistency.DEFAULT : new Consistency(false, level(name), 0);
  }

  static ConsistencyLevel level(String name) {
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      if (level.wireName().equals(name)) {
        return level;
      }
    }
    throw DbException.invalid(
        "consistencyLevel can only be [Strong, Session, Bounded, Eventually, Customized], default: "
            + "Bounded, got "
            + name);
  }

  /// The template arguments of a call or a sub search.
  static Map<String, TemplateArgument> templates(JsonNode object) {
    @Nullable ObjectNode params = RestCall.object(object, "exprParams");
    if (params == null) {
      return Map.of();
    }
    Map<String, TemplateArgument> out = new TreeMap<>();
    params.properties().forEach(e -> out.put(e.getKey(), template(e.getKey(), e.getValue())));
    return out;
  }

  private static TemplateArgument template(String name, JsonNode node) {
    if (node.isBoolean()) {
      return new TemplateArgument.Bool(node.booleanValue());
    }
    if (node.isIntegralNumber()) {
      return new TemplateArgument.Whole(RestCall.whole("exprParams " + name, node));
    }
    if (node.isNumber()) {
      return new TemplateArgument.Real(node.doubleValue());
    }
    if (node.isString()) {
      return new TemplateArgument.Text(node.stringValue());
    }
    if (node.isArray()) {
      List<TemplateArgument> values = new ArrayList<>();
      node.forEach(value -> values.add(template(name, value)));
      return new TemplateArgument.Many(values);
    }
    throw DbException.invalid(
        "exprParams " + name + " should be a boolean, number, string or array, got " + node);
  }
}
