package io.elanus.role.query.search;

import io.elanus.base.loop.WorkPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// The pool that reads run on, with a count of busy threads, by which a read knows whether cores
/// are idle that it may use.
///
/// Thread-safe: by the pool and atomic counts.
public final class ReadPool {
  private final WorkPool pool;
  private final AtomicInteger taken = new AtomicInteger();

  public ReadPool(WorkPool pool) {
    this.pool = pool;
  }

  /// Queues a task; [RejectedExecutionException] when the queue is full.
  public void execute(Runnable task) {
    taken.incrementAndGet();
    try {
      pool.execute(() -> {
        try {
          task.run();
        } finally {
          taken.decrementAndGet();
        }
      });
    } catch (RejectedExecutionException e) {
      taken.decrementAndGet();
      throw e;
    }
  }

  /// Threads without a task, roughly.
  public int idle() {
    return Math.max(0, pool.threads() - taken.get());
  }

  /// Tasks that run or wait.
  public int taken() {
    return taken.get();
  }

  public int threads() {
    return pool.threads();
  }

  public int queued() {
    return pool.queued();
  }

  /// Lends a hand when a thread is idle: false when none is.
  boolean offer(Runnable helper) {
    if (idle() == 0) {
      return false;
    }
    try {
      execute(helper);
      return true;
    } catch (RejectedExecutionException e) {
      return false; // The queue filled up meanwhile: nobody is idle.
    }
  }
}
