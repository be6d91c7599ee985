package io.elanus.role.streaming;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PChannel;
import io.elanus.base.time.Clock;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.TsoService;
import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A timestamp oracle in memory; answers at once unless held.
///
/// Thread-safe: methods are synchronized.
final class FakeTso implements TsoService {
  private final Clock clock;
  private final TreeMap<PChannel, Long> terms = new TreeMap<>();
  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private HybridTs last = HybridTs.ZERO;
  private long lastId = 1000;
  private boolean holding;
  private @Nullable DbException failure;
  private int timestampCalls;
  private int backwards;

  FakeTso(Clock clock) {
    this.clock = clock;
  }

  /// Never grants an id that `other` has granted.
  synchronized void idsAfter(FakeTso other) {
    lastId = other.lastId;
  }

  /// Ids are granted from `first` on.
  synchronized void idsFrom(long first) {
    lastId = first - 1;
  }

  synchronized void hold() {
    holding = true;
  }

  void release() {
    while (true) {
      Runnable next;
      synchronized (this) {
        holding = false;
        next = held.poll();
      }
      if (next == null) {
        return;
      }
      next.run();
    }
  }

  synchronized void failWith(@Nullable DbException error) {
    failure = error;
  }

  /// The next grant begins this much too early: a broken oracle.
  synchronized void stepBack(int ticks) {
    backwards = ticks;
  }

  synchronized void raiseTerm(PChannel pchannel, long term) {
    terms.merge(pchannel, term, Math::max);
  }

  synchronized int timestampCalls() {
    return timestampCalls;
  }

  synchronized HybridTs now() {
    return grant(1).first();
  }

  private TimestampRange grant(int count) {
    HybridTs first = HybridTs.max(last.plus(1), HybridTs.of(clock.wallMs(), 0));
    last = first.plus(count - 1L);
    if (backwards > 0) {
      first = first.plus(-backwards);
      backwards = 0;
    }
    return new TimestampRange(first, count);
  }

  @Override
  public synchronized CompletableFuture<TimestampRange> allocTimestamp(
      CallContext context, AllocTimestamp request) {
    timestampCalls++;
    if (failure != null) {
      return CompletableFuture.failedFuture(failure);
    }
    ChannelTerm owner = request.tickFor();
    if (owner != null && terms.getOrDefault(owner.pchannel(), 0L) > owner.term()) {
      return CompletableFuture.failedFuture(
          DbException.described(ErrorCode.CHANNEL_NOT_AVAILABLE, "a higher term exists"));
    }
    TimestampRange range = grant(request.count());
    if (!holding) {
      return CompletableFuture.completedFuture(range);
    }
    CompletableFuture<TimestampRange> later = new CompletableFuture<>();
    held.add(() -> later.complete(range));
    return later;
  }

  @Override
  public synchronized CompletableFuture<IdRange> allocId(CallContext context, AllocId request) {
    IdRange range = new IdRange(lastId + 1, request.count());
    lastId += request.count();
    return CompletableFuture.completedFuture(range);
  }
}
