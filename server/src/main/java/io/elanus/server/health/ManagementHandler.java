package io.elanus.server.health;

import io.elanus.wire.codec.WireJson;
import io.elanus.wire.http.HttpCall;
import io.elanus.wire.http.HttpHandler;
import io.elanus.wire.http.HttpReply;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Answers of the management port (ops.md, section 1): `/healthz`, `/livez`, `/metrics`, the status
/// page at `/` and `/webui/`, and its data at `/api/v1/_cluster/info`.
///
/// Thread-safe: stateless but for what it asks.
public final class ManagementHandler implements HttpHandler {
  /// A role's health: `code` is `Healthy`, `Initializing`, `Abnormal` or `Stopping`.
  public record ComponentHealth(String name, String code) {
    boolean isHealthy() {
      return code.equals("Healthy");
    }
  }

  /// Where the answers come from.
  public interface Sources {
    List<ComponentHealth> health();

    CompletableFuture<NodeState> status();
  }

  private final Sources sources;
  private final PrometheusMeterRegistry metrics;
  private final JvmMeters jvm;
  private final Executor blocking;

  /// `blocking` renders metrics, which may be large.
  public ManagementHandler(Sources sources, PrometheusMeterRegistry metrics, Executor blocking) {
    this.sources = sources;
    this.metrics = metrics;
    this.jvm = new JvmMeters(metrics);
    this.blocking = blocking;
  }

  @Override
  public CompletableFuture<HttpReply> handle(HttpCall call) {
    if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
      return done(() -> HttpReply.text(405, "method not allowed"));
    }
    return switch (call.path()) {
      case "/healthz" -> done(() -> health(call));
      case "/livez" -> done(() -> HttpReply.text(200, "OK"));
      case "/metrics", "/metrics_default" -> CompletableFuture.supplyAsync(this::scrape, blocking);
      case "/", "/webui", "/webui/" -> status().thenApply(StatusPage::render);
      case "/api/v1/_cluster/info" ->
          status().thenApply(state -> HttpReply.json(200, WireJson.write(state)));
      default -> done(() -> HttpReply.text(404, "not found"));
    };
  }

  private static CompletableFuture<HttpReply> done(Supplier<HttpReply> reply) {
    return CompletableFuture.completedFuture(reply.get());
  }

  private HttpReply health(HttpCall call) {
    List<ComponentHealth> components = sources.health();
    boolean healthy = components.stream().allMatch(ComponentHealth::isHealthy);
    int status = healthy ? 200 : 500;
    String type = call.header("content-type");
    if (type != null && type.startsWith("application/json")) {
      Map<String, Object> body = new TreeMap<>();
      body.put("state", healthy ? "OK" : "component unhealthy");
      body.put("detail", components);
      return HttpReply.json(status, WireJson.write(body));
    }
    return HttpReply.text(status, healthy ? "OK" : "component unhealthy: " + components);
  }

  private HttpReply scrape() {
    jvm.bindOnce();
    return new HttpReply(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        Map.of(),
        metrics.scrape().getBytes(StandardCharsets.UTF_8));
  }

  /// Off the event loop: it asks for every collection.
  private CompletableFuture<NodeState> status() {
    return CompletableFuture.supplyAsync(sources::status, blocking).thenCompose(state -> state);
  }
}
