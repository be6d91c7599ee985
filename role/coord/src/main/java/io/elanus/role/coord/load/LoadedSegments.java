package io.elanus.role.coord.load;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Sealed segments of one shard on QueryNodes, as far as their answers say.
///
/// Owned by: the coordinator's data loop.
final class LoadedSegments {
  /// A loaded segment: with which index files and delta logs.
  record Loaded(
      NodeId node, Set<String> indexPaths, Set<Long> deltas, long rows, long memoryBytes) {}

  /// Why a segment is not loaded (with all its indexes). `skipped` are index files that turned out to
  /// be unreadable; with `skipAll`, one of them is, it is not known which.
  record Trouble(
      int failures, String reason, long notBeforeNanos, Set<String> skipped, boolean skipAll) {}

  final TreeMap<SegmentId, Loaded> loaded = new TreeMap<>();
  final TreeMap<SegmentId, NodeId> loading = new TreeMap<>();
  final TreeSet<SegmentId> releasing = new TreeSet<>();
  final TreeMap<SegmentId, Trouble> troubles = new TreeMap<>();

  @Nullable Loaded of(SegmentId segment) {
    return releasing.contains(segment) ? null : loaded.get(segment);
  }

  boolean isKnown(SegmentId segment) {
    return loaded.containsKey(segment)
        || loading.containsKey(segment)
        || releasing.contains(segment);
  }

  /// Forgets what was on nodes that are gone; true when something was.
  boolean forgetLost(Set<NodeId> up) {
    return loaded.values().removeIf(segment -> !up.contains(segment.node()));
  }
}
