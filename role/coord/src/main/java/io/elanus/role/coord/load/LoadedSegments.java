package io.elanus.role.coord.load;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.wire.meta.CollectionMeta;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Sealed segments of one shard on QueryNodes, as far as their answers say.
///
/// Owned by: the coordinator's data loop.
final class LoadedSegments {
  /// A loaded segment: with what, and what the node says of it.
  record Loaded(NodeId node, With with, long rows, long memoryBytes) {}

  /// What a load brought: index files, delta logs, and the schema version and properties of the
  /// collection, by which the node evaluates filters and expiry.
  record With(
      Set<String> indexPaths, Set<Long> deltas, int schemaVersion, CollectionMeta.Options options) {
    boolean isOf(CollectionMeta collection) {
      return schemaVersion == collection.schema().version() && options.equals(collection.options());
    }
  }

  /// Why a segment is not loaded (with all its indexes). `skipped` are index files that turned out
  /// to be unreadable.
  record Trouble(int failures, String reason, long notBeforeNanos, Set<String> skipped) {}

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
