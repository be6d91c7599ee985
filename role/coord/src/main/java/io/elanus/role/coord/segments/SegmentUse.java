package io.elanus.role.coord.segments;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;

/// Whether a segment may still be read by a view or be loaded on a node. True in doubt: the answer
/// decides when a replaced segment's files may go.
///
/// Called on the coordinator's data loop.
@FunctionalInterface
public interface SegmentUse {
  boolean isUsed(CollectionId collection, VChannel vchannel, SegmentId segment);
}
