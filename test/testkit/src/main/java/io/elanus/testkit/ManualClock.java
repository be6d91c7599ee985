package io.elanus.testkit;

import io.elanus.base.time.Clock;
import java.time.Duration;

/// A clock that stands still until the test moves it.
///
/// Thread-safe: fields are guarded by `this`.
public final class ManualClock implements Clock {
  /// 2026-01-01T00:00:00Z.
  public static final long START_WALL_MS = 1_767_225_600_000L;

  private long wallMs;
  private long nanos;
  private long nanosInMs;

  public ManualClock() {
    this(START_WALL_MS);
  }

  public ManualClock(long wallMs) {
    this.wallMs = wallMs;
  }

  @Override
  public synchronized long wallMs() {
    return wallMs;
  }

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  /// Moves both scales forward.
  public synchronized void advance(Duration by) {
    long step = by.toNanos();
    if (step < 0) {
      throw new IllegalArgumentException("time can't go back: " + by);
    }
    nanos += step;
    nanosInMs += step;
    wallMs += nanosInMs / 1_000_000;
    nanosInMs %= 1_000_000;
  }

  /// Steps the wall clock, in either direction; the monotonic scale doesn't move.
  public synchronized void setWallMs(long newWallMs) {
    wallMs = newWallMs;
  }
}
