package io.elanus.role.coord.part;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bounded waits and backoff.
///
/// Thread-safe: stateless.
public final class Waits {
  private static final Logger log = LoggerFactory.getLogger(Waits.class);

  private Waits() {}

  /// Where timers hand their tasks over: `loop`, or nowhere once it is closed. A timer that
  /// outlives its owner by a moment is no fault.
  public static Executor unlessClosed(Loop loop) {
    return task -> {
      try {
        loop.execute(task);
      } catch (RejectedExecutionException e) {
        log.debug("timer of {} came after its end", loop.name(), e);
      }
    };
  }

  /// A future that ends as `work` does, or with error 10001 at the deadline. `work` itself goes on.
  /// The time-out completes on `executor`.
  public static <T> CompletableFuture<T> until(
      Deadline deadline, Threads threads, Executor executor, CompletableFuture<T> work) {
    if (deadline.isNone() || work.isDone()) {
      return work;
    }
    CompletableFuture<T> bounded = new CompletableFuture<>();
    Timers.Cancellable timer =
        threads
            .timers()
            .after(
                deadline.left(threads.clock()),
                executor,
                () -> bounded.completeExceptionally(DbException.of(ErrorCode.DEADLINE_EXCEEDED)));
    work.whenComplete((value, failure) -> {
      timer.cancel();
      if (failure == null) {
        bounded.complete(value);
      } else {
        bounded.completeExceptionally(cause(failure));
      }
    });
    return bounded;
  }

  /// The failure without the wrapper that futures put around it.
  public static Throwable cause(Throwable failure) {
    Throwable inner = failure.getCause();
    return failure instanceof CompletionException && inner != null ? inner : failure;
  }

  /// `first` doubled `attempt` times, at most `limit`, less up to a quarter by `fraction` in [0,
  /// 1).
  public static Duration backoff(Duration first, Duration limit, int attempt, double fraction) {
    long nanos = Math.min(limit.toNanos(), first.toNanos() << Math.min(attempt, 20));
    return Duration.ofNanos(nanos - (long) (nanos * 0.25 * fraction));
  }
}
