package io.elanus.role.coord.segments;

import java.time.Duration;

/// Doubling pauses between attempts.
///
/// Immutable.
public record Backoff(Duration first, Duration max) {
  /// The pause after `failures` failures in a row (1, 2, ...).
  public Duration after(int failures) {
    int doublings = Math.min(20, Math.max(0, failures - 1));
    Duration pause = first.multipliedBy(1L << doublings);
    return pause.compareTo(max) > 0 ? max : pause;
  }
}
