package io.elanus.server.cluster;

import io.elanus.server.cluster.Session.Member;

/// The network between processes: gRPC, or the simulator's.
///
/// Thread-safe.
public interface Connector {
  /// A client of a service of another process, or of this one. Connecting is lazy and never fails;
  /// calls do, with error 905 when the process can't be reached.
  ///
  /// @param service one of the interfaces of `wire.service`
  <S> S connect(Member member, Class<S> service);

  /// The process is gone: what was connected to it may be closed.
  void forget(Member member);
}
