package io.elanus.role.query.load;

import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.SegmentMeta;
import java.util.TreeSet;

/// A sealed segment that a QueryNode serves.
///
/// Thread-safe: the collection is volatile; the sets belong to the loop that loads the segment.
public final class LoadedSegment {
  private final SegmentMeta meta;
  private final SealedSegment segment;
  private volatile CollectionMeta collection;
  final TreeSet<Long> deltas = new TreeSet<>();
  final TreeSet<String> indexPaths = new TreeSet<>();

  LoadedSegment(SegmentMeta meta, SealedSegment segment, CollectionMeta collection) {
    this.meta = meta;
    this.segment = segment;
    this.collection = collection;
  }

  public SegmentId id() {
    return meta.id();
  }

  public PartitionId partition() {
    return meta.place().partitionId();
  }

  public SealedSegment segment() {
    return segment;
  }

  CollectionMeta collection() {
    return collection;
  }

  void collection(CollectionMeta newer) {
    if (newer.schema().version() >= collection.schema().version()) {
      collection = newer;
    }
  }
}
