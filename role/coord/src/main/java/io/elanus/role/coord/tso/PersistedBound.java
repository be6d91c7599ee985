package io.elanus.role.coord.tso;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.role.coord.part.Waits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A number that is durable before anything below it is handed out: after a restart everything from
/// the persisted bound on is unused. Stored as decimal text.
///
/// One write is in flight at a time and serves all who wait. A failed write is repeated for as long
/// as somebody waits, unless the coordinator is deposed.
///
/// Thread-safe: `bound` is volatile and only grows; the rest is guarded by `lock`.
final class PersistedBound {
  private static final Logger log = LoggerFactory.getLogger(PersistedBound.class);
  private static final Duration RETRY_FIRST = Duration.ofMillis(10);
  private static final Duration RETRY_LIMIT = Duration.ofSeconds(1);

  private final String key;
  private final FencedStore store;
  private final Threads threads;
  private final Loop loop;
  private final LongUnaryOperator ahead;
  private final Object lock = new Object();
  private volatile long bound;

  @GuardedBy("lock")
  private final TreeMap<Long, CompletableFuture<Void>> waiting = new TreeMap<>();

  @GuardedBy("lock")
  private boolean writing;

  @GuardedBy("lock")
  private int failures;

  /// `ahead` maps a number that is needed to the bound to persist, which has to be at least that.
  PersistedBound(
      String key, FencedStore store, Threads threads, Loop loop, LongUnaryOperator ahead) {
    this.key = key;
    this.store = store;
    this.threads = threads;
    this.loop = loop;
    this.ahead = ahead;
  }

  /// What an earlier coordinator persisted; 0 when nothing.
  CompletableFuture<Long> load() {
    return store
        .get(key)
        .thenApply(entry ->
            entry
                .map(kv -> Long.parseLong(new String(kv.value(), StandardCharsets.UTF_8)))
                .orElse(0L));
  }

  /// Exclusive: numbers below it may be handed out.
  long bound() {
    return bound;
  }

  /// Completes once the bound is at least `needed`; fails when the coordinator is deposed.
  CompletableFuture<Void> extend(long needed) {
    CompletableFuture<Void> future;
    boolean start;
    synchronized (lock) {
      if (bound >= needed) {
        return CompletableFuture.completedFuture(null);
      }
      future = waiting.computeIfAbsent(needed, _ -> new CompletableFuture<>());
      start = !writing;
      writing = true;
    }
    if (start) {
      write();
    }
    return future;
  }

  private void write() {
    long target;
    synchronized (lock) {
      if (waiting.isEmpty()) {
        writing = false;
        return;
      }
      target = Math.max(waiting.lastKey(), ahead.applyAsLong(waiting.lastKey()));
    }
    store
        .put(key, Long.toString(target).getBytes(StandardCharsets.UTF_8))
        .whenComplete((_, failure) -> written(target, failure));
  }

  private void written(long target, @Nullable Throwable failure) {
    if (failure != null) {
      failed(Waits.cause(failure));
      return;
    }
    Map<Long, CompletableFuture<Void>> reached;
    boolean more;
    synchronized (lock) {
      bound = target;
      failures = 0;
      Map<Long, CompletableFuture<Void>> head = waiting.headMap(target, true);
      reached = new TreeMap<>(head);
      head.clear();
      more = !waiting.isEmpty();
      writing = more;
    }
    reached.values().forEach(future -> future.complete(null));
    if (more) {
      write();
    }
  }

  private void failed(Throwable cause) {
    Map<Long, CompletableFuture<Void>> lost = new TreeMap<>();
    int attempt;
    synchronized (lock) {
      attempt = failures++;
      if (store.isDeposed()) {
        lost.putAll(waiting);
        waiting.clear();
        writing = false;
      }
    }
    lost.values().forEach(future -> future.completeExceptionally(cause));
    if (lost.isEmpty()) {
      log.atWarn().addKeyValue("key", key).setCause(cause).log("bound not persisted, retrying");
      threads
          .timers()
          .after(
              Waits.backoff(RETRY_FIRST, RETRY_LIMIT, attempt, 0),
              Waits.unlessClosed(loop),
              this::write);
    }
  }
}
