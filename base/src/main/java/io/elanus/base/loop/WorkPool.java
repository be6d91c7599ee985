package io.elanus.base.loop;

import java.util.concurrent.Executor;

/// A fixed number of threads with a bounded queue, for CPU work.
///
/// Thread-safe.
public interface WorkPool extends Executor, AutoCloseable {
  String name();

  int threads();

  /// Tasks waiting for a thread.
  int queued();

  /// Refuses new tasks, drops waiting ones and interrupts running ones, for work that may be lost.
  /// Idempotent; [#close()] has still to be called.
  void cancel();

  /// Refuses new tasks, waits for running ones. Idempotent.
  @Override
  void close();
}
