package io.elanus.engine.index.vector;

import java.util.concurrent.Executor;

/// With what to build: `parallelism` tasks at once, one of them on the calling thread, the others
/// on `executor`; helpers that the executor refuses or starts late are done without.
///
/// The same seed and rows give the same index when `parallelism` is 1. With more, a graph depends
/// on the order in which threads insert; inverted lists don't.
///
/// Immutable.
public record BuildContext(long seed, Executor executor, int parallelism) {
  /// Builds on the calling thread alone.
  public static BuildContext onCaller(long seed) {
    return new BuildContext(seed, Runnable::run, 1);
  }
}
