package io.elanus.role.coord.load;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a segment is loaded: the node with the largest hash of both ids. The same nodes give the
/// same answer after a restart, so that a segment is found where it was loaded, and a node that
/// comes or goes moves only its own share.
///
/// Thread-safe: stateless.
final class Placement {
  private Placement() {}

  static @Nullable NodeId of(SegmentId segment, List<NodeId> nodes) {
    NodeId best = null;
    long bestWeight = 0;
    for (NodeId node : nodes) {
      long weight = mix(segment.value() * 0x9E3779B97F4A7C15L + mix(node.value()));
      if (best == null || Long.compareUnsigned(weight, bestWeight) > 0) {
        best = node;
        bestWeight = weight;
      }
    }
    return best;
  }

  private static long mix(long value) {
    long h = value;
    h = (h ^ (h >>> 33)) * 0xFF51AFD7ED558CCDL;
    h = (h ^ (h >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return h ^ (h >>> 33);
  }
}
