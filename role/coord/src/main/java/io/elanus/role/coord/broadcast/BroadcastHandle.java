package io.elanus.role.coord.broadcast;

import io.elanus.base.time.Deadline;
import io.elanus.wire.message.MessageType;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

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

  /// The answer of the broadcast that was made under these properties' idempotency key before, once
  /// that is done; null when there is none. Then the handle is as it was, else its locks are freed.
  /// For requests whose check would no longer pass, because the original changed what it looks at.
  /// To be called on the broadcaster's loop. Error 1100 when the key was used for another request.
  public @Nullable CompletableFuture<BroadcastResult> original(
      MessageType type, Map<String, String> properties) {
    CompletableFuture<BroadcastResult> answer = broadcaster.original(type, properties, deadline);
    if (answer != null) {
      close();
    }
    return answer;
  }

  @Override
  public void close() {
    if (used.compareAndSet(false, true)) {
      broadcaster.release(guard);
    }
  }
}
