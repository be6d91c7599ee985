package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.Threads;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.status.WireStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Repeats calls whose channel or node has moved, with growing pauses, until the request's
/// deadline. The one place in the proxy that retries.
///
/// Thread-safe.
final class Retry {
  private static final int FIRST_PAUSE_MS = 5;
  private static final int MAX_PAUSE_MS = 500;
  private static final int MAX_OUTDATED = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Threads threads;
  private final Executor executor;

  Retry(Threads threads, Executor executor) {
    this.threads = threads;
    this.executor = executor;
  }

  /// Whether an error means "not here (any more), ask again who has it".
  static boolean isMoved(Throwable failure) {
    ErrorCode code = WireStatus.classify(failure).code();
    return code == ErrorCode.CHANNEL_NOT_AVAILABLE
        || code == ErrorCode.NODE_NOT_FOUND
        || code == ErrorCode.NODE_OFFLINE
        || code == ErrorCode.NODE_NOT_AVAILABLE
        || code == ErrorCode.SEGMENT_NOT_LOADED;
  }

  /// Calls until it answers something else than "moved" or time is up; then the last error counts.
  <T> CompletableFuture<T> whileMoved(CallContext context, Supplier<CompletableFuture<T>> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    long giveUpNanos = threads.clock().nanoTime() + PATIENCE.toNanos();
    attempt(context, call, result, FIRST_PAUSE_MS, giveUpNanos);
    return result;
  }

  /// Runs a read anew, with a fresh timestamp, when a compaction overtook the one that it had. A
  /// read whose timestamp the client chose fails the same way again, and then for good.
  <T> CompletableFuture<T> whileOutdated(Supplier<CompletableFuture<T>> read) {
    return whileOutdated(read, MAX_OUTDATED);
  }

  private static <T> CompletableFuture<T> whileOutdated(
      Supplier<CompletableFuture<T>> read, int attempts) {
    CompletableFuture<T> answer = read.get();
    if (attempts == 1) {
      return answer;
    }
    return answer.exceptionallyCompose(failure ->
        WireStatus.classify(failure).code() == ErrorCode.INCONSISTENT_REQUERY
            ? whileOutdated(read, attempts - 1)
            : CompletableFuture.failedFuture(failure));
  }

  private <T> void attempt(
      CallContext context,
      Supplier<CompletableFuture<T>> call,
      CompletableFuture<T> result,
      int pauseMs,
      long giveUpNanos) {
    CompletableFuture<T> answer;
    try {
      answer = call.get();
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete((value, failure) -> {
      if (failure == null) {
        result.complete(value);
        return;
      }
      Duration pause = Duration.ofMillis(pauseMs);
      boolean inTime =
          context.deadline().left(threads.clock()).compareTo(pause) > 0
              && threads.clock().nanoTime() - giveUpNanos < 0;
      if (!isMoved(failure) || !inTime) {
        DbException error = WireStatus.classify(failure);
        result.completeExceptionally(error);
        return;
      }
      int nextPause = Math.min(MAX_PAUSE_MS, pauseMs * 2);
      threads
          .timers()
          .after(pause, executor, () -> attempt(context, call, result, nextPause, giveUpNanos));
    });
  }
}
