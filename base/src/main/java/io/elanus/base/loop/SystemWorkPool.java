package io.elanus.base.loop;

import io.elanus.base.error.FaultHandler;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// A fixed pool of platform threads.
///
/// Thread-safe: by the JDK's pool.
final class SystemWorkPool implements WorkPool {
  private static final long CLOSE_WAIT_S = 4;

  private final String name;
  private final ThreadPoolExecutor pool;
  private final FaultHandler faults;

  SystemWorkPool(
      String name, int threads, int queueBound, ThreadFactory factory, FaultHandler faults) {
    this.name = name;
    this.faults = faults;
    this.pool =
        new ThreadPoolExecutor(
            threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(queueBound), factory);
    this.pool.allowCoreThreadTimeOut(true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int threads() {
    return pool.getMaximumPoolSize();
  }

  @Override
  public int queued() {
    return pool.getQueue().size();
  }

  @Override
  public void execute(Runnable task) {
    pool.execute(() -> MailboxLoop.runReporting(name, task, faults));
  }

  @Override
  public void cancel() {
    pool.shutdownNow();
  }

  @Override
  public void close() {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(CLOSE_WAIT_S, TimeUnit.SECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
