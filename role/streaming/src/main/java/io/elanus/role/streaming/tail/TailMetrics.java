package io.elanus.role.streaming.tail;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/// Meters of the readers of a node's WALs.
///
/// Thread-safe.
public final class TailMetrics {
  private final AtomicInteger scanners;
  private final Counter scanned;

  public TailMetrics(MeterRegistry registry) {
    this.scanners = registry.gauge("milvus_wal_scanner_total", new AtomicInteger());
    this.scanned =
        Counter.builder("milvus_wal_scan_message")
            .description("Messages read from the log by readers that were behind the tail")
            .register(registry);
  }

  void scanners(int change) {
    scanners.addAndGet(change);
  }

  void scanned(int messages) {
    scanned.increment(messages);
  }
}
