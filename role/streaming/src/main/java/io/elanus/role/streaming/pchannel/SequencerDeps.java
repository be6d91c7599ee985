package io.elanus.role.streaming.pchannel;

import io.elanus.base.error.FaultHandler;
import io.elanus.base.loop.Threads;
import io.elanus.engine.log.WalLog;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.role.streaming.shard.GrowingBudget;
import io.elanus.role.streaming.shard.SegmentAssigner;
import io.elanus.role.streaming.tail.ChannelTail;
import io.elanus.wire.service.TsoService;

/// What a sequencer works with: the open log, the state recovered from it, the tail that it
/// publishes to, and its surroundings.
///
/// Immutable.
public record SequencerDeps(Channel channel, Services services, SequencerConfig config) {
  /// The channel itself. `recovered` is handed over: the sequencer owns it from now on.
  public record Channel(WalLog log, ChannelState recovered, ChannelTail tail) {}

  /// What every channel of a node shares.
  public record Services(
      Threads threads,
      TsoService tso,
      Sealing sealing,
      FaultHandler faults,
      SequencerMetrics metrics) {}

  /// Where rows go and when segments are sealed.
  public record Sealing(SegmentAssigner assigner, GrowingBudget growing) {}
}
