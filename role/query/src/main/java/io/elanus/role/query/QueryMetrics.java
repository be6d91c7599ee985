package io.elanus.role.query;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

/// Meters of delegators and QueryNodes (operations contract, section 9). Times are in seconds.
///
/// Thread-safe.
public final class QueryMetrics {
  private static final String PREFIX = "milvus_querynode_";

  private final MeterRegistry registry;
  private final PerKind search;
  private final PerKind query;
  private final Timer waitTime;
  private final Timer loadTime;
  private final Counter consumed;
  private final AtomicLong segments = new AtomicLong();
  private final AtomicLong entities = new AtomicLong();
  private final AtomicLong entityBytes = new AtomicLong();
  private final AtomicLong shards = new AtomicLong();
  private final AtomicLong waiting = new AtomicLong();

  /// Meters of one kind of read.
  private record PerKind(Counter total, Counter success, Counter failed, Timer latency) {}

  public QueryMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.search = kind("search");
    this.query = kind("query");
    this.waitTime =
        timer("sq_wait_tsafe_latency", "Wait of a read for its guarantee timestamp", "all");
    this.loadTime = timer("load_segment_latency", "Time to load a sealed segment", "all");
    this.consumed =
        Counter.builder(PREFIX + "consume_msg_count")
            .description("WAL messages applied by shard delegators")
            .register(registry);
    registry.gauge(PREFIX + "segment_num", segments);
    registry.gauge(PREFIX + "entity_num", entities);
    registry.gauge(PREFIX + "entity_size", entityBytes);
    registry.gauge(PREFIX + "dml_vchannel_num", shards);
    registry.gauge(PREFIX + "read_task_unsolved_len", waiting);
  }

  private PerKind kind(String type) {
    return new PerKind(
        counter(type, "total"),
        counter(type, "success"),
        counter(type, "fail"),
        timer("sq_req_latency", "Time of a read in its shard, wait included", type));
  }

  private Counter counter(String type, String status) {
    return Counter.builder(PREFIX + "sq_req_count")
        .description("Reads of shards")
        .tag("query_type", type)
        .tag("status", status)
        .register(registry);
  }

  private Timer timer(String name, String what, String type) {
    return Timer.builder(PREFIX + name)
        .description(what)
        .tag("query_type", type)
        .register(registry);
  }

  /// A gauge over some state.
  public <T> void gauge(String name, T state, ToDoubleFunction<T> value) {
    registry.gauge(PREFIX + name, state, value);
  }

  public void readEnded(boolean isSearch, boolean succeeded, long totalNanos, long waitNanos) {
    PerKind kind = isSearch ? search : query;
    kind.total.increment();
    (succeeded ? kind.success : kind.failed).increment();
    kind.latency.record(Duration.ofNanos(totalNanos));
    if (waitNanos > 0) {
      waitTime.record(Duration.ofNanos(waitNanos));
    }
  }

  public void loaded(long nanos) {
    loadTime.record(Duration.ofNanos(nanos));
  }

  public void segments(int change, long rows, long bytes) {
    segments.addAndGet(change);
    entities.addAndGet(rows);
    entityBytes.addAndGet(bytes);
  }

  public void shards(int change) {
    shards.addAndGet(change);
  }

  public void waiting(int change) {
    waiting.addAndGet(change);
  }

  public void consumed(int messages) {
    consumed.increment(messages);
  }
}
