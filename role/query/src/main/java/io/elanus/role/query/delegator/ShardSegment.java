package io.elanus.role.query.delegator;

import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.engine.segment.Segment;

/// A segment of this process as a view lists it.
///
/// Immutable.
record ShardSegment(SegmentId id, PartitionId partition, Segment segment, boolean isGrowing) {}
