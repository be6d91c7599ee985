package io.elanus.role.coord.world;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.wire.service.NodeLinks;
import java.util.List;
import java.util.TreeMap;

/// Links to nodes that a test brings up and takes down.
public final class FakeLinks<S> implements NodeLinks<S> {
  private final TreeMap<NodeId, S> up = new TreeMap<>();

  public void up(NodeId id, S service) {
    up.put(id, service);
  }

  public void down(NodeId id) {
    up.remove(id);
  }

  @Override
  public List<NodeId> nodes() {
    return List.copyOf(up.keySet());
  }

  @Override
  public S node(NodeId id) {
    S service = up.get(id);
    if (service == null) {
      throw DbException.withFields(ErrorCode.NODE_NOT_FOUND, "node", id);
    }
    return service;
  }
}
