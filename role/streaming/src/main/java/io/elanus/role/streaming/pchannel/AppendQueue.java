package io.elanus.role.streaming.pchannel;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Appends that wait for the sequencer, bounded by count and bytes; an append counts until it is
/// answered, so what is in flight is bounded too.
///
/// Thread-safe for `offer` and `answered`; the rest is owned by the sequencer's loop.
final class AppendQueue {
  private final int maxCount;
  private final long maxBytes;
  private final ConcurrentLinkedQueue<PendingAppend> inbox = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<PendingAppend> waiting = new ArrayDeque<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  AppendQueue(int maxCount, long maxBytes) {
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
  }

  /// Takes `append`, or answers the error that says why not (4, retriable). A single append larger
  /// than the bound is taken when nothing else is there.
  @Nullable DbException offer(PendingAppend append) {
    int queued = count.incrementAndGet();
    long total = bytes.addAndGet(append.bytes());
    if (queued > maxCount || (total > maxBytes && total != append.bytes())) {
      answered(append);
      return DbException.of(
          ErrorCode.TOO_MANY_REQUESTS,
          "append to "
              + append.vchannel()
              + ": "
              + (queued - 1)
              + " appends with "
              + (total - append.bytes())
              + " bytes are waiting");
    }
    inbox.add(append);
    return null;
  }

  /// To be called once for each append that was taken, when it has been answered.
  void answered(PendingAppend append) {
    count.decrementAndGet();
    bytes.addAndGet(-append.bytes());
  }

  @Nullable PendingAppend peek() {
    refill();
    return waiting.peekFirst();
  }

  PendingAppend poll() {
    return waiting.removeFirst();
  }

  boolean isEmpty() {
    return peek() == null;
  }

  /// What waits now, in order.
  Iterable<PendingAppend> all() {
    refill();
    return waiting;
  }

  private void refill() {
    for (PendingAppend next = inbox.poll(); next != null; next = inbox.poll()) {
      waiting.addLast(next);
    }
  }

  /// Hands out what no pump will see any more, because the loop is closed.
  void drainInbox(Consumer<PendingAppend> refuse) {
    for (PendingAppend next = inbox.poll(); next != null; next = inbox.poll()) {
      answered(next);
      refuse.accept(next);
    }
  }

  int count() {
    return count.get();
  }
}
