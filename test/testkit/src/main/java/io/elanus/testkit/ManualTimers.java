package io.elanus.testkit;

import io.elanus.base.time.Timers;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Executor;

/// Timers over a [ManualClock]: a due task is handed to its executor when the test fires it.
///
/// Thread-safe: guarded by `this`; tasks are handed over outside of it.
public final class ManualTimers implements Timers {
  private record Key(long atNanos, long number) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private record Armed(Executor executor, Runnable task) {}

  private final ManualClock clock;
  private final TreeMap<Key, Armed> armed = new TreeMap<>();
  private long lastNumber;

  public ManualTimers(ManualClock clock) {
    this.clock = clock;
  }

  @Override
  public synchronized Cancellable after(Duration delay, Executor executor, Runnable task) {
    long now = clock.nanoTime();
    long at;
    try {
      at = Math.addExact(now, Math.max(0, delay.toNanos()));
    } catch (ArithmeticException e) {
      at = Long.MAX_VALUE;
    }
    Key key = new Key(at, ++lastNumber);
    armed.put(key, new Armed(executor, task));
    return () -> cancel(key);
  }

  private synchronized void cancel(Key key) {
    armed.remove(key);
  }

  /// Hands over the earliest task that is due; false when none is.
  public boolean fireNext() {
    Armed due;
    synchronized (this) {
      if (armed.isEmpty() || armed.firstKey().atNanos() > clock.nanoTime()) {
        return false;
      }
      due = armed.pollFirstEntry().getValue();
    }
    due.executor().execute(due.task());
    return true;
  }

  /// When the earliest task is due on the clock's monotonic scale; empty when none is armed.
  public synchronized OptionalLong nextAtNanos() {
    return armed.isEmpty() ? OptionalLong.empty() : OptionalLong.of(armed.firstKey().atNanos());
  }

  public synchronized int armedCount() {
    return armed.size();
  }
}
