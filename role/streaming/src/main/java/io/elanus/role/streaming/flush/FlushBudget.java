package io.elanus.role.streaming.flush;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Bytes of rows that the flushers of a node hold for segments that still grow. Who finds it
/// exceeded lets go of its own largest buffers: their rows are read from the log again when they
/// are flushed.
///
/// Thread-safe: an atomic counter and a semaphore.
public final class FlushBudget {
  private static final long REREAD_WAIT_S = 60;

  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /// Held while a segment's rows are read again: one at a time, for each may be large.
  private final Semaphore rereads = new Semaphore(1);

  public FlushBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  void take(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  void give(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  /// Runs `work`, which takes a whole segment into memory, when no other such work runs. Blocks;
  /// error 12 (retriable) when it does not get its turn in a minute.
  <T> T alone(Supplier<T> work) {
    try {
      if (!rereads.tryAcquire(REREAD_WAIT_S, TimeUnit.SECONDS)) {
        throw DbException.of(ErrorCode.RESOURCE_INSUFFICIENT, "memory for a segment's rows");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DbException.of(ErrorCode.CANCELED, "waiting for memory").causedBy(e);
    }
    try {
      return work.get();
    } finally {
      rereads.release();
    }
  }

  boolean isExceeded() {
    return usedBytes.get() > limitBytes;
  }

  public long usedBytes() {
    return usedBytes.get();
  }
}
