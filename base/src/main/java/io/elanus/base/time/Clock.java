package io.elanus.base.time;

/// Source of time. Product code never asks the JDK directly, so that a cluster can run on a virtual
/// clock.
///
/// Thread-safe: implementations answer from any thread.
public interface Clock {
  /// UTC wall time in milliseconds; may step backwards.
  long wallMs();

  /// Monotonic time in nanoseconds from an arbitrary origin.
  long nanoTime();
}
