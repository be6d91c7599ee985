package io.elanus.wire.meta;

import io.elanus.base.id.PartitionId;
import io.elanus.base.time.HybridTs;

/// A partition of a collection.
///
/// Immutable.
public record PartitionMeta(PartitionId id, String name, HybridTs createdTs) {
  public static final String DEFAULT_NAME = "_default";
}
