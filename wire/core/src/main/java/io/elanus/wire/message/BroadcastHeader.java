package io.elanus.wire.message;

import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.VChannel;
import java.util.List;

/// Stamped on every copy of a broadcast message (rule B-04). With `ackSyncUp` the consumer of every
/// target acknowledges; without it the Broadcaster does so itself after the appends.
///
/// Immutable.
public record BroadcastHeader(
    BroadcastId id, List<VChannel> targets, List<ResourceKey> keys, boolean ackSyncUp) {
  public BroadcastHeader {
    targets = List.copyOf(targets);
    keys = List.copyOf(keys);
  }
}
