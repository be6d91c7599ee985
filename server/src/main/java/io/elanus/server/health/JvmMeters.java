package io.elanus.server.health;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/// Memory, threads, processor time, collections and open files of the JVM, registered with the
/// first scrape: the management beans behind them are slow to start.
///
/// Thread-safe.
final class JvmMeters {
  private final MeterRegistry registry;
  private final AtomicBoolean bound = new AtomicBoolean();

  JvmMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  void bindOnce() {
    if (!bound.compareAndSet(false, true)) {
      return;
    }
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      FunctionCounter.builder(
              "jvm.gc.collection", collector, bean -> bean.getCollectionTime() / 1e3)
          .baseUnit("seconds")
          .tag("gc", collector.getName())
          .description("Time spent in collections")
          .register(registry);
      FunctionCounter.builder(
              "jvm.gc.collections", collector, GarbageCollectorMXBean::getCollectionCount)
          .tag("gc", collector.getName())
          .description("Collections")
          .register(registry);
    }
  }
}
