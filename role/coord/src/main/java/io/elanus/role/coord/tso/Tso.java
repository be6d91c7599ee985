package io.elanus.role.coord.tso;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.Clock;
import io.elanus.base.time.HybridTs;
import io.elanus.base.time.Timers;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.role.coord.part.Leadership;
import io.elanus.role.coord.part.Waits;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.TsoService;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The timestamp oracle (rules T-01 to T-03) and the id allocator.
///
/// A grant is one compare-and-set of the last timestamp: max(last + 1, wall clock) on, so a clock
/// that steps back is waited out on the logical part, and more than 2^18 grants in a millisecond
/// carry into the physical part. Nothing at or above the persisted bound is granted; the bound is
/// moved ahead before it is reached. A start grants from the old bound on, so nothing is granted
/// twice. A coordinator that may no longer lead grants nothing, so its timestamps end before those
/// of its successor begin.
///
/// Ids come from ranges persisted the same way. The first id of a cluster is a hybrid timestamp, so
/// that ids of different clusters don't collide by habit.
///
/// Thread-safe: atomics; a grant within the bound never blocks and answers inline.
public final class Tso implements TsoService, AutoCloseable {
  private static final String TIMESTAMP_KEY = "tso/timestamp";
  private static final String ID_KEY = "tso/id";
  private static final long WINDOW = 3_000L << HybridTs.LOGICAL_BITS;
  private static final Duration REFRESH = Duration.ofSeconds(1);
  private static final long ID_RANGE = 1 << 20;
  private static final int MAX_COUNT = 1 << HybridTs.LOGICAL_BITS;

  private final Threads threads;
  private final Clock clock;
  private final FencedStore store;
  private final ChannelTerms terms;
  private final Leadership leadership;
  private final Loop loop;
  private final PersistedBound window;
  private final PersistedBound idRange;
  private final AtomicLong last = new AtomicLong();
  private final AtomicLong nextId = new AtomicLong();
  private final AtomicBoolean windowMoving = new AtomicBoolean();
  private final AtomicBoolean idsMoving = new AtomicBoolean();
  private final LongAdder calls = new LongAdder();
  private final LongAdder granted = new LongAdder();
  private volatile boolean open;
  private volatile Timers.@Nullable Cancellable refresh;

  public Tso(
      Threads threads,
      FencedStore store,
      ChannelTerms terms,
      Leadership leadership,
      MeterRegistry metrics) {
    this.threads = threads;
    this.leadership = leadership;
    this.clock = threads.clock();
    this.store = store;
    this.terms = terms;
    this.loop = threads.loop("coord/tso", 65_536);
    this.window =
        new PersistedBound(
            TIMESTAMP_KEY, store, threads, loop, needed -> Math.max(needed, now()) + WINDOW);
    this.idRange = new PersistedBound(ID_KEY, store, threads, loop, needed -> needed + ID_RANGE);
    FunctionCounter.builder("milvus_rootcoord_timestamp_calls", calls, LongAdder::sum)
        .description("Calls for timestamps.")
        .register(metrics);
    FunctionCounter.builder("milvus_rootcoord_timestamp_granted", granted, LongAdder::sum)
        .description("Timestamps granted.")
        .register(metrics);
  }

  private long now() {
    return clock.wallMs() << HybridTs.LOGICAL_BITS;
  }

  /// Reads the persisted bounds and moves them ahead; nothing is granted before this completes.
  public CompletableFuture<Void> start() {
    CompletableFuture<Void> timestamps =
        window
            .load()
            .thenCompose(bound -> {
              last.set(bound - 1);
              return window.extend(Math.max(bound, now()) + 1);
            });
    CompletableFuture<Void> ids =
        idRange
            .load()
            .thenCompose(bound -> {
              nextId.set(bound == 0 ? now() : bound);
              return idRange.extend(nextId.get() + 1);
            });
    return CompletableFuture.allOf(timestamps, ids)
        .thenRun(() -> {
          open = true;
          refresh = threads.timers().every(REFRESH, Waits.unlessClosed(loop), this::keepAhead);
        });
  }

  /// Moves the bound while nobody asks, so that the first caller after a pause doesn't wait.
  private void keepAhead() {
    if (now() + WINDOW / 2 > window.bound()) {
      moveWindow();
    }
  }

  private void moveWindow() {
    if (windowMoving.compareAndSet(false, true)) {
      window.extend(window.bound() + 1).whenComplete((_, _) -> windowMoving.set(false));
    }
  }

  private void moveIds() {
    if (idsMoving.compareAndSet(false, true)) {
      idRange.extend(idRange.bound() + 1).whenComplete((_, _) -> idsMoving.set(false));
    }
  }

  @Override
  public CompletableFuture<TimestampRange> allocTimestamp(
      CallContext context, AllocTimestamp request) {
    int count = request.count();
    if (count < 1 || count > MAX_COUNT) {
      return CompletableFuture.failedFuture(
          DbException.invalid("timestamp count", "1 to " + MAX_COUNT, count));
    }
    ChannelTerm owner = request.tickFor();
    while (open) {
      long first = grant(count);
      if (first < 0) {
        return waitForWindow(context, request, -first);
      }
      // Both are asked after the grant: were they before, a new owner, or a new coordinator, could
      // have got a smaller timestamp in between.
      if (owner != null && !terms.isCurrent(owner)) {
        return CompletableFuture.failedFuture(deposedOwner(owner));
      }
      if (!leadership.isHeld()) {
        return CompletableFuture.failedFuture(notOpen());
      }
      calls.increment();
      granted.add(count);
      return CompletableFuture.completedFuture(new TimestampRange(new HybridTs(first), count));
    }
    return CompletableFuture.failedFuture(notOpen());
  }

  /// One timestamp right now, or null when the window has to move first.
  public @Nullable HybridTs tryNow() {
    long first = open ? grant(1) : -1;
    return first < 0 || !leadership.isHeld() ? null : new HybridTs(first);
  }

  /// The first of `count` timestamps, or the needed bound, negated, when they don't fit.
  private long grant(int count) {
    while (true) {
      long previous = last.get();
      long first = Math.max(previous + 1, now());
      long end = first + count;
      long bound = window.bound();
      if (end > bound) {
        return -end;
      }
      if (last.compareAndSet(previous, end - 1)) {
        if (bound - end < WINDOW / 3) {
          moveWindow();
        }
        return first;
      }
    }
  }

  private CompletableFuture<TimestampRange> waitForWindow(
      CallContext context, AllocTimestamp request, long needed) {
    CompletableFuture<TimestampRange> granted =
        window.extend(needed).thenComposeAsync(_ -> allocTimestamp(context, request), loop);
    return Waits.until(context.deadline(), threads, Waits.unlessClosed(loop), granted);
  }

  private static DbException deposedOwner(ChannelTerm owner) {
    return DbException.withFields(
        ErrorCode.CHANNEL_NOT_AVAILABLE, "channel", owner.pchannel(), "term", owner.term());
  }

  private DbException notOpen() {
    return DbException.described(
        ErrorCode.SERVICE_UNAVAILABLE,
        store.isDeposed() || !leadership.isHeld()
            ? "coordinator deposed"
            : "timestamp oracle is not serving");
  }

  @Override
  public CompletableFuture<IdRange> allocId(CallContext context, AllocId request) {
    int count = request.count();
    if (count < 1) {
      return CompletableFuture.failedFuture(DbException.invalid("id count", "at least 1", count));
    }
    if (!open) {
      return CompletableFuture.failedFuture(notOpen());
    }
    long first = takeIds(count);
    if (first >= 0) {
      return CompletableFuture.completedFuture(new IdRange(first, count));
    }
    CompletableFuture<IdRange> ids =
        idRange.extend(-first).thenComposeAsync(_ -> allocId(context, request), loop);
    return Waits.until(context.deadline(), threads, Waits.unlessClosed(loop), ids);
  }

  private long takeIds(int count) {
    while (true) {
      long first = nextId.get();
      long end = first + count;
      long bound = idRange.bound();
      if (end > bound) {
        return -end;
      }
      if (nextId.compareAndSet(first, end)) {
        if (bound - end < ID_RANGE / 2) {
          moveIds();
        }
        return first;
      }
    }
  }

  @Override
  public void close() {
    open = false;
    Timers.Cancellable timer = refresh;
    if (timer != null) {
      timer.cancel();
    }
    loop.close();
  }
}
