package io.elanus.role.streaming;

import io.elanus.base.loop.Threads;
import io.elanus.role.streaming.flush.FlushBudget;
import io.elanus.role.streaming.flush.FlushMetrics;
import io.elanus.role.streaming.flush.FlusherDeps;
import io.elanus.role.streaming.pchannel.SequencerDeps;
import io.elanus.role.streaming.pchannel.SequencerMetrics;
import io.elanus.role.streaming.shard.GrowingBudget;
import io.elanus.role.streaming.shard.SegmentAssigner;
import io.elanus.role.streaming.tail.TailMetrics;

/// What the channels of a node share.
///
/// Immutable.
record NodeParts(
    StreamingDeps deps,
    SequencerDeps.Services sequencerServices,
    FlusherDeps.Services flushServices,
    TailMetrics tailMetrics) {

  static NodeParts of(StreamingDeps deps) {
    StreamingDeps.Process process = deps.process();
    FlushBudget budget = new FlushBudget(deps.config().flush().bufferBytes());
    return new NodeParts(
        deps,
        new SequencerDeps.Services(
            process.threads(),
            deps.coordinator().tso(),
            new SequencerDeps.Sealing(
                new SegmentAssigner(deps.config().seal(), Runtime.getRuntime().maxMemory()),
                new GrowingBudget(deps.config().growing())),
            process.faults(),
            new SequencerMetrics(process.metrics())),
        new FlusherDeps.Services(
            process.threads(),
            process.rng().split("streaming/flush"),
            deps.engines().objects(),
            deps.coordinator().dataCoord(),
            deps.coordinator().tso(),
            process.faults(),
            new FlusherDeps.Memory(budget, new FlushMetrics(process.metrics(), budget))),
        new TailMetrics(process.metrics()));
  }

  Threads threads() {
    return deps.process().threads();
  }

  StreamingDeps.Engines engines() {
    return deps.engines();
  }

  StreamingConfig config() {
    return deps.config();
  }
}
