package io.elanus.role.proxy.task;

import io.elanus.base.time.HybridTs;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.TsoService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

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

  private void ask(CallContext context) {
    List<CompletableFuture<HybridTs>> batch;
    synchronized (this) {
      if (waiting.isEmpty()) {
        asking = false;
        return;
      }
      if (waiting.size() <= MAX_BATCH) {
        batch = waiting;
        waiting = new ArrayList<>();
      } else {
        batch = new ArrayList<>(waiting.subList(0, MAX_BATCH));
        waiting = new ArrayList<>(waiting.subList(MAX_BATCH, waiting.size()));
      }
    }
    CompletableFuture<TsoService.TimestampRange> grant;
    try {
      grant = tso.allocTimestamp(context, new TsoService.AllocTimestamp(batch.size(), null));
    } catch (RuntimeException e) {
      grant = CompletableFuture.failedFuture(e);
    }
    grant.whenComplete(
        (range, failure) -> {
          for (int i = 0; i < batch.size(); i++) {
            if (failure != null) {
              batch.get(i).completeExceptionally(failure);
            } else {
              batch.get(i).complete(range.first().plus(i));
            }
          }
          ask(context);
        });
  }
}
