package io.elanus.engine.index.vector;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.concurrent.Phaser;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Hands out the rows `from .. to` in small ranges to a few threads and returns when all are done
/// and no thread works on rows any more. An interrupt of one of the threads ends the run with
/// [ErrorCode#CANCELED].
///
/// Thread-safe: ranges come from one counter.
final class ParallelRows {
  private static final int RANGE = 32;

  private final AtomicInteger next;
  private final int to;
  private final Phaser running = new Phaser(1);
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  private ParallelRows(int from, int to) {
    this.next = new AtomicInteger(from);
    this.to = to;
  }

  /// Work on the rows `from .. to`, on one thread at a time.
  interface Worker {
    void work(int from, int to);
  }

  /// Makes a worker for each thread.
  interface WorkerFactory {
    Worker make();
  }

  /// Runs until every row was worked on; rethrows the first failure. A helper that starts after the
  /// last range was taken does nothing, so an executor that never runs it holds nobody up.
  static void run(int from, int to, BuildContext context, WorkerFactory factory) {
    ParallelRows rows = new ParallelRows(from, to);
    int helpers = Math.min(context.parallelism() - 1, (to - from) / RANGE);
    for (int i = 0; i < helpers; i++) {
      try {
        context.executor().execute(() -> rows.help(factory));
      } catch (RejectedExecutionException e) {
        // A full pool is no failure: the caller does the work itself.
        break;
      }
    }
    rows.work(factory);
    rows.await();
    RuntimeException first = rows.failure.get();
    if (first != null) {
      throw first;
    }
  }

  private void help(WorkerFactory factory) {
    if (running.register() != 0) {
      running.arriveAndDeregister();
      return;
    }
    try {
      work(factory);
    } finally {
      running.arriveAndDeregister();
    }
  }

  private void work(WorkerFactory factory) {
    boolean isDone = false;
    try {
      Worker worker = factory.make();
      for (int from = next.getAndAdd(RANGE); from < to; from = next.getAndAdd(RANGE)) {
        if (Thread.currentThread().isInterrupted()) {
          throw DbException.described(ErrorCode.CANCELED, "index build was interrupted");
        }
        worker.work(from, Math.min(to, from + RANGE));
      }
      isDone = true;
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    } finally {
      if (!isDone) {
        // Also after an Error, which goes on to the thread's owner: the rows of this range are
        // lost.
        failure.compareAndSet(null, new IllegalStateException("a build thread died"));
        next.set(to);
      }
    }
  }

  /// Waits for the helpers whatever happens: they read memory that the caller frees once this
  /// returns. They are done within a range of rows after the first failure.
  private void await() {
    running.awaitAdvance(running.arrive());
  }
}
