package io.elanus.role.query.search;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Runs the units of a piece of work on the calling thread and on threads of the pool that are
/// idle. Whoever ends the last unit goes on with the work's end, so nobody waits.
///
/// Thread-safe: units are handed out by an atomic counter.
public final class Spread implements Runnable {
  /// Work in units that may run at the same time.
  public interface Work {
    int units();

    void unit(int unit);

    /// All units have ended; `failure` is the first thing that one of them threw, or null.
    void ended(@Nullable Throwable failure);
  }

  private final Work work;
  private final int units;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Spread(Work work, int units) {
    this.work = work;
    this.units = units;
  }

  /// Runs `work`, with at most `helpers` more threads.
  public static void run(ReadPool pool, Work work, int helpers) {
    int units = work.units();
    if (units == 0) {
      work.ended(null);
      return;
    }
    Spread spread = new Spread(work, units);
    int wanted = Math.min(helpers, units - 1);
    for (int i = 0; i < wanted; i++) {
      if (!pool.offer(spread)) {
        break;
      }
    }
    spread.run();
  }

  @Override
  public void run() {
    for (int unit = next.getAndIncrement(); unit < units; unit = next.getAndIncrement()) {
      try {
        if (failure.get() == null) {
          work.unit(unit);
        }
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      }
      if (ended.incrementAndGet() == units) {
        work.ended(failure.get());
      }
    }
  }
}
