package io.elanus.role.coord.part;

import io.elanus.base.error.FaultHandler;
import io.elanus.base.loop.Threads;
import io.elanus.base.random.Rng;
import io.elanus.base.time.Clock;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.StreamingService;
import io.micrometer.core.instrument.MeterRegistry;

/// Everything that the coordinator gets from its process. `wal` routes appends to the owner of each
/// PChannel; `leadership` says until when it may act.
///
/// Immutable.
public record CoordinatorDeps(
    Seams runtime,
    Stores stores,
    Nodes nodes,
    StreamingService wal,
    Leadership leadership,
    CoordConfig config) {

  /// Of the only coordinator that there can be.
  public CoordinatorDeps(
      Seams runtime, Stores stores, Nodes nodes, StreamingService wal, CoordConfig config) {
    this(runtime, stores, nodes, wal, Leadership.SOLE, config);
  }

  /// Seams of the process.
  public record Seams(
      Threads threads, Clock clock, Rng rng, FaultHandler faults, MeterRegistry metrics) {}

  public record Stores(MetaStore meta, ObjectStore objects) {}

  /// Links to the other roles.
  public record Nodes(
      NodeLinks<StreamingService> streaming,
      NodeLinks<DelegatorService> delegators,
      NodeLinks<QueryNodeService> queryNodes,
      NodeLinks<DataNodeService> dataNodes,
      NodeLinks<ProxyCacheService> proxies) {}
}
