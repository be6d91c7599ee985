package io.elanus.base.loop;

import io.elanus.base.error.FaultHandler;
import io.elanus.base.time.Clock;
import io.elanus.base.time.SystemClock;
import io.elanus.base.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// The real threads of a process: loops share a small pool of platform threads (a loop is a mailbox
/// that at most one of them drains at a time), blocking loops and edges run on virtual threads, CPU
/// work on fixed pools. This is the one place that makes threads.
///
/// Thread-safe: lists of children are guarded by `this`.
public final class SystemThreads implements Threads {
  private static final long CLOSE_WAIT_S = 4;

  private final String node;
  private final FaultHandler faults;
  private final ThreadPoolExecutor carriers;
  private final ExecutorService virtual;
  private final ScheduledThreadPoolExecutor timer;
  private final List<SystemWorkPool> pools = new ArrayList<>();
  private boolean closed;

  /// `node` prefixes thread names; `faults` hears of tasks that threw.
  public SystemThreads(String node, FaultHandler faults) {
    this.node = node;
    this.faults = faults;
    int carrierCount = Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors()));
    this.carriers =
        new ThreadPoolExecutor(
            carrierCount,
            carrierCount,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            named(node + "/loop"));
    this.carriers.allowCoreThreadTimeOut(true);
    this.virtual =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name(node + "/blocking/", 0).factory());
    this.timer = new ScheduledThreadPoolExecutor(1, named(node + "/timer"));
    this.timer.setRemoveOnCancelPolicy(true);
    this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger next = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + "-" + next.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public Loop loop(String name, int mailboxBound) {
    return new MailboxLoop(name, mailboxBound, carriers, faults);
  }

  @Override
  public Loop blockingLoop(String name, int mailboxBound) {
    return new MailboxLoop(name, mailboxBound, virtual, faults);
  }

  @Override
  public synchronized WorkPool pool(String name, int threads, int queueBound) {
    SystemWorkPool pool =
        new SystemWorkPool(name, threads, queueBound, named(node + "/" + name), faults);
    pools.add(pool);
    return pool;
  }

  @Override
  public Executor blocking(String name) {
    return task ->
        virtual.execute(() -> {
          Thread.currentThread().setName(node + "/" + name);
          MailboxLoop.runReporting(name, task, faults);
        });
  }

  @Override
  public Timers timers() {
    return (delay, executor, task) -> {
      ScheduledFuture<?> future;
      try {
        future =
            timer.schedule(() -> handOver(executor, task), nanosOf(delay), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        return () -> {}; // The node is closing: nothing scheduled from now on will run.
      }
      return () -> future.cancel(false);
    };
  }

  private static long nanosOf(Duration delay) {
    try {
      return delay.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  private void handOver(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      if (executor instanceof Loop loop && loop.isClosed()) {
        return; // Its owner ended a moment before the timer did.
      }
      synchronized (this) {
        if (closed) {
          return;
        }
      }
      faults.onFault("timer", e);
    }
  }

  @Override
  public Clock clock() {
    return SystemClock.INSTANCE;
  }

  @Override
  public void close() {
    List<SystemWorkPool> open;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      open = List.copyOf(pools);
    }
    timer.shutdownNow();
    open.forEach(SystemWorkPool::close);
    carriers.shutdown();
    virtual.shutdown();
    try {
      carriers.awaitTermination(CLOSE_WAIT_S, TimeUnit.SECONDS);
      if (!virtual.awaitTermination(CLOSE_WAIT_S, TimeUnit.SECONDS)) {
        virtual.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
