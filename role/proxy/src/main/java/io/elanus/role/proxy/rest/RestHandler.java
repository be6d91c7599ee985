package io.elanus.role.proxy.rest;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.wire.http.HttpCall;
import io.elanus.wire.http.HttpHandler;
import io.elanus.wire.http.HttpReply;
import io.elanus.wire.meta.DatabaseMeta;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Routes of REST v2 under `/v2/vectordb` (rest-v2.md): parses the body, finds the route, renders
/// its answer or its error. Bodies above [#INLINE_BYTES] are parsed off the event loop.
///
/// Thread-safe: the routes are fixed.
public final class RestHandler implements HttpHandler {
  static final JsonMapper JSON = JsonMapper.builder().build();
  static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final Logger log = LoggerFactory.getLogger(RestHandler.class);
  private static final String PREFIX = "/v2/vectordb";
  private static final int INLINE_BYTES = 64 * 1024;
  private static final Map<String, String> FIXED_HEADERS =
      Map.of(
          "Access-Control-Allow-Origin", "*",
          "Access-Control-Allow-Credentials", "true",
          "Access-Control-Allow-Headers",
              "Content-Type, Authorization, Accept, Request-Timeout, DB-Name,"
                  + " Accept-Type-Allow-Int64",
          "Access-Control-Allow-Methods", "POST, GET, OPTIONS",
          "X-Content-Type-Options", "nosniff");

  /// Answers the members of the reply next to `code`: `data`, and `cost` for reads and writes.
  @FunctionalInterface
  interface Route {
    CompletableFuture<ObjectNode> handle(RestCall call);
  }

  private final Map<String, Route> routes = new TreeMap<>();
  private final Executor large;

  /// `large` takes requests whose bodies are too big for an event loop.
  public RestHandler(ProxyApi proxy, Executor large) {
    this.large = large;
    new CollectionRoutes(proxy).register(routes);
    new ObjectRoutes(proxy).register(routes);
    new EntityRoutes(proxy).register(routes);
  }

  @Override
  public CompletableFuture<HttpReply> handle(HttpCall call) {
    if (call.method().equals("OPTIONS")) {
      return CompletableFuture.completedFuture(
          new HttpReply(204, "text/plain", FIXED_HEADERS, new byte[0]));
    }
    Route route =
        call.path().startsWith(PREFIX) ? routes.get(call.path().substring(PREFIX.length())) : null;
    if (route == null || !call.method().equals("POST")) {
      return CompletableFuture.completedFuture(HttpReply.text(404, "404 page not found"));
    }
    if (call.body().length <= INLINE_BYTES) {
      return answer(route, call);
    }
    return CompletableFuture.supplyAsync(() -> answer(route, call), large)
        .thenCompose(reply -> reply);
  }

  private static CompletableFuture<HttpReply> answer(Route route, HttpCall call) {
    CompletableFuture<ObjectNode> result;
    try {
      result = route.handle(parse(call));
    } catch (DbException e) {
      result = CompletableFuture.failedFuture(e);
    }
    return result.handle((members, fault) -> {
      ObjectNode body = fault == null ? success(members) : failure(call, fault);
      int status = body.get("code").intValue() == ErrorCode.DEADLINE_EXCEEDED.number() ? 408 : 200;
      return new HttpReply(
          status, "application/json; charset=utf-8", FIXED_HEADERS, JSON.writeValueAsBytes(body));
    });
  }

  private static ObjectNode success(ObjectNode members) {
    ObjectNode body = NODES.objectNode();
    body.put("code", 0);
    body.setAll(members);
    return body;
  }

  private static ObjectNode failure(HttpCall call, Throwable fault) {
    Throwable cause = fault;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    ObjectNode body = NODES.objectNode();
    if (cause instanceof DbException known) {
      body.put("code", known.code().number());
      body.put(
          "message",
          known.code() == ErrorCode.DEADLINE_EXCEEDED
              ? "request timeout"
              : String.valueOf(known.getMessage()));
    } else {
      log.atError()
          .setCause(cause)
          .addKeyValue("request", call.context().requestId())
          .addKeyValue("path", call.path())
          .log("REST call failed unexpectedly");
      body.put("code", ErrorCode.UNEXPECTED.number());
      body.put("message", "unexpected error: " + cause);
    }
    body.put("requestId", call.context().requestId());
    return body;
  }

  private static RestCall parse(HttpCall call) {
    if (call.body().length == 0) {
      throw notJson("the request body should be nil, however {} is valid");
    }
    JsonNode body;
    try {
      body = JSON.readTree(call.body());
    } catch (JacksonException e) {
      throw notJson(e.getOriginalMessage()).causedBy(e);
    }
    if (!body.isObject()) {
      throw notJson("the request body should be a JSON object");
    }
    String database = RestCall.text(body, "dbName", "");
    if (database.isEmpty()) {
      @Nullable String header = call.header("db-name");
      database = header == null || header.isEmpty() ? DatabaseMeta.DEFAULT_NAME : header;
    }
    boolean numbers = "true".equalsIgnoreCase(call.header("accept-type-allow-int64"));
    return new RestCall(body, database, numbers, call.context());
  }

  private static DbException notJson(String why) {
    return DbException.verbatim(
        ErrorCode.INCORRECT_PARAMETER_FORMAT,
        ErrorCode.INCORRECT_PARAMETER_FORMAT.text() + ", error: " + why);
  }

  /// `{"data": data}`.
  static ObjectNode data(JsonNode data) {
    ObjectNode members = NODES.objectNode();
    members.set("data", data);
    return members;
  }

  /// `{"data": {}}`.
  static ObjectNode empty() {
    return data(NODES.objectNode());
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
