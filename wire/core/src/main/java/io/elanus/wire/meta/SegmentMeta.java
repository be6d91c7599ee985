package io.elanus.wire.meta;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import java.util.List;

/// A segment in the object store, or on its way there. `path` is its folder of immutable objects.
///
/// Immutable.
public record SegmentMeta(
    SegmentId id,
    Place place,
    SegmentState state,
    String path,
    Stats stats,
    HybridTs deletesAppliedTs,
    List<SegmentIndexMeta> indexes) {

  /// Where its rows belong.
  public record Place(CollectionId collectionId, PartitionId partitionId, VChannel vchannel) {}

  /// Rows and bytes stored, smallest and largest row timestamp, and the schema version of its
  /// columns.
  public record Stats(int rows, long sizeBytes, HybridTs minTs, HybridTs maxTs, int schemaVersion) {
    public static final Stats EMPTY = new Stats(0, 0, HybridTs.ZERO, HybridTs.ZERO, 0);
  }

  public SegmentMeta {
    indexes = List.copyOf(indexes);
  }

  public SegmentMeta withState(SegmentState newState) {
    return new SegmentMeta(id, place, newState, path, stats, deletesAppliedTs, indexes);
  }

  public SegmentMeta withIndexes(List<SegmentIndexMeta> newIndexes) {
    return new SegmentMeta(id, place, state, path, stats, deletesAppliedTs, newIndexes);
  }
}
