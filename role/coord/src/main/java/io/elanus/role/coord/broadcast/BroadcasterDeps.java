package io.elanus.role.coord.broadcast;

import io.elanus.base.error.FaultHandler;
import io.elanus.base.loop.Threads;
import io.elanus.base.random.Rng;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.TsoService;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// What the [Broadcaster] works with. `ready` is the front door: its future completes once every
/// PChannel is assigned and open. `role` answers the cluster's replication role now.
///
/// Immutable.
public record BroadcasterDeps(
    Threads threads,
    Rng rng,
    FaultHandler faults,
    FencedStore store,
    Outside outside,
    Supplier<ClusterRole> role) {

  /// The rest of the cluster.
  public record Outside(
      StreamingService wal, TsoService tso, Supplier<CompletableFuture<Void>> ready) {}

  /// Which side of a replication the cluster is on; one without replication is primary.
  public enum ClusterRole {
    PRIMARY,
    SECONDARY
  }
}
