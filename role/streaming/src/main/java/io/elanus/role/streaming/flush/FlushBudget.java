package io.elanus.role.streaming.flush;

import java.util.concurrent.atomic.AtomicLong;

/// Bytes of rows that the flushers of a node hold for segments that still grow. Who finds it
/// exceeded lets go of its own largest buffers: their rows are read from the log again when they
/// are flushed.
///
/// Thread-safe: one atomic counter.
public final class FlushBudget {
  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  public FlushBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  void take(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  void give(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  boolean isExceeded() {
    return usedBytes.get() > limitBytes;
  }

  public long usedBytes() {
    return usedBytes.get();
  }
}
