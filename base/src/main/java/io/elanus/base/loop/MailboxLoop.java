package io.elanus.base.loop;

import io.elanus.base.error.FaultHandler;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A serial executor on a shared executor: a queue and a count; whoever raises the count from zero
/// schedules the drain, so at most one drain runs at a time.
///
/// Thread-safe: the queue is concurrent, `pending` hands the loop from thread to thread.
final class MailboxLoop implements Loop {
  /// Tasks run before the carrier is offered to other loops.
  private static final int TURN = 256;

  private static final long CLOSE_WAIT_S = 4;

  private final String name;
  private final int bound;
  private final Executor carrier;
  private final FaultHandler faults;
  private final ConcurrentLinkedQueue<Runnable> mailbox = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();
  private volatile boolean closed;
  private volatile @Nullable Thread owner;

  MailboxLoop(String name, int bound, Executor carrier, FaultHandler faults) {
    this.name = name;
    this.bound = bound;
    this.carrier = carrier;
    this.faults = faults;
  }

  static void runReporting(String name, Runnable task, FaultHandler faults) {
    try {
      task.run();
    } catch (Throwable fault) {
      // A task answers its caller itself; what escapes it is a bug of the component.
      faults.onFault(name, fault);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isCurrent() {
    return owner == Thread.currentThread();
  }

  @Override
  public void execute(Runnable task) {
    if (closed) {
      throw new RejectedExecutionException(name + " is closed");
    }
    if (pending.get() >= bound) {
      throw new RejectedExecutionException(name + ": mailbox of " + bound + " is full");
    }
    enqueue(task);
  }

  private void enqueue(Runnable task) {
    mailbox.add(task);
    if (pending.getAndIncrement() == 0) {
      carrier.execute(this::drain);
    }
  }

  private void drain() {
    int done = 0;
    owner = Thread.currentThread();
    try {
      while (done < TURN) {
        Runnable task = mailbox.poll();
        if (task == null) {
          break;
        }
        runReporting(name, task, faults);
        done++;
      }
    } finally {
      owner = null;
    }
    if (pending.addAndGet(-done) > 0) {
      carrier.execute(this::drain);
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (isCurrent()) {
      return; // The rest of the mailbox runs after this task; nobody can add to it any more.
    }
    CountDownLatch last = new CountDownLatch(1);
    try {
      enqueue(last::countDown);
      last.await(CLOSE_WAIT_S, TimeUnit.SECONDS);
    } catch (RejectedExecutionException e) {
      last.countDown(); // The carrier is gone: nothing can run any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
