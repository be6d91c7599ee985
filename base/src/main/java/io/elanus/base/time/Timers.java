package io.elanus.base.time;

import java.time.Duration;
import java.util.concurrent.Executor;

/// Delayed execution. A task runs on the executor given with it, never on the timer's own thread.
///
/// Thread-safe: callable from any thread.
public interface Timers {
  /// Runs `task` on `executor` once, `delay` from now, unless cancelled before.
  Cancellable after(Duration delay, Executor executor, Runnable task);

  /// Runs `task` on `executor` again and again, `period` after the end of the previous hand-over.
  default Cancellable every(Duration period, Executor executor, Runnable task) {
    return new RepeatingTimer(this, period, executor, task);
  }

  /// A scheduled task that can be called off; calling off twice, or too late, does nothing.
  interface Cancellable {
    void cancel();
  }
}
