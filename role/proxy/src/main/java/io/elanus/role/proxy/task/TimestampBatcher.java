package io.elanus.role.proxy.task;

import io.elanus.base.time.HybridTs;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.TsoService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Fresh timestamps, one grant for all requests that wait at the same time (rule T-03). Every
/// timestamp is granted after its request came, so Strong stays strong.
///
/// Thread-safe: waiters are guarded by `this`; no grant is asked for or handed out under the lock.
final class TimestampBatcher {
  private static final int MAX_BATCH = 1 << 14;

  private final TsoService tso;
  private List<CompletableFuture<HybridTs>> waiting = new ArrayList<>();
  private boolean asking;

  TimestampBatcher(TsoService tso) {
    this.tso = tso;
  }

  CompletableFuture<HybridTs> next(CallContext context) {
    CompletableFuture<HybridTs> mine = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(mine);
      if (asking) {
        return mine;
      }
      asking = true;
    }
    ask(context);
    return mine;
  }

  /// Asks until nobody waits any more. Grants that are there at once, as within one process, are
  /// handed out in this loop, not by recursion; a later one goes on from where it arrives.
  private void ask(CallContext context) {
    while (true) {
      List<CompletableFuture<HybridTs>> batch = takeBatch();
      if (batch.isEmpty()) {
        return;
      }
      CompletableFuture<TsoService.TimestampRange> grant = grant(context, batch.size());
      if (!grant.isDone()) {
        grant.whenComplete((range, failure) -> {
          handOut(batch, range, failure);
          ask(context);
        });
        return;
      }
      grant.whenComplete((range, failure) -> handOut(batch, range, failure));
    }
  }

  private CompletableFuture<TsoService.TimestampRange> grant(CallContext context, int count) {
    try {
      return tso.allocTimestamp(context, new TsoService.AllocTimestamp(count, null));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Those who wait, at most one grant's worth; empty, and nobody asking any more, when there are
  /// none.
  private synchronized List<CompletableFuture<HybridTs>> takeBatch() {
    if (waiting.isEmpty()) {
      asking = false;
      return List.of();
    }
    if (waiting.size() <= MAX_BATCH) {
      List<CompletableFuture<HybridTs>> batch = waiting;
      waiting = new ArrayList<>();
      return batch;
    }
    List<CompletableFuture<HybridTs>> batch = new ArrayList<>(waiting.subList(0, MAX_BATCH));
    waiting = new ArrayList<>(waiting.subList(MAX_BATCH, waiting.size()));
    return batch;
  }

  private static void handOut(
      List<CompletableFuture<HybridTs>> batch,
      TsoService.@Nullable TimestampRange range,
      @Nullable Throwable failure) {
    for (int i = 0; i < batch.size(); i++) {
      if (range != null) {
        batch.get(i).complete(range.first().plus(i));
      } else if (failure != null) {
        batch.get(i).completeExceptionally(failure);
      }
    }
  }
}
