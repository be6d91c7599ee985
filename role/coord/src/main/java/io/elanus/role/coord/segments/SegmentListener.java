package io.elanus.role.coord.segments;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.VChannel;

/// Hears that what is stored of a shard has changed, durably: segments, their indexes, delta logs
/// or the checkpoint. Says no more than "look again", so that hearing twice is harmless.
///
/// Called on the coordinator's data loop.
@FunctionalInterface
public interface SegmentListener {
  void storedChanged(CollectionId collection, VChannel vchannel);
}
