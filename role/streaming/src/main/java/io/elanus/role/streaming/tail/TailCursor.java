package io.elanus.role.streaming.tail;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.HybridTs;
import io.elanus.role.streaming.recovery.LogUnits;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.service.WalTail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One reader's place in a [ChannelTail]. It pulls: a wake-up queues one pump on the reader's loop,
/// the pump hands over what memory holds, or starts a read of one chunk of the log and goes on when
/// that has come. At most one chunk is under way, so a slow reader costs one chunk of memory.
///
/// Owned by: the reader's loop; `wake` and `cancel` may be called from anywhere.
public final class TailCursor implements WalTail.Subscription {
  /// A full mailbox is tried again this often before the reader counts as lost: 10 s.
  private static final int HAND_OVER_ATTEMPTS = 1000;

  private static final Duration HAND_OVER_PAUSE = Duration.ofMillis(10);

  private final ChannelTail tail;
  private final @Nullable VChannel filter;
  private final Loop loop;
  private final UnitListener listener;
  private final AtomicBoolean pumpQueued = new AtomicBoolean();
  private volatile MessageId next;
  private volatile boolean cancelled;

  // Touched on the loop only.
  private HybridTs delivered = HybridTs.ZERO;
  private boolean reading;
  private boolean paused;

  /// Held by the read that is under way, or by whoever closes the reader for good.
  private final AtomicBoolean readerBusy = new AtomicBoolean();

  // Touched while `readerBusy` is held only.
  private @Nullable LogUnits reader;

  TailCursor(
      ChannelTail tail,
      @Nullable VChannel filter,
      MessageId from,
      Loop loop,
      UnitListener listener) {
    this.tail = tail;
    this.filter = filter;
    this.next = from;
    this.loop = loop;
    this.listener = listener;
  }

  @Nullable VChannel filter() {
    return filter;
  }

  /// Where this reader goes on.
  MessageId next() {
    return next;
  }

  /// Looks for something to deliver.
  public void wake() {
    if (cancelled || !pumpQueued.compareAndSet(false, true)) {
      return;
    }
    try {
      loop.execute(this::pump);
    } catch (RejectedExecutionException e) {
      // A full mailbox: the next publication or interval wakes the reader again.
      pumpQueued.set(false);
    }
  }

  /// Delivers nothing until [#resume]; to be called on the loop.
  public void pause() {
    paused = true;
  }

  public void resume() {
    paused = false;
    wake();
  }

  @Override
  public void cancel() {
    if (!cancelled) {
      cancelled = true;
      tail.remove(this);
      tail.blocking().execute(this::closeIfIdle);
    }
  }

  private void closeIfIdle() {
    if (readerBusy.compareAndSet(false, true)) {
      closeReader(); // Never freed again: a cancelled cursor reads nothing more.
    }
  }

  private void pump() {
    pumpQueued.set(false);
    if (cancelled || reading || paused) {
      return;
    }
    switch (tail.take(next, filter)) {
      case ChannelTail.Slice.Closed closed -> fail(closed.reason());
      case ChannelTail.Slice.Behind behind -> {
        reading = true;
        tail.blocking().execute(() -> readChunk(next, behind.end()));
      }
      case ChannelTail.Slice.Units slice -> {
        deliver(slice.units(), slice.tick(), slice.next());
        if (slice.more()) {
          wake();
        }
      }
    }
  }

  private void deliver(List<WalUnit> units, HybridTs tick, MessageId position) {
    boolean moved = position.isAfter(next);
    next = position;
    if (moved) {
      tail.advanced();
    }
    if (!units.isEmpty() || tick.isAfter(delivered)) {
      delivered = HybridTs.max(delivered, tick);
      listener.onUnits(units, delivered, position);
    }
  }

  private void fail(Throwable reason) {
    cancel();
    listener.onClosed(reason);
  }

  private void readChunk(MessageId from, MessageId limit) {
    if (!readerBusy.compareAndSet(false, true)) {
      return;
    }
    Runnable result = read(from, limit);
    readerBusy.set(false);
    if (cancelled) {
      closeIfIdle();
    } else {
      onLoop(result, HAND_OVER_ATTEMPTS);
    }
  }

  private Runnable read(MessageId from, MessageId limit) {
    try {
      LogUnits units = reader;
      if (units == null) {
        units = LogUnits.copying(tail.log(), from);
        reader = units;
      }
      List<WalUnit> found = units.next(tail.config().readChunkBytes(), limit);
      boolean done = units.isDone(limit);
      MessageId position = done ? limit.next() : units.resume();
      if (done) {
        closeReader();
      }
      tail.metrics().scanned(found.size());
      List<WalUnit> wanted = wanted(found, from);
      HybridTs tick = found.isEmpty() ? HybridTs.ZERO : found.getLast().tick();
      return () -> chunkRead(wanted, tick, position);
    } catch (RuntimeException e) {
      closeReader();
      Throwable reason = isTruncated(e) ? truncated(from, e) : e;
      return () -> {
        if (!cancelled) {
          fail(reason);
        }
      };
    }
  }

  private List<WalUnit> wanted(List<WalUnit> found, MessageId from) {
    List<WalUnit> wanted = new ArrayList<>();
    for (WalUnit unit : found) {
      boolean matches = filter == null || filter.equals(unit.vchannel());
      if (matches && !from.isAfter(unit.last())) {
        wanted.add(unit);
      }
    }
    return wanted;
  }

  private void chunkRead(List<WalUnit> units, HybridTs tick, MessageId position) {
    reading = false;
    if (cancelled) {
      return;
    }
    deliver(units, HybridTs.max(tick, delivered), position);
    wake();
  }

  private void onLoop(Runnable task, int attempts) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      if (attempts == 0) {
        cancel(); // The reader's loop is closed or drowned: it must not hold the log back.
        return;
      }
      tail.timers().after(HAND_OVER_PAUSE, tail.blocking(), () -> onLoop(task, attempts - 1));
    }
  }

  private void closeReader() {
    LogUnits open = reader;
    if (open != null) {
      reader = null;
      open.close();
    }
  }

  private static boolean isTruncated(RuntimeException e) {
    return e instanceof DbException db && db.code() == ErrorCode.IO_KEY_NOT_FOUND;
  }

  private static DbException truncated(MessageId from, RuntimeException cause) {
    return DbException.described(
            ErrorCode.CHANNEL_NOT_AVAILABLE,
            "position " + from + " is not on the log any more: " + cause.getMessage())
        .causedBy(cause);
  }
}
