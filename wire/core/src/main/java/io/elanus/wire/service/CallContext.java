package io.elanus.wire.service;

import io.elanus.base.time.Deadline;

/// What accompanies every call between roles: by when it must be answered, and the id of the client
/// request that it serves (in logs and on every error).
///
/// Immutable.
public record CallContext(Deadline deadline, String requestId) {
  /// For work that no client waits for.
  public static CallContext background(String what) {
    return new CallContext(Deadline.NONE, what);
  }
}
