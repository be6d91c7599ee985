package io.elanus.base.time;

import java.time.Duration;

/// A moment on a [Clock]'s monotonic scale by which work must be done.
///
/// Immutable.
public record Deadline(long atNanos) {
  public static final Deadline NONE = new Deadline(Long.MAX_VALUE);

  public static Deadline after(Clock clock, Duration duration) {
    long now = clock.nanoTime();
    long nanos;
    try {
      nanos = Math.addExact(now, duration.toNanos());
    } catch (ArithmeticException e) {
      return NONE;
    }
    return new Deadline(nanos);
  }

  public boolean isNone() {
    return atNanos == Long.MAX_VALUE;
  }

  public boolean hasPassed(Clock clock) {
    return !isNone() && clock.nanoTime() - atNanos >= 0;
  }

  /// Time left, zero when passed; about 292 years when there is no deadline.
  public Duration left(Clock clock) {
    return isNone()
        ? Duration.ofNanos(Long.MAX_VALUE)
        : Duration.ofNanos(Math.max(0, atNanos - clock.nanoTime()));
  }

  public Deadline earlier(Deadline other) {
    if (isNone()) {
      return other;
    }
    return other.isNone() || atNanos - other.atNanos <= 0 ? this : other;
  }
}
