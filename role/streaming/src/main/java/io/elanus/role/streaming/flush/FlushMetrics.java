package io.elanus.role.streaming.flush;

import io.elanus.base.id.PChannel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/// Meters of a node's flushers.
///
/// Thread-safe.
public final class FlushMetrics {
  private final MeterRegistry registry;
  private final Counter segments;
  private final Counter rows;
  private final Counter bytes;
  private final Counter deltas;
  private final Counter retries;

  public FlushMetrics(MeterRegistry registry, FlushBudget budget) {
    this.registry = registry;
    this.segments = counter("milvus_streamingnode_flush_segment", "Segments stored");
    this.rows = counter("milvus_streamingnode_flush_rows", "Rows stored");
    this.bytes = counter("milvus_streamingnode_flush_bytes", "Bytes of segments stored");
    this.deltas = counter("milvus_streamingnode_flush_delta", "Deletes stored in delta logs");
    this.retries = counter("milvus_streamingnode_flush_retry", "Attempts to store that failed");
    Gauge.builder("milvus_wal_growing_segment_bytes", budget, FlushBudget::usedBytes)
        .description("Bytes of rows held for segments that are not stored yet")
        .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  Meter watch(PChannel pchannel, Supplier<Number> tickMs) {
    return Gauge.builder("milvus_wal_flusher_time_tick", tickMs)
        .description("Physical milliseconds of the last tick that the flusher has seen")
        .tag("channel_name", pchannel.name())
        .register(registry);
  }

  void unwatch(Meter meter) {
    registry.remove(meter);
  }

  void flushed(int rowCount, long byteCount) {
    segments.increment();
    rows.increment(rowCount);
    bytes.increment((double) byteCount);
  }

  void stored(int deletes) {
    deltas.increment(deletes);
  }

  void retried() {
    retries.increment();
  }
}
