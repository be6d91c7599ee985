package io.elanus.role.coord.segments;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.SegmentMeta.Place;
import java.util.List;

/// Segments of one place and schema version that become one, without the rows deleted up to
/// `readTs`.
///
/// Immutable.
record CompactionPlan(Place place, List<SegmentId> inputs, HybridTs readTs) {
  CompactionPlan {
    inputs = List.copyOf(inputs);
  }

  CollectionId collection() {
    return place.collectionId();
  }
}
