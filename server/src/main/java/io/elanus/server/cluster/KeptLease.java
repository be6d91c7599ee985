package io.elanus.server.cluster;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.Timers;
import io.elanus.engine.storage.meta.LeaseId;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.wire.status.WireStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A lease that is kept alive, and what this process may conclude from it by its own monotonic
/// clock: the store ends the lease `ttl` after it received the last keepalive, which is later than
/// that keepalive was sent. So until `sent + ttl`, less a margin for clocks that run at different
/// speeds, the lease and its keys are certainly there (rule T-02).
///
/// Thread-safe: written by one step at a time, fields are volatile.
final class KeptLease implements AutoCloseable {
  private final MetaStore meta;
  private final Threads threads;
  private final Executor executor;
  private final Duration ttl;
  private final LeaseId id;
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private volatile long heldUntilNanos;
  private volatile Timers.@Nullable Cancellable beat;
  private volatile boolean closed;

  private KeptLease(
      MetaStore meta, Threads threads, Executor executor, Duration ttl, LeaseId id, long sentAt) {
    this.meta = meta;
    this.threads = threads;
    this.executor = executor;
    this.ttl = ttl;
    this.id = id;
    this.heldUntilNanos = sentAt + certain(ttl);
  }

  /// Nanoseconds after a keepalive for which the lease can be relied on.
  private static long certain(Duration ttl) {
    return ttl.toNanos() - ttl.toNanos() / 10;
  }

  /// Grants a lease and keeps it alive; timers hand over to `executor`.
  static CompletableFuture<KeptLease> grant(
      MetaStore meta, Threads threads, Executor executor, Duration ttl) {
    long sentAt = threads.clock().nanoTime();
    return meta.grantLease(ttl)
        .thenApply(id -> {
          KeptLease lease = new KeptLease(meta, threads, executor, ttl, id, sentAt);
          lease.beat = threads.timers().every(ttl.dividedBy(5), executor, lease::keep);
          return lease;
        });
  }

  LeaseId id() {
    return id;
  }

  /// Whether the lease is certainly still there.
  boolean isHeld() {
    return !closed && !lost.isDone() && heldUntilNanos - threads.clock().nanoTime() > 0;
  }

  /// Fails once the lease may have ended; never completes otherwise.
  CompletableFuture<Void> lost() {
    return lost;
  }

  private void keep() {
    if (closed || lost.isDone()) {
      return;
    }
    if (!isHeld()) {
      lose(DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "lease " + id + " ran out"));
      return;
    }
    long sentAt = threads.clock().nanoTime();
    meta.keepAlive(id)
        .whenCompleteAsync(
            (_, failure) -> {
              if (failure == null) {
                heldUntilNanos = Math.max(heldUntilNanos, sentAt + certain(ttl));
              } else if (WireStatus.classify(failure).code() == ErrorCode.IO_KEY_NOT_FOUND) {
                lose(failure);
              }
              // Any other failure: the next beat tries again until the time is up.
            },
            executor);
  }

  private void lose(Throwable why) {
    stop();
    lost.completeExceptionally(why);
  }

  private void stop() {
    closed = true;
    Timers.Cancellable running = beat;
    if (running != null) {
      running.cancel();
    }
  }

  /// Ends the lease now, as far as the store can be reached.
  @Override
  public void close() {
    if (!closed) {
      stop();
      meta.revokeLease(id);
    }
  }
}
