package io.elanus.role.coord.segments;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.Timers;
import io.elanus.wire.service.CallContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// The loop that owns the coordinator's data parts, and how they leave it and come back: calls to
/// other roles, blocking work and timers, each of which ends in exactly one task on the loop.
///
/// Thread-safe: stateless but for the loop's mailbox.
public final class LoopWork {
  private static final Duration FULL_PAUSE = Duration.ofMillis(20);

  private final Loop loop;
  private final Timers timers;
  private final Clock clock;
  private final Executor blocking;
  private volatile boolean closed;

  public LoopWork(Loop loop, Timers timers, Clock clock, Executor blocking) {
    this.loop = loop;
    this.timers = timers;
    this.clock = clock;
    this.blocking = blocking;
  }

  public static LoopWork of(Threads threads, String name, int mailboxBound) {
    return new LoopWork(
        threads.loop(name, mailboxBound),
        threads.timers(),
        threads.clock(),
        threads.blocking(name));
  }

  public long nanoTime() {
    return clock.nanoTime();
  }

  public long wallMs() {
    return clock.wallMs();
  }

  public boolean isCurrent() {
    return loop.isCurrent();
  }

  /// Runs a request on the loop; error 4 when its mailbox is full.
  public <T> CompletableFuture<T> submit(Supplier<CompletableFuture<T>> request) {
    CompletableFuture<T> reply = new CompletableFuture<>();
    try {
      loop.runOrExecute(() -> answer(request, reply));
    } catch (RejectedExecutionException e) {
      reply.completeExceptionally(refusal(e));
    }
    return reply;
  }

  private DbException refusal(RejectedExecutionException e) {
    return closed
        ? DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "coordinator is stopping")
            .causedBy(e)
        : DbException.of(ErrorCode.TOO_MANY_REQUESTS).causedBy(e);
  }

  private static <T> void answer(
      Supplier<CompletableFuture<T>> request, CompletableFuture<T> reply) {
    CompletableFuture<T> result;
    try {
      result = request.get();
    } catch (DbException e) {
      reply.completeExceptionally(e);
      return;
    }
    result.whenComplete((value, fault) -> {
      if (fault == null) {
        reply.complete(value);
      } else {
        reply.completeExceptionally(Outcome.errorOf(fault));
      }
    });
  }

  /// Runs `event` on the loop; when the mailbox is full, a little later. Lost after [#close].
  public void post(Runnable event) {
    try {
      loop.execute(event);
    } catch (RejectedExecutionException e) {
      if (!closed) {
        // An event, unlike a request, has nobody to refuse it to: losing one would leave work
        // undone.
        timers.after(FULL_PAUSE, Runnable::run, () -> post(event));
      }
    }
  }

  /// Runs `task` on the loop after `delay`.
  public Timers.Cancellable after(Duration delay, Runnable task) {
    return timers.after(delay, Runnable::run, () -> post(task));
  }

  /// Hands the end of `future` to the loop.
  public <T> void then(CompletableFuture<T> future, Consumer<Outcome<T>> done) {
    future.whenComplete((value, fault) -> post(() -> done.accept(outcome(value, fault))));
  }

  private static <T> Outcome<T> outcome(T value, Throwable fault) {
    return fault == null ? new Outcome.Done<>(value) : new Outcome.Failed<>(Outcome.errorOf(fault));
  }

  /// Calls another role; `done` runs once on the loop, with error 10001 when no answer came in
  /// time. A later answer is dropped.
  public <T> void call(
      String what,
      Duration timeout,
      Function<CallContext, CompletableFuture<T>> call,
      Consumer<Outcome<T>> done) {
    CallContext context = new CallContext(Deadline.after(clock, timeout), what);
    CompletableFuture<T> future;
    try {
      future = call.apply(context);
    } catch (DbException e) {
      post(() -> done.accept(new Outcome.Failed<>(e)));
      return;
    }
    CompletableFuture<T> first = new CompletableFuture<>();
    Timers.Cancellable timer =
        timers.after(
            timeout,
            Runnable::run,
            () ->
                first.completeExceptionally(
                    DbException.described(
                        ErrorCode.DEADLINE_EXCEEDED, what + " took more than " + timeout)));
    future.whenComplete((value, fault) -> {
      timer.cancel();
      if (fault == null) {
        first.complete(value);
      } else {
        first.completeExceptionally(fault);
      }
    });
    then(first, done);
  }

  /// Runs blocking `task` off the loop.
  public <T> void block(Supplier<T> task, Consumer<Outcome<T>> done) {
    CompletableFuture<T> future = new CompletableFuture<>();
    then(future, done);
    try {
      blocking.execute(() -> {
        try {
          future.complete(task.get());
        } catch (RuntimeException e) {
          future.completeExceptionally(e);
        }
      });
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(e);
    }
  }

  /// Refuses further work.
  public void close() {
    closed = true;
    loop.close();
  }
}
