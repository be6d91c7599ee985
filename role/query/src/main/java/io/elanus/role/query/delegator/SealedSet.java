package io.elanus.role.query.delegator;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.role.query.load.LoadedSegment;
import io.elanus.role.query.load.QueryNode;
import io.elanus.wire.service.DelegatorService.QueryView;
import io.elanus.wire.service.DelegatorService.ViewSegment;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.QueryNodeService;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The sealed segments of one query view: those of this process held in memory, the others by node.
///
/// Owned by: the shard's loop.
final class SealedSet {
  static final SealedSet EMPTY = new SealedSet(new TreeMap<>(), new TreeMap<>());

  private final SortedMap<SegmentId, LoadedSegment> local;
  private final SortedMap<NodeId, List<SegmentId>> remote;

  private SealedSet(
      SortedMap<SegmentId, LoadedSegment> local, SortedMap<NodeId, List<SegmentId>> remote) {
    this.local = local;
    this.remote = remote;
  }

  /// Takes hold of a view's segments; error 601 when one is not loaded where the view says.
  static SealedSet hold(QueryView view, NodeLinks<QueryNodeService> nodes) {
    SealedSet set = new SealedSet(new TreeMap<>(), new TreeMap<>());
    try {
      for (ViewSegment segment : view.segments()) {
        set.add(segment, nodes.node(segment.node()));
      }
      return set;
    } catch (RuntimeException e) {
      set.release();
      throw e;
    }
  }

  private void add(ViewSegment segment, QueryNodeService node) {
    if (node instanceof QueryNode here) {
      LoadedSegment held = here.hold(segment.segment());
      if (held == null) {
        throw DbException.withFields(ErrorCode.SEGMENT_NOT_LOADED, "segment", segment.segment());
      }
      local.put(segment.segment(), held);
    } else {
      remote.computeIfAbsent(segment.node(), id -> new ArrayList<>()).add(segment.segment());
    }
  }

  SortedMap<SegmentId, LoadedSegment> local() {
    return local;
  }

  SortedMap<NodeId, List<SegmentId>> remote() {
    return remote;
  }

  boolean contains(NodeId node, SegmentId segment) {
    List<SegmentId> there = remote.get(node);
    return there != null && there.contains(segment);
  }

  void release() {
    local.values().forEach(segment -> segment.segment().release());
  }
}
