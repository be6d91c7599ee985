package io.elanus.role.coord.broadcast;

import io.elanus.base.loop.Loop;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.role.coord.part.Waits;
import io.elanus.wire.message.ResourceKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs ack callbacks (rules B-14, B-15). A task queues here once its control channel copy is
/// acknowledged, and runs once all copies are and no earlier task that is queued or running has a
/// conflicting key; earlier means by control-channel tick. Its keys here are another table than
/// those of the Lock phase, which the task still holds.
///
/// A callback's change and the tombstone are one transaction, under the coordinator's term. What
/// fails is repeated until it succeeds, and holds up conflicting tasks only.
///
/// Owned by: the broadcaster's loop.
final class CallbackScheduler {
  private static final Logger log = LoggerFactory.getLogger(CallbackScheduler.class);
  private static final Duration RETRY_FIRST = Duration.ofMillis(10);
  private static final Duration RETRY_LIMIT = Duration.ofSeconds(10);

  private final BroadcasterDeps deps;
  private final FencedStore store;
  private final Loop loop;
  private final AckCallbacks callbacks;
  private final Consumer<BroadcastTask> finished;
  private final Runnable deposed;
  private final TreeMap<HybridTs, BroadcastTask> queue = new TreeMap<>();
  private final KeyTable running = new KeyTable();
  private boolean stopped;

  /// `finished` hears of every task that became a tombstone and whose change is visible.
  CallbackScheduler(
      BroadcasterDeps deps,
      Loop loop,
      AckCallbacks callbacks,
      Consumer<BroadcastTask> finished,
      Runnable deposed) {
    this.deps = deps;
    this.store = deps.store();
    this.loop = loop;
    this.callbacks = callbacks;
    this.finished = finished;
    this.deposed = deposed;
  }

  void stop() {
    stopped = true;
    queue.clear();
  }

  /// To be called whenever a copy of the task was acknowledged.
  void acked(BroadcastTask task) {
    BroadcastTask.Copy control = task.controlCopy();
    if (control.acked && !task.queuedForCallback) {
      task.queuedForCallback = true;
      queue.put(control.tick, task);
    }
    startReady();
  }

  private void startReady() {
    if (stopped || queue.isEmpty()) {
      return;
    }
    List<BroadcastTask> started = new ArrayList<>(1);
    List<List<ResourceKey>> skipped = new ArrayList<>(0);
    Iterator<BroadcastTask> tasks = queue.values().iterator();
    while (tasks.hasNext()) {
      BroadcastTask task = tasks.next();
      List<ResourceKey> keys = task.header().keys();
      boolean free = skipped.stream().noneMatch(earlier -> ResourceKeys.conflict(earlier, keys));
      KeyTable.Request held =
          free && task.isAcked() ? running.tryAcquire(keys, task.id().toString()) : null;
      if (held == null) {
        skipped.add(keys);
        continue;
      }
      tasks.remove();
      task.callbackKeys = held;
      started.add(task);
    }
    started.forEach(this::run);
  }

  private void run(BroadcastTask task) {
    if (stopped) {
      return;
    }
    AckCallback.Effect effect;
    CompletableFuture<Void> committed;
    try {
      effect = callbacks.of(task.type()).apply(task.acked());
      Txn.Builder txn = effect.changes();
      txn.put(TaskCodec.key(task.id()), TaskCodec.encode(task, BroadcastTask.State.TOMBSTONE));
      committed = store.commit(txn);
    } catch (RuntimeException e) {
      retryLater(task, e, () -> run(task));
      return;
    }
    committed.whenCompleteAsync(
        (_, failure) -> {
          if (failure == null) {
            task.moveTo(BroadcastTask.State.TOMBSTONE);
            publish(task, effect.afterDurable());
          } else {
            retryLater(task, Waits.cause(failure), () -> run(task));
          }
        },
        loop);
  }

  private void publish(BroadcastTask task, Supplier<CompletableFuture<Void>> afterDurable) {
    if (stopped) {
      return;
    }
    CompletableFuture<Void> published;
    try {
      published = afterDurable.get();
    } catch (RuntimeException e) {
      published = CompletableFuture.failedFuture(e);
    }
    if (published.isDone() && !published.isCompletedExceptionally()) {
      finish(task);
      return;
    }
    published.whenCompleteAsync(
        (_, failure) -> {
          if (failure == null) {
            finish(task);
          } else {
            retryLater(task, Waits.cause(failure), () -> publish(task, afterDurable));
          }
        },
        loop);
  }

  private void finish(BroadcastTask task) {
    if (stopped) {
      return;
    }
    KeyTable.Request held = task.callbackKeys;
    finished.accept(task);
    if (held != null) {
      held.release();
    }
    startReady();
  }

  private void retryLater(BroadcastTask task, @Nullable Throwable cause, Runnable again) {
    if (store.isDeposed()) {
      deposed.run();
      return;
    }
    task.lastError = cause;
    Duration pause =
        Waits.backoff(RETRY_FIRST, RETRY_LIMIT, task.callbackAttempts, deps.rng().nextDouble());
    task.callbackAttempts++;
    if (task.callbackAttempts < 3 || task.callbackAttempts % 10 == 0) {
      log.atWarn()
          .addKeyValue("broadcast", task.id())
          .addKeyValue("type", task.type())
          .addKeyValue("attempt", task.callbackAttempts)
          .setCause(cause)
          .log("ack callback failed, retrying");
    }
    deps.threads().timers().after(pause, Waits.unlessClosed(loop), again);
  }
}
