package io.elanus.role.coord.broadcast;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.InvariantViolation;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.base.time.Timers;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.RangeResult;
import io.elanus.role.coord.broadcast.BroadcasterDeps.ClusterRole;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.role.coord.part.Waits;
import io.elanus.wire.message.BroadcastHeader;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.MessageType;
import io.elanus.wire.message.ResourceKey;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.StreamingService.ForgetBroadcast;
import io.elanus.wire.service.TsoService.AllocId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The cluster's broadcaster: Lock, Persist, Append, FastAck, AckCallback, Tombstone (rules B-01 to
/// B-33).
///
/// Thread-safe: every step runs on one loop, which owns all state.
public final class Broadcaster implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Broadcaster.class);
  private static final Duration RETRY_FIRST = Duration.ofMillis(10);
  private static final Duration RETRY_LIMIT = Duration.ofSeconds(5);

  /// Requests that wait or run; one more is refused with error 4.
  private static final int MAX_ACTIVE = 16_384;

  /// Appends wait for disks, not for CPUs: below this many in flight they can't share fsyncs.
  private static final int MIN_PARALLEL = 64;

  private final BroadcasterDeps deps;
  private final Loop loop;
  private final KeyTable locks = new KeyTable();
  private final TreeMap<BroadcastId, BroadcastTask> tasks = new TreeMap<>();
  private final Set<Waiter> waiting = new LinkedHashSet<>();
  private final AppendScheduler appends;
  private final CallbackScheduler callbacks;
  private final AckCallbacks registry;
  private final TombstoneKeeper tombstones;
  private final IdempotencyIndex idempotency = new IdempotencyIndex();
  private final AtomicInteger active = new AtomicInteger();
  private volatile boolean stopped;

  public Broadcaster(BroadcasterDeps deps, CoordConfig.Broadcasts config, AckCallbacks registry) {
    this.deps = deps;
    this.registry = registry;
    this.loop = deps.threads().loop("coord/broadcast", 1 << 20);
    int cpus = Runtime.getRuntime().availableProcessors();
    int parallel = Math.max(MIN_PARALLEL, cpus * config.concurrencyRatio());
    this.appends = new AppendScheduler(deps, loop, parallel, this::onAppended);
    this.callbacks = new CallbackScheduler(deps, loop, registry, this::onFinished, this::onDeposed);
    this.tombstones = new TombstoneKeeper(deps, config, loop, idempotency::remove);
  }

  /// Where callbacks run; checks against the catalog under a handle belong here too.
  public Loop executor() {
    return loop;
  }

  /// Takes `keys` and a shared cluster key, in their documented order, and answers on the loop with
  /// a handle. Errors: 10001 when the channels or the keys are not free before the deadline, 4 when
  /// too many wait, 65535 on a cluster that is not primary.
  public CompletableFuture<BroadcastHandle> withResourceKeys(
      CallContext context, Collection<ResourceKey> keys) {
    return open(context, ResourceKeys.normalized(keys), ClusterRole.PRIMARY);
  }

  /// The same for the force promote of a secondary cluster: takes the exclusive cluster key.
  public CompletableFuture<BroadcastHandle> withSecondaryClusterResourceKey(CallContext context) {
    return open(context, List.of(ResourceKey.exclusiveCluster()), ClusterRole.SECONDARY);
  }

  private CompletableFuture<BroadcastHandle> open(
      CallContext context, List<ResourceKey> keys, ClusterRole wanted) {
    if (active.incrementAndGet() > MAX_ACTIVE) {
      active.decrementAndGet();
      return CompletableFuture.failedFuture(
          DbException.withFields(ErrorCode.TOO_MANY_REQUESTS, "limit", MAX_ACTIVE));
    }
    CompletableFuture<BroadcastHandle> opened = new CompletableFuture<>();
    opened.whenComplete((_, failure) -> {
      if (failure != null) {
        active.decrementAndGet();
      }
    });
    CompletableFuture<Void> ready = deps.outside().ready().get();
    Waits.until(context.deadline(), deps.threads(), Waits.unlessClosed(loop), ready)
        .whenComplete((_, failure) -> {
          if (failure != null) {
            opened.completeExceptionally(Waits.cause(failure));
          } else {
            onLoop(opened, () -> lock(context, keys, wanted, opened));
          }
        });
    return opened;
  }

  private void onLoop(CompletableFuture<?> future, Runnable step) {
    try {
      loop.execute(step);
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(closed().causedBy(e));
    }
  }

  private static DbException closed() {
    return DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "broadcaster is closed");
  }

  /// A lock request with its time-out. The request is set before a grant can use it, save for a
  /// grant within `acquire`, which finds it null and lets `lock` go on.
  private static final class Waiter {
    final Deadline deadline;
    final CompletableFuture<BroadcastHandle> opened;
    KeyTable.@Nullable Request request;
    Timers.@Nullable Cancellable timer;
    boolean granted;

    Waiter(Deadline deadline, CompletableFuture<BroadcastHandle> opened) {
      this.deadline = deadline;
      this.opened = opened;
    }
  }

  private void lock(
      CallContext context,
      List<ResourceKey> keys,
      ClusterRole wanted,
      CompletableFuture<BroadcastHandle> opened) {
    if (stopped || context.deadline().hasPassed(deps.threads().clock())) {
      opened.completeExceptionally(
          stopped ? closed() : DbException.of(ErrorCode.DEADLINE_EXCEEDED));
      return;
    }
    Waiter waiter = new Waiter(context.deadline(), opened);
    waiter.request =
        locks.acquire(
            keys,
            context.requestId(),
            () -> {
              waiter.granted = true;
              if (waiter.request != null) {
                grant(waiter, wanted);
              }
            });
    if (waiter.granted) {
      grant(waiter, wanted);
      return;
    }
    waiting.add(waiter);
    if (!context.deadline().isNone()) {
      waiter.timer =
          deps.threads()
              .timers()
              .after(
                  context.deadline().left(deps.threads().clock()),
                  Waits.unlessClosed(loop),
                  () -> timeOut(waiter));
    }
  }

  private void timeOut(Waiter waiter) {
    KeyTable.Request request = waiter.request;
    if (!waiter.granted && request != null) {
      waiting.remove(waiter);
      request.release();
      waiter.opened.completeExceptionally(DbException.of(ErrorCode.DEADLINE_EXCEEDED));
    }
  }

  private void grant(Waiter waiter, ClusterRole wanted) {
    KeyTable.Request request = waiter.request;
    if (request == null) {
      throw new IllegalStateException("granted a request that doesn't exist");
    }
    waiting.remove(waiter);
    if (waiter.timer != null) {
      waiter.timer.cancel();
    }
    // Checked with the locks held, so a switch of roles can't slip between (rule B-02).
    if (stopped || deps.role().get() != wanted) {
      request.release();
      waiter.opened.completeExceptionally(stopped ? closed() : wrongRole(wanted));
      return;
    }
    waiter.opened.complete(new BroadcastHandle(this, request, waiter.deadline));
  }

  private static DbException wrongRole(ClusterRole wanted) {
    return DbException.verbatim(
        ErrorCode.UNEXPECTED,
        switch (wanted) {
          case PRIMARY -> "cluster is not primary, cannot do any DDL/DCL";
          case SECONDARY -> "cluster is not secondary, cannot force promote";
        });
  }

  void release(KeyTable.Request guard) {
    active.decrementAndGet();
    try {
      loop.execute(guard::release);
    } catch (RejectedExecutionException e) {
      log.debug("lock not freed, the broadcaster is closed", e);
    }
  }

  CompletableFuture<BroadcastResult> broadcast(
      KeyTable.Request guard, Deadline deadline, BroadcastMessage message) {
    CompletableFuture<BroadcastResult> result = new CompletableFuture<>();
    result.whenComplete((_, _) -> active.decrementAndGet());
    onLoop(
        result,
        () -> {
          try {
            create(guard, deadline, message, result);
          } catch (RuntimeException e) {
            guard.release();
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private void create(
      KeyTable.Request guard,
      Deadline deadline,
      BroadcastMessage message,
      CompletableFuture<BroadcastResult> result) {
    if (stopped) {
      throw closed();
    }
    VChannel control = controlChannel(message);
    if (!registry.knows(message.body().type())) {
      throw DbException.verbatim(
          ErrorCode.UNIMPLEMENTED, "nothing handles a broadcast " + message.body().type());
    }
    deps.outside()
        .tso()
        .allocId(CallContext.background("broadcast"), new AllocId(1))
        .whenCompleteAsync(
            (ids, failure) -> {
              if (failure != null || stopped) {
                guard.release();
                result.completeExceptionally(failure == null ? closed() : Waits.cause(failure));
                return;
              }
              try {
                register(new BroadcastId(ids.first()), control, guard, deadline, message, result);
              } catch (RuntimeException e) {
                guard.release();
                result.completeExceptionally(e);
              }
            },
            loop);
  }

  /// Look-up and registration in one step: two requests under one key can't both be new.
  private void register(
      BroadcastId id,
      VChannel control,
      KeyTable.Request guard,
      Deadline deadline,
      BroadcastMessage message,
      CompletableFuture<BroadcastResult> result) {
    BroadcastTask original = idempotency.find(message.body().type(), message.properties());
    if (original == null) {
      register(newTask(id, control, guard, message), result);
    } else {
      guard.release();
      answerAs(original, deadline, result);
    }
  }

  @Nullable CompletableFuture<BroadcastResult> original(
      MessageType type, Map<String, String> properties, Deadline deadline) {
    BroadcastTask original = idempotency.find(type, properties);
    if (original == null) {
      return null;
    }
    CompletableFuture<BroadcastResult> result = new CompletableFuture<>();
    answerAs(original, deadline, result);
    return result;
  }

  /// The original's answer once it is done; its locks may be those of another name, or none.
  private void answerAs(
      BroadcastTask original, Deadline deadline, CompletableFuture<BroadcastResult> result) {
    Waits.until(deadline, deps.threads(), Waits.unlessClosed(loop), original.done)
        .whenComplete((value, failure) -> {
          if (failure == null) {
            result.complete(new BroadcastResult(value.id(), value.copies(), original.body()));
          } else {
            result.completeExceptionally(Waits.cause(failure));
          }
        });
  }

  private static VChannel controlChannel(BroadcastMessage message) {
    for (VChannel target : message.targets()) {
      if (target.isControlChannel()) {
        return target;
      }
    }
    throw new IllegalArgumentException(
        "broadcast of " + message.body().type() + " doesn't target the control channel");
  }

  private static BroadcastTask newTask(
      BroadcastId id, VChannel control, KeyTable.Request guard, BroadcastMessage message) {
    BroadcastHeader broadcast =
        new BroadcastHeader(id, message.targets(), guard.keys(), message.ackSyncUp());
    MessageHeader header =
        new MessageHeader(
            control, HybridTs.ZERO, MessageId.NONE, 0, broadcast, message.properties());
    BroadcastTask task =
        new BroadcastTask(BroadcastTask.State.PENDING, new WalMessage(header, message.body()));
    task.guard = guard;
    return task;
  }

  private void register(BroadcastTask task, CompletableFuture<BroadcastResult> result) {
    tasks.put(task.id(), task);
    task.sinceNanos = deps.threads().clock().nanoTime();
    idempotency.add(task);
    task.done.whenComplete((value, failure) -> {
      if (failure == null) {
        result.complete(value);
      } else {
        result.completeExceptionally(failure);
      }
    });
    persistNew(task, TaskCodec.encode(task, BroadcastTask.State.PENDING), 0);
  }

  /// Retried until its outcome is known: were the locks freed while the task may be stored, a
  /// restart could find two tasks with the same keys.
  private void persistNew(BroadcastTask task, byte[] bytes, int attempt) {
    if (stopped) {
      return;
    }
    deps.store()
        .put(TaskCodec.key(task.id()), bytes)
        .whenCompleteAsync(
            (_, failure) -> {
              if (failure == null) {
                appends.submit(task);
                return;
              }
              Throwable cause = Waits.cause(failure);
              if (deps.store().isDeposed()) {
                onDeposed();
              } else if (attempt == 0
                  && cause instanceof DbException refused
                  && refused.code() == ErrorCode.TOO_MANY_REQUESTS) {
                abandon(task, refused);
              } else {
                log.atWarn()
                    .addKeyValue("broadcast", task.id())
                    .setCause(cause)
                    .log("broadcast task not saved, retrying");
                deps.threads()
                    .timers()
                    .after(
                        Waits.backoff(RETRY_FIRST, RETRY_LIMIT, attempt, deps.rng().nextDouble()),
                        Waits.unlessClosed(loop),
                        () -> persistNew(task, bytes, attempt + 1));
              }
            },
            loop);
  }

  private void abandon(BroadcastTask task, DbException cause) {
    tasks.remove(task.id());
    idempotency.remove(task.id());
    task.done.completeExceptionally(cause);
    if (task.guard != null) {
      task.guard.release();
    }
  }

  private void onAppended(BroadcastTask task) {
    if (!task.header().ackSyncUp()) {
      task.copies().forEach(copy -> copy.acked = true);
    }
    callbacks.acked(task);
  }

  private void onFinished(BroadcastTask task) {
    tasks.remove(task.id());
    task.done.complete(new BroadcastResult(task.id(), task.places(), null));
    if (task.guard != null) {
      task.guard.release();
    }
    tombstones.add(task.id(), task.isKeyed());
    forget(task.id(), task.header().targets());
  }

  private void forget(BroadcastId id, List<VChannel> targets) {
    deps.outside()
        .wal()
        .forgetBroadcast(CallContext.background("forget-" + id), new ForgetBroadcast(id, targets))
        .whenComplete((_, failure) -> {
          if (failure != null) {
            log.atDebug()
                .addKeyValue("broadcast", id)
                .setCause(failure)
                .log("append positions are remembered until the next start");
          }
        });
  }

  private void onDeposed() {
    if (!stopped) {
      stop();
      deps.faults()
          .onFault(
              "coord/broadcast",
              DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "coordinator deposed"));
    }
  }

  /// The consumer of a VChannel has seen its copy of a broadcast with AckSyncUp; answers when that
  /// is durable. Repeated and late calls change nothing.
  public CompletableFuture<Done> ack(CallContext context, WalMessage message) {
    BroadcastHeader header = message.header().broadcast();
    if (header == null) {
      return CompletableFuture.failedFuture(
          DbException.invalid("acknowledged message has no broadcast header"));
    }
    return ack(header.id(), message.vchannel(), message.timeTick());
  }

  /// The form of earlier import messages, which are acknowledged by id.
  public CompletableFuture<Done> legacyAck(CallContext context, BroadcastId id, VChannel vchannel) {
    return ack(id, vchannel, HybridTs.ZERO);
  }

  private CompletableFuture<Done> ack(BroadcastId id, VChannel vchannel, HybridTs tick) {
    CompletableFuture<Done> answer = new CompletableFuture<>();
    onLoop(
        answer,
        () -> {
          BroadcastTask task = tasks.get(id);
          if (task == null || !task.header().ackSyncUp()) {
            answer.complete(Done.INSTANCE);
            return;
          }
          try {
            acknowledge(task, task.copy(vchannel), tick, answer);
          } catch (RuntimeException e) {
            answer.completeExceptionally(DbException.invalid(String.valueOf(e.getMessage())));
          }
        });
    return answer;
  }

  private void acknowledge(
      BroadcastTask task, BroadcastTask.Copy copy, HybridTs tick, CompletableFuture<Done> answer) {
    if (copy.acked || task.state() == BroadcastTask.State.TOMBSTONE) {
      answer.complete(Done.INSTANCE);
      return;
    }
    if (copy.tick.equals(HybridTs.ZERO)) {
      copy.tick = tick;
    }
    copy.acked = true;
    deps.store()
        .put(TaskCodec.key(task.id()), TaskCodec.encode(task, task.state()))
        .whenCompleteAsync(
            (_, failure) -> {
              if (failure != null) {
                copy.acked = false; // The consumer repeats it.
                answer.completeExceptionally(Waits.cause(failure));
                return;
              }
              answer.complete(Done.INSTANCE);
              if (task.isAppended()) {
                callbacks.acked(task);
              }
            },
            loop);
  }

  /// Reads all tasks and takes up where the last coordinator stopped (rule B-30). Completes when
  /// new requests may be served; the recovered broadcasts go on in the background.
  public CompletableFuture<Void> recover() {
    return deps.store()
        .prefix(TaskCodec.PREFIX)
        .thenAcceptAsync(this::takeUp, loop)
        .thenRunAsync(tombstones::start, loop);
  }

  private void takeUp(RangeResult stored) {
    List<BroadcastTask> pending = new ArrayList<>();
    for (KeyValue entry : stored.entries()) {
      TaskCodec.Stored read = TaskCodec.decode(entry.key(), entry.value());
      BroadcastTask task = read.task();
      if (read.tombstone() || task == null) {
        if (task != null) {
          task.done.complete(new BroadcastResult(task.id(), task.places(), null));
          idempotency.add(task);
        }
        tombstones.add(read.id(), read.keyed());
        forget(read.id(), read.targets());
        continue;
      }
      task.guard = locks.tryAcquire(task.header().keys(), "recovered " + task.id());
      if (task.guard == null) {
        throw new InvariantViolation(
            "broadcast "
                + task.id()
                + " needs keys that another unfinished broadcast holds: "
                + task.header().keys());
      }
      tasks.put(task.id(), task);
      task.sinceNanos = deps.threads().clock().nanoTime();
      idempotency.add(task);
      pending.add(task);
    }
    if (!stored.entries().isEmpty()) {
      log.atInfo()
          .addKeyValue("unfinished", pending.size())
          .addKeyValue("tombstones", tombstones.size())
          .log("broadcasts recovered");
    }
    pending.forEach(this::resume);
  }

  private void resume(BroadcastTask task) {
    if (task.isAppended()) {
      onAppended(task);
    } else {
      appends.submit(task);
    }
  }

  /// What is going on, for operators (rule B-42): one view a task, by id.
  public CompletableFuture<List<TaskView>> tasks() {
    CompletableFuture<List<TaskView>> answer = new CompletableFuture<>();
    onLoop(answer, () -> answer.complete(views()));
    return answer;
  }

  private List<TaskView> views() {
    long now = deps.threads().clock().nanoTime();
    return tasks.values().stream().map(task -> TaskView.of(task, now)).toList();
  }

  /// Resource keys that somebody waits for.
  public CompletableFuture<List<LockView>> contendedKeys() {
    CompletableFuture<List<LockView>> answer = new CompletableFuture<>();
    onLoop(answer, () -> answer.complete(locks.contended()));
    return answer;
  }

  private void stop() {
    stopped = true;
    appends.stop();
    callbacks.stop();
    tombstones.stop();
    tasks.values().forEach(task -> task.done.completeExceptionally(closed()));
    tasks.clear();
    List.copyOf(waiting).forEach(waiter -> waiter.opened.completeExceptionally(closed()));
    waiting.clear();
  }

  /// Stops at once; unfinished broadcasts are taken up by the next start. Idempotent.
  @Override
  public void close() {
    try {
      loop.execute(this::stop);
    } catch (RejectedExecutionException e) {
      log.debug("closed before", e);
    }
    loop.close();
  }
}
