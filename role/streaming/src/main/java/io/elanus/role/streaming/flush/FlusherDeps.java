package io.elanus.role.streaming.flush;

import io.elanus.base.error.FaultHandler;
import io.elanus.base.loop.Threads;
import io.elanus.base.random.Rng;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.role.streaming.recovery.RecoveryStore;
import io.elanus.role.streaming.tail.ChannelTail;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.TsoService;

/// What a flusher works with.
///
/// Immutable.
public record FlusherDeps(Channel channel, Services services, FlushConfig config) {
  /// The channel: its log, its tail, where its flush points are kept.
  public record Channel(WalLog log, ChannelTail tail, RecoveryStore store) {}

  /// What every flusher of a node shares.
  public record Services(
      Threads threads,
      Rng rng,
      ObjectStore objects,
      DataCoordService dataCoord,
      TsoService tso,
      FaultHandler faults,
      Memory memory) {}

  /// The node's memory for rows, and its meters.
  public record Memory(FlushBudget budget, FlushMetrics metrics) {}
}
