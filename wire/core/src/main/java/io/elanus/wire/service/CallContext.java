package io.elanus.wire.service;

import io.elanus.base.time.Deadline;

/// What accompanies every call between roles: by when it must be answered, the id of the client
/// request that it serves (in logs and on every error), and the client's idempotency key, empty for
/// none, under which a DDL runs once (rule B-41).
///
/// Immutable.
public record CallContext(Deadline deadline, String requestId, String idempotencyKey) {
  /// Without an idempotency key.
  public CallContext(Deadline deadline, String requestId) {
    this(deadline, requestId, "");
  }

  /// For work that no client waits for.
  public static CallContext background(String what) {
    return new CallContext(Deadline.NONE, what);
  }
}
