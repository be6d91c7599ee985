package io.elanus.wire.service;

import io.elanus.base.id.NodeId;
import java.util.List;

/// Links of the coordinator and of delegators to the nodes of one kind. `server` fills them, in
/// process or over gRPC; the order of [#nodes] is stable.
///
/// Thread-safe.
public interface NodeLinks<S> {
  /// Nodes that are up.
  List<NodeId> nodes();

  /// The service of a node; error 901 when it is not (any more) known.
  S node(NodeId id);
}
