package io.elanus.sim;

import io.elanus.base.random.Rng;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Virtual time and the order of everything. Each step runs one task, drawn by the seed from all
/// that could run, and costs a little time; when nothing can run, time jumps to the next timer. The
/// trace hash covers which task ran when: equal hashes mean equal runs.
///
/// Confined to the thread of the simulation.
final class SimScheduler {
  private static final int MAX_STEP_NANOS = 20_000;

  /// A queue of tasks of one machine.
  interface Source {
    int number();

    void runNext();

    boolean isEmpty();
  }

  /// A timer's moment, then the order of arming.
  private record Moment(long atNanos, long number) implements Comparable<Moment> {
    @Override
    public int compareTo(Moment other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final Rng rng;
  private final List<Source> ready = new ArrayList<>();
  private final TreeMap<Moment, Runnable> timers = new TreeMap<>();
  private long nowNanos;
  private long armed;
  private long sources;
  private long steps;
  private long trace = 0xcbf29ce484222325L;

  SimScheduler(Rng rng) {
    this.rng = rng;
  }

  long nowNanos() {
    return nowNanos;
  }

  long steps() {
    return steps;
  }

  long traceHash() {
    return trace;
  }

  int nextSourceNumber() {
    return (int) ++sources;
  }

  /// `source` has something to run; it was empty, or its machine paused, before.
  void ready(Source source) {
    ready.add(source);
  }

  /// Runs `task` at a moment; answers how to call it off.
  Runnable after(long delayNanos, Runnable task) {
    Moment moment = new Moment(nowNanos + Math.max(0, delayNanos), ++armed);
    timers.put(moment, task);
    return () -> timers.remove(moment);
  }

  /// Runs until `until`, or until the world is told to stop by `done`.
  void run(Duration span, java.util.function.BooleanSupplier done) {
    long until = nowNanos + span.toNanos();
    while (nowNanos < until && !done.getAsBoolean()) {
      if (!step(until)) {
        nowNanos = until;
      }
    }
  }

  private boolean step(long until) {
    steps++;
    fireDue();
    if (ready.isEmpty()) {
      Map.Entry<Moment, Runnable> next = timers.firstEntry();
      if (next == null || next.getKey().atNanos() > until) {
        return false;
      }
      nowNanos = Math.max(nowNanos, next.getKey().atNanos());
      fireDue();
      return true;
    }
    int index = rng.nextInt(ready.size());
    Source source = ready.get(index);
    mix(source.number());
    mix(nowNanos);
    nowNanos += 1 + rng.nextInt(MAX_STEP_NANOS);
    // Taken out before it runs: what it starts may put it in again.
    Source last = ready.removeLast();
    if (index < ready.size()) {
      ready.set(index, last);
    }
    source.runNext();
    return true;
  }

  private void fireDue() {
    while (!timers.isEmpty() && timers.firstKey().atNanos() <= nowNanos) {
      timers.pollFirstEntry().getValue().run();
    }
  }

  private void mix(long value) {
    trace = (trace ^ value) * 0x100000001b3L;
    trace ^= trace >>> 29;
  }
}
