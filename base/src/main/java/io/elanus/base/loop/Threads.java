package io.elanus.base.loop;

import io.elanus.base.time.Clock;
import io.elanus.base.time.Timers;

/// Where a process's threads come from: serial loops, bounded pools, timers. One instance serves
/// one node; closing it ends every thread that it made.
///
/// Names follow `role/component/id`. Thread-safe: callable from any thread.
public interface Threads extends AutoCloseable {
  /// A serial executor: tasks run one at a time, in the order of arrival, never blocking on I/O. At
  /// most `mailboxBound` tasks wait; one more is refused with
  /// [java.util.concurrent.RejectedExecutionException].
  Loop loop(String name, int mailboxBound);

  /// A serial executor whose tasks may block (file and network I/O).
  Loop blockingLoop(String name, int mailboxBound);

  /// A fixed pool for CPU work with a bounded queue; a task beyond the bound is refused with
  /// [java.util.concurrent.RejectedExecutionException].
  WorkPool pool(String name, int threads, int queueBound);

  /// An executor for blocking edges: one virtual thread a task.
  java.util.concurrent.Executor blocking(String name);

  Timers timers();

  Clock clock();

  @Override
  void close();
}
