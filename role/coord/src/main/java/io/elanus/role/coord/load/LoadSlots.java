package io.elanus.role.coord.load;

import io.elanus.base.id.NodeId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;

/// Bounds the loads that run at the same time on each QueryNode.
///
/// Owned by: the coordinator's data loop.
final class LoadSlots {
  private final int perNode;
  private final TreeMap<NodeId, Integer> taken = new TreeMap<>();
  private final LinkedHashSet<ShardLoad> waiting = new LinkedHashSet<>();

  LoadSlots(int perNode) {
    this.perNode = perNode;
  }

  /// Takes a slot; without one, `shard` is stepped when one is given back.
  boolean take(NodeId node, ShardLoad shard) {
    int busy = taken.getOrDefault(node, 0);
    if (busy >= perNode) {
      waiting.add(shard);
      return false;
    }
    taken.put(node, busy + 1);
    return true;
  }

  void giveBack(NodeId node) {
    taken.computeIfPresent(node, (_, busy) -> busy == 1 ? null : busy - 1);
    List<ShardLoad> woken = List.copyOf(waiting);
    waiting.clear();
    woken.forEach(ShardLoad::step);
  }
}
