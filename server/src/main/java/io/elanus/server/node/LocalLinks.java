package io.elanus.server.node;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.wire.service.NodeLinks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// Links to nodes in this process: plain references.
///
/// Thread-safe: the map is concurrent.
public final class LocalLinks<S> implements NodeLinks<S> {
  private final Map<NodeId, S> services = new ConcurrentSkipListMap<>();

  public void add(NodeId id, S service) {
    services.put(id, service);
  }

  @Override
  public List<NodeId> nodes() {
    return List.copyOf(services.keySet());
  }

  @Override
  public S node(NodeId id) {
    S service = services.get(id);
    if (service == null) {
      throw DbException.withFields(ErrorCode.NODE_NOT_FOUND, "node", id);
    }
    return service;
  }
}
