package io.elanus.role.query.delegator;

import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.GrowingSegment;
import io.elanus.wire.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The growing segments of a shard, flushed ones included until a view has them, and the ids that
/// are not to grow here (again), because a view has their rows or they were dropped.
///
/// Owned by: the shard's loop.
final class GrowingSet {
  private record Growing(PartitionId partition, GrowingSegment segment) {}

  private final TreeMap<SegmentId, Growing> growing = new TreeMap<>();
  private final Set<SegmentId> retired = new TreeSet<>();
  private final Set<PartitionId> droppedPartitions = new TreeSet<>();

  /// Appends rows; true when that made a new segment.
  boolean insert(Message.Insert insert, CollectionSchema schema, HybridTs tick) {
    SegmentId id = insert.segmentId();
    if (retired.contains(id) || droppedPartitions.contains(insert.partitionId())) {
      return false;
    }
    Growing known = growing.get(id);
    boolean isNew = known == null;
    if (known == null) {
      known = new Growing(insert.partitionId(), new GrowingSegment(schema));
      growing.put(id, known);
    }
    known.segment.append(insert.rows(), tick);
    return isNew;
  }

  void delete(DeleteBuffer.Entry delete, long[] ticks) {
    for (Growing at : growing.values()) {
      if (delete.concerns(at.partition)) {
        at.segment.applyDeletes(delete.keys(), ticks);
      }
    }
  }

  boolean isDropped(PartitionId partition) {
    return droppedPartitions.contains(partition);
  }

  /// The rows of these segments are in a view: growing copies go, and don't come back on replay.
  void retire(Iterable<SegmentId> ids) {
    for (SegmentId id : ids) {
      retired.add(id);
      Growing gone = growing.remove(id);
      if (gone != null) {
        gone.segment.release();
      }
    }
  }

  void dropPartition(PartitionId partition) {
    droppedPartitions.add(partition);
    List<SegmentId> gone = new ArrayList<>();
    growing.forEach((id, at) -> {
      if (at.partition.equals(partition)) {
        gone.add(id);
      }
    });
    retire(gone);
  }

  void dropAll() {
    retire(new ArrayList<>(growing.keySet()));
  }

  void addTo(List<ShardSegment> segments) {
    growing.forEach((id, at) -> segments.add(new ShardSegment(id, at.partition, at.segment, true)));
  }
}
