package io.elanus.base.time;

import java.time.Duration;
import java.util.concurrent.Executor;

/// Re-arms a one-shot timer after each run, so that a slow task never piles up.
///
/// Thread-safe: state is volatile and only moves to cancelled.
final class RepeatingTimer implements Timers.Cancellable {
  private final Timers timers;
  private final Duration period;
  private final Executor executor;
  private final Runnable task;
  private volatile boolean cancelled;
  private volatile Timers.Cancellable next;

  RepeatingTimer(Timers timers, Duration period, Executor executor, Runnable task) {
    this.timers = timers;
    this.period = period;
    this.executor = executor;
    this.task = task;
    this.next = timers.after(period, executor, this::run);
  }

  private void run() {
    if (cancelled) {
      return;
    }
    try {
      task.run();
    } finally {
      if (!cancelled) {
        next = timers.after(period, executor, this::run);
      }
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    next.cancel();
  }
}
