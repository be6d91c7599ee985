package io.elanus.role.query.delegator;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.base.time.Timers;
import io.elanus.role.query.QueryMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Reads that wait until ServiceTime reaches their guarantee, smallest guarantee first, each until
/// its deadline (rule C-01).
///
/// Thread-safe: guarded by `lock`; waiters are woken outside of it.
final class WaitQueue {
  /// Who waits.
  interface Waiter {
    HybridTs needed();

    Deadline deadline();

    /// ServiceTime has reached what is needed.
    void ready();

    void failed(Throwable reason);
  }

  private record Entry(Waiter waiter, long number) {}

  private static final Comparator<Entry> ORDER =
      Comparator.comparing((Entry entry) -> entry.waiter.needed()).thenComparingLong(Entry::number);

  private final VChannel vchannel;
  private final int bound;
  private final Clock clock;
  private final Timers timers;
  private final Executor timerExecutor;
  private final QueryMetrics metrics;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final PriorityQueue<Entry> queue = new PriorityQueue<>(ORDER);

  @GuardedBy("lock")
  private long numbers;

  @GuardedBy("lock")
  private HybridTs serviceTime = HybridTs.ZERO;

  @GuardedBy("lock")
  private @Nullable Throwable closedBy;

  @GuardedBy("lock")
  private Deadline armed = Deadline.NONE;

  @GuardedBy("lock")
  private Timers.@Nullable Cancellable timer;

  WaitQueue(
      VChannel vchannel,
      int bound,
      Clock clock,
      Timers timers,
      Executor timerExecutor,
      QueryMetrics metrics) {
    this.vchannel = vchannel;
    this.bound = bound;
    this.clock = clock;
    this.timers = timers;
    this.timerExecutor = timerExecutor;
    this.metrics = metrics;
  }

  /// Queues a waiter. False when ServiceTime has reached what it needs meanwhile. Error 4 when the
  /// queue is full.
  boolean add(Waiter waiter) {
    synchronized (lock) {
      if (closedBy != null) {
        throw ShardDelegator.unavailable(vchannel).causedBy(closedBy);
      }
      if (serviceTime.isAtLeast(waiter.needed())) {
        return false;
      }
      if (queue.size() >= bound) {
        throw DbException.withFields(ErrorCode.TOO_MANY_REQUESTS, "limit", bound);
      }
      queue.add(new Entry(waiter, numbers++));
      metrics.waiting(1);
      Deadline deadline = waiter.deadline();
      if (!deadline.isNone() && (armed.isNone() || deadline.atNanos() - armed.atNanos() < 0)) {
        arm(deadline);
      }
      return true;
    }
  }

  @GuardedBy("lock")
  private void arm(Deadline deadline) {
    if (timer != null) {
      timer.cancel();
    }
    armed = deadline;
    timer = timers.after(deadline.left(clock), timerExecutor, this::expire);
  }

  /// Wakes everybody whose guarantee is reached.
  void advance(HybridTs newServiceTime) {
    List<Waiter> ready = new ArrayList<>();
    synchronized (lock) {
      serviceTime = newServiceTime;
      while (!queue.isEmpty() && newServiceTime.isAtLeast(queue.peek().waiter.needed())) {
        ready.add(queue.remove().waiter);
      }
    }
    metrics.waiting(-ready.size());
    ready.forEach(Waiter::ready);
  }

  private void expire() {
    List<Waiter> late = new ArrayList<>();
    HybridTs reached;
    synchronized (lock) {
      reached = serviceTime;
      timer = null;
      Deadline next = Deadline.NONE;
      List<Entry> kept = new ArrayList<>();
      for (Entry entry : queue) {
        if (entry.waiter.deadline().hasPassed(clock)) {
          late.add(entry.waiter);
        } else {
          kept.add(entry);
          next = next.earlier(entry.waiter.deadline());
        }
      }
      if (!late.isEmpty()) {
        queue.clear();
        queue.addAll(kept);
      }
      armed = Deadline.NONE;
      if (!next.isNone()) {
        // At least a millisecond on, so that rounding can't make the timer spin.
        Deadline soon = Deadline.after(clock, Duration.ofMillis(1));
        arm(next.atNanos() - soon.atNanos() < 0 ? soon : next);
      }
    }
    metrics.waiting(-late.size());
    for (Waiter waiter : late) {
      waiter.failed(
          DbException.of(
              ErrorCode.DEADLINE_EXCEEDED,
              "guarantee " + waiter.needed() + " not reached, service time is " + reached));
    }
  }

  int size() {
    synchronized (lock) {
      return queue.size();
    }
  }

  /// Fails everybody who waits, and who comes later.
  void close(Throwable reason) {
    List<Waiter> all = new ArrayList<>();
    synchronized (lock) {
      closedBy = reason;
      queue.forEach(entry -> all.add(entry.waiter));
      queue.clear();
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    }
    metrics.waiting(-all.size());
    for (Waiter waiter : all) {
      waiter.failed(ShardDelegator.unavailable(vchannel).causedBy(reason));
    }
  }
}
