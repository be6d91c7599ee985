package io.elanus.role.streaming;

import io.elanus.base.error.FaultHandler;
import io.elanus.base.loop.Threads;
import io.elanus.base.random.Rng;
import io.elanus.engine.log.WalBackend;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.TsoService;
import io.micrometer.core.instrument.MeterRegistry;

/// What a StreamingNode is made of.
///
/// Immutable.
public record StreamingDeps(
    Engines engines, Coordinator coordinator, Process process, StreamingConfig config) {
  /// Where its data lies.
  public record Engines(WalBackend wal, MetaStore meta, ObjectStore objects) {}

  /// Services of the coordinator that it calls.
  public record Coordinator(TsoService tso, DataCoordService dataCoord) {}

  /// What it runs on.
  @SuppressWarnings("AvoidCommonTypeNames") // Always written with the outer name.
  public record Process(Threads threads, Rng rng, FaultHandler faults, MeterRegistry metrics) {}
}
