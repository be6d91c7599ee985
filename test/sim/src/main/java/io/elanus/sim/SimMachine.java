package io.elanus.sim;

import io.elanus.base.error.FaultHandler;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.loop.WorkPool;
import io.elanus.base.random.Rng;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// One start of one process: its threads, timers and clock. It may pause, as in a long collection
/// of garbage or a frozen virtual machine, and it ends without warning: then nothing of it ever
/// runs again.
///
/// Confined to the thread of the simulation.
final class SimMachine implements Threads {
  private static final long EPOCH_MS = 1_750_000_000_000L;

  private final SimScheduler scheduler;
  private final Rng rng;
  private final String name;
  private final FaultHandler faults;
  private final List<Queue> queues = new ArrayList<>();
  private final Queue net;
  private long wallOffsetMs;
  private boolean dead;
  private boolean paused;
  private @Nullable Queue running;

  SimMachine(SimScheduler scheduler, Rng rng, String name, FaultHandler faults) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.rng = rng;
    this.name = name;
    this.net = queue("net", Integer.MAX_VALUE, 1, false);
  }

  String name() {
    return name;
  }

  boolean isDead() {
    return dead;
  }

  boolean isPaused() {
    return paused;
  }

  /// Ends the process at once.
  void kill() {
    dead = true;
    queues.forEach(queue -> queue.tasks.clear());
  }

  /// Nothing runs until [#resume]; time goes on.
  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    queues.forEach(Queue::offer);
  }

  void jumpClock(long byMs) {
    wallOffsetMs += byMs;
  }

  /// Where messages arrive, in any order.
  Executor net() {
    return net;
  }

  private Queue queue(String queueName, int bound, int width, boolean serial) {
    Queue queue = new Queue(queueName, bound, width, serial);
    queues.add(queue);
    return queue;
  }

  @Override
  public Loop loop(String loopName, int mailboxBound) {
    return queue(loopName, mailboxBound, 1, true);
  }

  @Override
  public Loop blockingLoop(String loopName, int mailboxBound) {
    return queue(loopName, mailboxBound, 1, true);
  }

  @Override
  public WorkPool pool(String poolName, int threads, int queueBound) {
    return queue(poolName, queueBound, threads, threads == 1);
  }

  @Override
  public Executor blocking(String executorName) {
    return queue(executorName, Integer.MAX_VALUE, 1, false);
  }

  @Override
  public Timers timers() {
    return (delay, executor, task) -> {
      Runnable cancel = scheduler.after(nanos(delay), () -> expire(executor, task));
      return cancel::run;
    };
  }

  private static long nanos(Duration delay) {
    return Math.min(delay.toNanos(), Long.MAX_VALUE / 4);
  }

  private void expire(Executor executor, Runnable task) {
    if (dead) {
      return;
    }
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      if (!(executor instanceof Loop loop && loop.isClosed())) {
        faults.onFault(name + " timer", e);
      }
    }
  }

  @Override
  public Clock clock() {
    return new Clock() {
      @Override
      public long wallMs() {
        return EPOCH_MS + wallOffsetMs + scheduler.nowNanos() / 1_000_000;
      }

      @Override
      public long nanoTime() {
        return scheduler.nowNanos();
      }
    };
  }

  @Override
  public void close() {
    queues.forEach(Queue::close);
  }

  /// A serial loop, or a pool whose tasks may run in any order.
  private final class Queue implements Loop, WorkPool, SimScheduler.Source {
    private final int number = scheduler.nextSourceNumber();
    private final String queueName;
    private final int bound;
    private final int width;
    private final boolean serial;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean offered;
    private boolean closed;

    Queue(String queueName, int bound, int width, boolean serial) {
      this.queueName = queueName;
      this.bound = bound;
      this.width = width;
      this.serial = serial;
    }

    @Override
    public int number() {
      return number;
    }

    @Override
    public String name() {
      return queueName;
    }

    @Override
    public boolean isCurrent() {
      return running == this;
    }

    @Override
    public boolean isEmpty() {
      return tasks.isEmpty();
    }

    @Override
    public void execute(Runnable task) {
      if (dead) {
        return;
      }
      if (closed) {
        throw new RejectedExecutionException(queueName + " is closed");
      }
      if (tasks.size() >= bound) {
        throw new RejectedExecutionException(queueName + ": queue of " + bound + " is full");
      }
      tasks.add(task);
      offer();
    }

    void offer() {
      if (!offered && !paused && !tasks.isEmpty()) {
        offered = true;
        scheduler.ready(this);
      }
    }

    @Override
    public void runNext() {
      offered = false;
      if (paused || tasks.isEmpty()) {
        return;
      }
      Runnable task = take();
      offer();
      Queue outer = running;
      running = this;
      try {
        task.run();
      } catch (RuntimeException | Error fault) {
        // A task answers its caller itself; what escapes it is a bug of the component.
        faults.onFault(name + " " + queueName, fault);
      } finally {
        running = outer;
      }
    }

    private Runnable take() {
      if (!serial) {
        for (int skip = rng.nextInt(tasks.size()); skip > 0; skip--) {
          tasks.addLast(tasks.removeFirst());
        }
      }
      return tasks.removeFirst();
    }

    @Override
    public int threads() {
      return width;
    }

    @Override
    public int queued() {
      return tasks.size();
    }

    @Override
    public void cancel() {
      closed = true;
      tasks.clear();
    }

    @Override
    public boolean isClosed() {
      return closed;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
