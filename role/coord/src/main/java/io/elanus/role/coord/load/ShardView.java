package io.elanus.role.coord.load;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.service.DelegatorService.QueryView;
import io.elanus.wire.service.DelegatorService.ViewSegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What a delegator was told to serve: where each sealed segment is, which segments' rows are not
/// (or no more) under their own id, and which partitions are whole. `wholeCollection` says that
/// partitions made later are served too.
///
/// Immutable.
record ShardView(
    SortedMap<SegmentId, NodeId> segments,
    SortedSet<SegmentId> replaced,
    SortedSet<PartitionId> partitions,
    boolean wholeCollection,
    List<IndexMeta> indexes,
    HybridTs deltaTick) {
  static final ShardView EMPTY =
      new ShardView(
          new TreeMap<>(), new TreeSet<>(), new TreeSet<>(), false, List.of(), HybridTs.ZERO);

  ShardView {
    segments = Collections.unmodifiableSortedMap(new TreeMap<>(segments));
    replaced = Collections.unmodifiableSortedSet(new TreeSet<>(replaced));
    partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
    indexes = List.copyOf(indexes);
  }

  boolean serves(PartitionId partition) {
    return wholeCollection || partitions.contains(partition);
  }

  /// Whether a delegator that has `other` serves what this one asks for; the delta tick aside.
  boolean isServedBy(ShardView other) {
    return segments.equals(other.segments)
        && other.replaced.containsAll(replaced)
        && partitions.equals(other.partitions)
        && wholeCollection == other.wholeCollection
        && indexes.equals(other.indexes);
  }

  QueryView under(long version, HybridTs readableFrom) {
    List<ViewSegment> located = new ArrayList<>();
    segments.forEach((segment, node) -> located.add(new ViewSegment(segment, node)));
    return new QueryView(version, located, List.copyOf(replaced), deltaTick, readableFrom);
  }
}
