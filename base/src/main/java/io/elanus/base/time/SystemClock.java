package io.elanus.base.time;

/// The machine's own clock. The single place that reads it.
///
/// Thread-safe: stateless.
public final class SystemClock implements Clock {
  public static final SystemClock INSTANCE = new SystemClock();

  private SystemClock() {}

  @Override
  public long wallMs() {
    return System.currentTimeMillis();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
