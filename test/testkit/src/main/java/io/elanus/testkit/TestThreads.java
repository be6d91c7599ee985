package io.elanus.testkit;

import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.loop.WorkPool;
import io.elanus.base.random.Rng;
import io.elanus.base.time.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// [Threads] without threads: tasks wait until the test pumps them, on the test's own thread, and
/// time stands still until the test moves it. Without a seed tasks run in the order of arrival;
/// with one, the next loop, pool or blocking task is drawn from it (each loop keeps its own order),
/// so that one seed is one interleaving.
///
/// A task that throws fails the pump.
///
/// Confined to the caller; `execute` may be called from other threads.
public final class TestThreads implements Threads {
  private static final int TASK_LIMIT = 10_000_000;

  private record Task(long arrival, Runnable body) {}

  private final ManualClock clock = new ManualClock();
  private final ManualTimers timers = new ManualTimers(clock);
  private final List<Source> sources = new ArrayList<>();
  private final @Nullable Rng rng;
  private long arrivals;
  private long ran;
  private @Nullable Source running;

  /// Tasks run in the order of arrival.
  public TestThreads() {
    this.rng = null;
  }

  /// Tasks run in an order drawn from `rng`.
  public TestThreads(Rng rng) {
    this.rng = rng;
  }

  /// A queue of tasks of which any order of execution that the real thing could have may be tried.
  private final class Source implements Loop, WorkPool {
    private final String name;
    private final int bound;
    private final int width;
    private final boolean serial;
    private final ArrayDeque<Task> queue = new ArrayDeque<>();
    private boolean closed;

    Source(String name, int bound, int width, boolean serial) {
      this.name = name;
      this.bound = bound;
      this.width = width;
      this.serial = serial;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean isCurrent() {
      return running == this;
    }

    @Override
    public void execute(Runnable task) {
      synchronized (TestThreads.this) {
        if (closed) {
          throw new RejectedExecutionException(name + " is closed");
        }
        if (queue.size() >= bound) {
          throw new RejectedExecutionException(name + ": queue of " + bound + " is full");
        }
        queue.add(new Task(++arrivals, task));
      }
    }

    @Override
    public int threads() {
      return width;
    }

    @Override
    public int queued() {
      synchronized (TestThreads.this) {
        return queue.size();
      }
    }

    private Runnable take() {
      Task task = queue.removeFirst();
      if (!serial && rng != null && !queue.isEmpty()) {
        int index = rng.nextInt(queue.size() + 1);
        if (index > 0) {
          List<Task> rest = new ArrayList<>(queue);
          Task chosen = rest.set(index - 1, task);
          queue.clear();
          queue.addAll(rest);
          return chosen.body();
        }
      }
      return task.body();
    }

    @Override
    public void cancel() {
      synchronized (TestThreads.this) {
        closed = true;
        queue.clear();
      }
    }

    @Override
    public boolean isClosed() {
      return closed;
    }

    @Override
    public void close() {
      closed = true;
      if (isCurrent()) {
        return;
      }
      while (queued() > 0) {
        runFrom(this);
      }
    }
  }

  private void runFrom(Source source) {
    Runnable task;
    synchronized (this) {
      task = source.take();
    }
    Source outer = running;
    running = source;
    try {
      task.run();
    } finally {
      running = outer;
    }
    if (++ran > TASK_LIMIT) {
      throw new AssertionError("more than " + TASK_LIMIT + " tasks: a loop feeds itself");
    }
  }

  private synchronized Source source(String name, int bound, int width, boolean serial) {
    Source source = new Source(name, bound, width, serial);
    sources.add(source);
    return source;
  }

  @Override
  public Loop loop(String name, int mailboxBound) {
    return source(name, mailboxBound, 1, true);
  }

  @Override
  public Loop blockingLoop(String name, int mailboxBound) {
    return source(name, mailboxBound, 1, true);
  }

  @Override
  public WorkPool pool(String name, int threads, int queueBound) {
    return source(name, queueBound, threads, threads == 1);
  }

  @Override
  public Executor blocking(String name) {
    return source(name, Integer.MAX_VALUE, 1, false);
  }

  @Override
  public Timers timers() {
    return timers;
  }

  @Override
  public ManualClock clock() {
    return clock;
  }

  public ManualTimers manualTimers() {
    return timers;
  }

  /// Runs one task; false when none waits.
  public boolean step() {
    Source next = choose();
    if (next == null) {
      return false;
    }
    runFrom(next);
    return true;
  }

  private synchronized @Nullable Source choose() {
    List<Source> ready = new ArrayList<>();
    Source oldest = null;
    for (Source source : sources) {
      Task head = source.queue.peekFirst();
      if (head == null) {
        continue;
      }
      ready.add(source);
      Task best = oldest == null ? null : oldest.queue.peekFirst();
      if (best == null || head.arrival() < best.arrival()) {
        oldest = source;
      }
    }
    if (ready.isEmpty() || rng == null) {
      return oldest;
    }
    return ready.get(rng.nextInt(ready.size()));
  }

  /// Runs tasks, and timers that are due, until nothing is left to do at this moment.
  public void pump() {
    boolean more;
    do {
      more = step() || timers.fireNext();
    } while (more);
  }

  /// Moves time forward by `by`, stopping at each timer on the way to run what it starts.
  public void advance(Duration by) {
    pump();
    long target = clock.nanoTime() + by.toNanos();
    while (true) {
      OptionalLong next = timers.nextAtNanos();
      if (next.isEmpty() || next.getAsLong() > target) {
        break;
      }
      clock.advance(Duration.ofNanos(Math.max(0, next.getAsLong() - clock.nanoTime())));
      pump();
    }
    clock.advance(Duration.ofNanos(target - clock.nanoTime()));
    pump();
  }

  /// Pumps until `future` is done, moving time to the next timer when nothing else is left, by at
  /// most `limit`. Answers its value or throws its failure.
  public <T> T await(CompletableFuture<T> future, Duration limit) {
    long target = clock.nanoTime() + limit.toNanos();
    pump();
    while (!future.isDone()) {
      OptionalLong next = timers.nextAtNanos();
      if (next.isEmpty() || next.getAsLong() > target) {
        throw new AssertionError("nothing left to run, and the future isn't done");
      }
      clock.advance(Duration.ofNanos(Math.max(0, next.getAsLong() - clock.nanoTime())));
      pump();
    }
    return result(future);
  }

  /// [#await] without moving time.
  public <T> T await(CompletableFuture<T> future) {
    return await(future, Duration.ZERO);
  }

  private static <T> T result(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    pump();
  }
}
