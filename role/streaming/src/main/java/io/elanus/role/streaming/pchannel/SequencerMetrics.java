package io.elanus.role.streaming.pchannel;

import io.elanus.base.id.PChannel;
import io.elanus.role.streaming.timetick.TickWatermark;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;

/// Meters of a node's sequencers.
///
/// Thread-safe.
public final class SequencerMetrics {
  private final MeterRegistry registry;
  private final Counter messages;
  private final Counter bytes;
  private final Counter failures;
  private final Counter insertRows;
  private final Counter deleteRows;
  private final Counter segments;
  private final Timer duration;

  public SequencerMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.messages = counter("milvus_wal_append_message", "Messages appended to WALs");
    this.bytes = counter("milvus_wal_append_message_bytes", "Encoded bytes appended to WALs");
    this.failures = counter("milvus_wal_append_failure", "Batches that the log refused");
    this.insertRows = counter("milvus_wal_insert_rows", "Rows inserted");
    this.deleteRows = counter("milvus_wal_delete_rows", "Keys deleted");
    this.segments = counter("milvus_wal_segment_assign_segment_alloc", "Growing segments created");
    this.duration =
        Timer.builder("milvus_wal_append_message_duration")
            .description("From the arrival of an append to its answer")
            .publishPercentileHistogram()
            .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /// Gauges of one PChannel; to be removed with [#unwatch].
  List<Meter> watch(PChannel pchannel, TickWatermark ticks) {
    return List.of(
        gauge("milvus_wal_last_allocated_time_tick", pchannel, ticks::allocatedMs),
        gauge("milvus_wal_last_confirmed_time_tick", pchannel, ticks::confirmedMs));
  }

  private Gauge gauge(String name, PChannel pchannel, java.util.function.Supplier<Number> value) {
    return Gauge.builder(name, value)
        .description("Physical milliseconds of the tick")
        .tag("channel_name", pchannel.name())
        .register(registry);
  }

  void unwatch(List<Meter> meters) {
    meters.forEach(registry::remove);
  }

  void appended(int messageCount, long byteCount) {
    messages.increment(messageCount);
    bytes.increment((double) byteCount);
  }

  void inserted(int rows) {
    insertRows.increment(rows);
  }

  void deleted(int keys) {
    deleteRows.increment(keys);
  }

  void segmentCreated() {
    segments.increment();
  }

  void failed() {
    failures.increment();
  }

  void answered(long nanos) {
    duration.record(Duration.ofNanos(nanos));
  }
}
