package io.elanus.role.coord.load;

import io.elanus.role.coord.part.CatalogView;
import io.elanus.role.coord.segments.Backoff;
import io.elanus.role.coord.segments.LoopWork;
import io.elanus.role.coord.segments.SegmentsPart;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.QueryNodeService;

/// What the shards of all loads share.
///
/// Owned by: the coordinator's data loop.
final class LoadWorld {
  final LoopWork work;
  final CatalogView catalog;
  final SegmentsPart segments;
  final NodeLinks<DelegatorService> delegators;
  final NodeLinks<QueryNodeService> queryNodes;
  final ChannelOwners owners;
  final LoadConfig config;
  final Backoff backoff;
  final LoadSlots slots;
  private long lastVersion;

  LoadWorld(
      CatalogView catalog,
      SegmentsPart segments,
      NodeLinks<DelegatorService> delegators,
      NodeLinks<QueryNodeService> queryNodes,
      ChannelOwners owners,
      LoadConfig config) {
    this.work = segments.work();
    this.catalog = catalog;
    this.segments = segments;
    this.delegators = delegators;
    this.queryNodes = queryNodes;
    this.owners = owners;
    this.config = config;
    this.backoff = new Backoff(config.retryPause(), config.maxRetryPause());
    this.slots = new LoadSlots(config.loadsPerNode());
  }

  /// Later versions are larger than `version`. A timestamp of the TSO is larger than every version
  /// given before the coordinator restarted, because each view takes longer than one of its ticks.
  void versionsAbove(long version) {
    lastVersion = Math.max(lastVersion, version);
  }

  long nextVersion() {
    return ++lastVersion;
  }
}
