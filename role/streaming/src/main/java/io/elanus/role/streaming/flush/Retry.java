package io.elanus.role.streaming.flush;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.Loop;
import io.elanus.base.random.Rng;
import io.elanus.base.time.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Repeats something that may fail, on one loop, with growing pauses, until it succeeds, fails for
/// good or [#stop] is called. The future then given up is left incomplete: nobody waits for it any
/// more.
///
/// Owned by: the flusher's loop.
final class Retry {
  private static final Logger LOG = LoggerFactory.getLogger(Retry.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private final String name;
  private final Loop loop;
  private final Timers timers;
  private final Rng rng;
  private final Duration maxPause;
  private final FlushMetrics metrics;
  private boolean stopped;
  private Timers.Cancellable waiting = () -> {};

  Retry(String name, Loop loop, Timers timers, Rng rng, Duration maxPause, FlushMetrics metrics) {
    this.name = name;
    this.loop = loop;
    this.timers = timers;
    this.rng = rng;
    this.maxPause = maxPause;
    this.metrics = metrics;
  }

  void stop() {
    stopped = true;
    waiting.cancel();
  }

  /// Runs `attempt` on the loop until it succeeds, or fails with an error that is `finalError`.
  <T> CompletableFuture<T> until(
      String what, Predicate<DbException> finalError, Supplier<CompletableFuture<T>> attempt) {
    CompletableFuture<T> result = new CompletableFuture<>();
    run(new Job<>(what, finalError, attempt, result), FIRST_PAUSE);
    return result;
  }

  private record Job<T>(
      String what,
      Predicate<DbException> finalError,
      Supplier<CompletableFuture<T>> attempt,
      CompletableFuture<T> result) {}

  private <T> void run(Job<T> job, Duration pause) {
    if (stopped) {
      return;
    }
    CompletableFuture<T> attempted;
    try {
      attempted = job.attempt.get();
    } catch (RuntimeException e) {
      attempted = CompletableFuture.failedFuture(e);
    }
    attempted.whenComplete((value, failure) -> onLoop(() -> finish(job, pause, value, failure)));
  }

  private <T> void finish(
      Job<T> job,
      Duration pause,
      @org.jspecify.annotations.Nullable T value,
      @org.jspecify.annotations.Nullable Throwable failure) {
    if (stopped) {
      return;
    }
    if (failure == null) {
      job.result.complete(value);
      return;
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof DbException e && job.finalError.test(e)) {
      job.result.completeExceptionally(e);
      return;
    }
    metrics.retried();
    Duration wait = pause.plusMillis(rng.nextInt((int) Math.max(1, pause.toMillis() / 2)));
    LOG.atWarn()
        .addKeyValue("component", name)
        .addKeyValue("waitMs", wait.toMillis())
        .log("{} failed and is tried again: {}", job.what, String.valueOf(cause));
    Duration doubled = pause.multipliedBy(2);
    Duration next = doubled.compareTo(maxPause) > 0 ? maxPause : doubled;
    waiting = timers.after(wait, loop, () -> run(job, next));
  }

  private void onLoop(Runnable task) {
    if (loop.isCurrent()) {
      task.run();
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.atDebug().addKeyValue("component", name).log("closed while an attempt was under way");
    }
  }

  /// The collection is gone.
  static boolean isGone(DbException e) {
    return e.code() == ErrorCode.COLLECTION_NOT_FOUND || e.code() == ErrorCode.CHANNEL_NOT_FOUND;
  }
}
