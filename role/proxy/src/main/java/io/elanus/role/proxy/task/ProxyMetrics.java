package io.elanus.role.proxy.task;

import io.elanus.base.error.Blame;
import io.elanus.base.error.DbException;
import io.elanus.base.time.Clock;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.status.WireStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Numbers of the proxy under Milvus' names (`milvus_proxy_*`), and the slow log. Meters are made
/// once per operation and looked up without a lock afterwards.
///
/// Thread-safe.
final class ProxyMetrics {
  private static final Logger log = LoggerFactory.getLogger(ProxyMetrics.class);

  private final MeterRegistry registry;
  private final Clock clock;
  private final Duration slow;
  private final ConcurrentMap<String, Meters> operations = new ConcurrentHashMap<>();
  private final Counter cacheHits;
  private final Counter cacheMisses;

  ProxyMetrics(MeterRegistry registry, Clock clock, Duration slow) {
    this.registry = registry;
    this.clock = clock;
    this.slow = slow;
    this.cacheHits = cache("hit");
    this.cacheMisses = cache("miss");
  }

  private Counter cache(String state) {
    return Counter.builder("milvus_proxy_cache_hit_count")
        .description("Look-ups of collections in the proxy's cache.")
        .tag("cache_name", "collection")
        .tag("cache_state", state)
        .register(registry);
  }

  void cacheLooked(boolean hit) {
    (hit ? cacheHits : cacheMisses).increment();
  }

  /// The meters of one operation.
  private record Meters(
      Counter total, Counter success, Counter fail, Counter rejected, Timer latency) {}

  private Meters meters(String operation) {
    Meters known = operations.get(operation);
    return known != null ? known : operations.computeIfAbsent(operation, this::make);
  }

  private Meters make(String operation) {
    Timer latency =
        Timer.builder("milvus_proxy_req_latency")
            .description("Time from a request's arrival to its answer.")
            .tag("function_name", operation)
            .register(registry);
    return new Meters(
        requests(operation, "total"),
        requests(operation, "success"),
        requests(operation, "fail"),
        requests(operation, "rejected"),
        latency);
  }

  private Counter requests(String operation, String status) {
    return Counter.builder("milvus_proxy_req_count")
        .description("Requests by operation and outcome; rejected ones are the caller's mistakes.")
        .tag("function_name", operation)
        .tag("status", status)
        .register(registry);
  }

  /// Counts rows: `insert_vectors_count`, `search_vectors_count` and kin.
  void rows(String meter, long rows) {
    if (rows > 0) {
      registry.counter("milvus_proxy_" + meter).increment((double) rows);
    }
  }

  /// Runs an operation and measures it. What it throws becomes a failed future; every failure is a
  /// [DbException].
  <T> CompletableFuture<T> measure(
      String operation,
      CallContext context,
      boolean slowLogged,
      Supplier<CompletableFuture<T>> work) {
    Meters meters = meters(operation);
    meters.total().increment();
    long start = clock.nanoTime();
    CompletableFuture<T> answer;
    try {
      answer = work.get();
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.handle((value, failure) -> {
      Duration took = Duration.ofNanos(clock.nanoTime() - start);
      meters.latency().record(took);
      if (slowLogged && took.compareTo(slow) > 0) {
        slow(operation, context, took);
      }
      if (failure == null) {
        meters.success().increment();
        return value;
      }
      DbException error = WireStatus.classify(failure);
      (error.blame() == Blame.INPUT ? meters.rejected() : meters.fail()).increment();
      throw error;
    });
  }

  private void slow(String operation, CallContext context, Duration took) {
    registry.counter("milvus_proxy_slow_query_count", "function_name", operation).increment();
    log.atWarn()
        .addKeyValue("operation", operation)
        .addKeyValue("request", context.requestId())
        .addKeyValue("tookMs", took.toMillis())
        .log("slow request");
  }
}
