package io.elanus.base.loop;

import java.util.concurrent.Executor;

/// A mailbox with one consumer: everything that a protocol object owns is touched only from its
/// loop.
///
/// Thread-safe: `execute` may be called from anywhere.
public interface Loop extends Executor, AutoCloseable {
  String name();

  /// True when the calling thread is running a task of this loop.
  boolean isCurrent();

  /// Queues `task`; throws [java.util.concurrent.RejectedExecutionException] when the mailbox is
  /// full or the loop is closed.
  @Override
  void execute(Runnable task);

  /// Runs `task` at once when already in the loop, queues it otherwise.
  default void runOrExecute(Runnable task) {
    if (isCurrent()) {
      task.run();
    } else {
      execute(task);
    }
  }

  /// True once [#close] was called: a task that comes later, of a timer say, is refused.
  boolean isClosed();

  /// Refuses new tasks, waits for the queued ones to end. Idempotent.
  @Override
  void close();
}
