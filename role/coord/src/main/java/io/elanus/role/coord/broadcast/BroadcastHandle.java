package io.elanus.role.coord.broadcast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/// Locks that are held, waiting for their broadcast. Used once: [#broadcast] takes the locks over at
/// once, whatever happens next; without it [#close] frees them (rule B-03).
///
/// Thread-safe: the first of `broadcast` and `close` wins.
public final class BroadcastHandle implements AutoCloseable {
  private final Broadcaster broadcaster;
  private final KeyTable.Request guard;
  private final AtomicBoolean used = new AtomicBoolean();

  BroadcastHandle(Broadcaster broadcaster, KeyTable.Request guard) {
    this.broadcaster = broadcaster;
    this.guard = guard;
  }

  /// Broadcasts `message`; completes when its callback has ended and its locks are about to be freed.
  /// The broadcast goes on to its end whatever happens to the future, unless it failed before the
  /// task was persisted.
  public CompletableFuture<BroadcastResult> broadcast(BroadcastMessage message) {
    if (!used.compareAndSet(false, true)) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("a broadcast handle is used once"));
    }
    return broadcaster.broadcast(guard, message);
  }

  @Override
  public void close() {
    if (used.compareAndSet(false, true)) {
      broadcaster.release(guard);
    }
  }
}
