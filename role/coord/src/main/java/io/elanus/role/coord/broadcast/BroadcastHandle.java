package io.elanus.role.coord.broadcast;

import io.elanus.base.time.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/// Locks that are held, waiting for their broadcast. Used once: [#broadcast] takes the locks over
/// at once, whatever happens next; without it [#close] frees them (rule B-03).
///
/// Thread-safe: the first of `broadcast` and `close` wins.
public final class BroadcastHandle implements AutoCloseable {
  private final Broadcaster broadcaster;
  private final KeyTable.Request guard;
  private final Deadline deadline;
  private final AtomicBoolean used = new AtomicBoolean();

  BroadcastHandle(Broadcaster broadcaster, KeyTable.Request guard, Deadline deadline) {
    this.broadcaster = broadcaster;
    this.guard = guard;
    this.deadline = deadline;
  }

  /// Broadcasts `message`; completes when its callback has ended and its locks are about to be
  /// freed. The broadcast goes on to its end whatever happens to the future, unless it failed
  /// before the task was persisted.
  ///
  /// When the message's idempotency key is known, nothing is broadcast: the answer is the
  /// original's, once that is done, or error 10001 at the deadline that the handle was asked for
  /// with (rule B-22).
  public CompletableFuture<BroadcastResult> broadcast(BroadcastMessage message) {
    if (!used.compareAndSet(false, true)) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("a broadcast handle is used once"));
    }
    return broadcaster.broadcast(guard, deadline, message);
  }

  @Override
  public void close() {
    if (used.compareAndSet(false, true)) {
      broadcaster.release(guard);
    }
  }
}
