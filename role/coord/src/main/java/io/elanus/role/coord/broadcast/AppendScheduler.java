package io.elanus.role.coord.broadcast;

import io.elanus.base.loop.Loop;
import io.elanus.base.time.Deadline;
import io.elanus.role.coord.part.Waits;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.StreamingService.AppendReply;
import io.elanus.wire.service.StreamingService.AppendRequest;
import io.elanus.wire.service.StreamingService.AppendResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Appends the copies of broadcasts to the WAL until all are in it (rule B-12). What failed is
/// tried again with growing pauses; an append whose answer was lost is repeated, for the WAL knows
/// the broadcast id and answers the first position.
///
/// Owned by: the broadcaster's loop.
final class AppendScheduler {
  private static final Logger log = LoggerFactory.getLogger(AppendScheduler.class);
  private static final Duration RETRY_FIRST = Duration.ofMillis(10);
  private static final Duration RETRY_LIMIT = Duration.ofSeconds(5);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  private final BroadcasterDeps deps;
  private final StreamingService wal;
  private final Loop loop;
  private final int parallelTasks;
  private final Consumer<BroadcastTask> appended;
  private final ArrayDeque<BroadcastTask> waiting = new ArrayDeque<>();
  private int running;
  private boolean stopped;

  /// `appended` hears of every task whose copies are all in the WAL.
  AppendScheduler(
      BroadcasterDeps deps, Loop loop, int parallelTasks, Consumer<BroadcastTask> appended) {
    this.deps = deps;
    this.wal = deps.outside().wal();
    this.loop = loop;
    this.parallelTasks = parallelTasks;
    this.appended = appended;
  }

  void submit(BroadcastTask task) {
    waiting.add(task);
    startWaiting();
  }

  void stop() {
    stopped = true;
    waiting.clear();
  }

  private void startWaiting() {
    while (!stopped && running < parallelTasks && !waiting.isEmpty()) {
      running++;
      start(waiting.poll());
    }
  }

  private void start(BroadcastTask task) {
    Deadline deadline = Deadline.after(deps.threads().clock(), ANSWER_WITHIN);
    CallContext context = new CallContext(deadline, "broadcast-" + task.id());
    int[] open = {1};
    for (BroadcastTask.Copy copy : task.copies()) {
      if (copy.appended) {
        continue;
      }
      open[0]++;
      Waits.until(deadline, deps.threads(), Waits.unlessClosed(loop), append(context, task, copy))
          .whenCompleteAsync(
              (reply, failure) -> {
                answered(task, copy, reply, failure);
                countDown(task, open);
              },
              loop);
    }
    countDown(task, open);
  }

  private CompletableFuture<AppendReply> append(
      CallContext context, BroadcastTask task, BroadcastTask.Copy copy) {
    try {
      return wal.append(
          context, new AppendRequest(copy.vchannel, List.of(task.copyFor(copy.vchannel)), false));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void answered(
      BroadcastTask task,
      BroadcastTask.Copy copy,
      @Nullable AppendReply reply,
      @Nullable Throwable failure) {
    if (reply == null || failure != null) {
      task.lastError = failure == null ? null : Waits.cause(failure);
      return;
    }
    AppendResult result = reply.results().getFirst();
    copy.position = result.id();
    copy.tick = result.timeTick();
    copy.appended = true;
  }

  private void countDown(BroadcastTask task, int[] open) {
    if (--open[0] > 0) {
      return;
    }
    running--;
    if (stopped) {
      return;
    }
    if (task.isAppended()) {
      task.lastError = null;
      appended.accept(task);
    } else {
      retryLater(task);
    }
    startWaiting();
  }

  private void retryLater(BroadcastTask task) {
    Duration pause =
        Waits.backoff(RETRY_FIRST, RETRY_LIMIT, task.appendAttempts, deps.rng().nextDouble());
    task.appendAttempts++;
    if (task.appendAttempts % 10 == 1) {
      log.atWarn()
          .addKeyValue("broadcast", task.id())
          .addKeyValue("type", task.type())
          .addKeyValue("attempt", task.appendAttempts)
          .setCause(task.lastError)
          .log("broadcast not appended everywhere, retrying");
    }
    deps.threads().timers().after(pause, Waits.unlessClosed(loop), () -> submit(task));
  }
}
