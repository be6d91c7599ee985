package io.elanus.role.streaming.pchannel;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.FaultHandler;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.base.time.Timers;
import io.elanus.engine.log.WalLog;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.role.streaming.shard.SegmentAssigner;
import io.elanus.role.streaming.tail.ChannelTail;
import io.elanus.role.streaming.timetick.TickDemand;
import io.elanus.role.streaming.timetick.TickWatermark;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.StreamingService.AppendReply;
import io.elanus.wire.service.StreamingService.AppendRequest;
import io.elanus.wire.service.StreamingService.AppendResult;
import io.elanus.wire.service.TsoService;
import io.elanus.wire.service.TsoService.AllocTimestamp;
import io.elanus.wire.service.TsoService.ChannelTerm;
import io.elanus.wire.service.TsoService.TimestampRange;
import io.micrometer.core.instrument.Meter;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The single writer of one PChannel under one term.
///
/// Appends wait in a bounded queue. A pump takes what is there, asks the TSO for the ticks of one
/// batch (one grant at a time, so grants are used in order), stamps the appends against the working
/// state and gives the batch to the log. Several batches may be in flight, but none behind a batch
/// that changed more than rows; completions are confirmed in order: applied to the confirmed state,
/// published to the tail, answered. When a batch fails, nothing of it is in the log: its callers
/// get the error and the working state is made anew from the confirmed one once nothing is in
/// flight.
///
/// | state | appends | leaves by |
/// | --- | --- | --- |
/// | open | taken | close, a fenced log, a broken invariant |
/// | closed | refused with 503; what is in flight is still answered | – |
///
/// Owned by: its loop; public methods may be called from anywhere.
public final class PChannelSequencer {
  private static final int MAILBOX = 1 << 16;

  /// Ticks asked for at once, save for a single append that needs more.
  private static final int MAX_GRANT = 1 << 14;

  /// What the TSO grants at most.
  private static final int MAX_TSO_COUNT = 1 << 18;

  private final SequencerConfig config;
  private final WalLog log;
  private final ChannelTail tail;
  private final TsoService tso;
  private final SegmentAssigner assigner;
  private final AutoSeals seals;
  private final FaultHandler faults;
  private final SequencerMetrics metrics;
  private final Clock clock;
  private final Timers timers;
  private final Loop loop;
  private final String name;
  private final ChannelTerm owner;
  private final AppendQueue queue;
  private final AtomicBoolean pumpQueued = new AtomicBoolean();
  private final AtomicLong demanded = new AtomicLong();
  private final CompletableFuture<Throwable> closed = new CompletableFuture<>();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private volatile @Nullable Throwable closeReason;

  // Everything below is touched on the loop only.
  private final ChannelState confirmed;
  private ChannelState working;
  private final TickWatermark ticks;
  private final TickDemand demand = new TickDemand();
  private final SegmentIds ids;
  private final ArrayDeque<Batch> inFlight = new ArrayDeque<>();
  private final List<Meter> gauges;
  private final Timers.Cancellable sealTimer;
  private Timers.@Nullable Cancellable interval;
  private boolean pumping;
  private boolean pumpAgain;
  private boolean confirming;
  private boolean crashed;
  private boolean asking;
  private boolean rework;
  private boolean sealDue;
  private boolean wakeAllDue;
  private long syncedAtNanos;
  private long changes;

  public PChannelSequencer(SequencerDeps deps) {
    SequencerDeps.Services services = deps.services();
    this.config = deps.config();
    this.log = deps.channel().log();
    this.tail = deps.channel().tail();
    this.tso = services.tso();
    this.assigner = services.sealing().assigner();
    this.faults = services.faults();
    this.metrics = services.metrics();
    this.clock = services.threads().clock();
    this.seals = new AutoSeals(services.sealing(), clock);
    this.timers = services.threads().timers();
    this.name = "streaming/sequencer/" + log.pchannel();
    this.loop = services.threads().loop(name, MAILBOX);
    this.owner = new ChannelTerm(log.pchannel(), log.term());
    this.queue = new AppendQueue(config.maxQueuedAppends(), config.maxQueuedBytes());
    this.confirmed = deps.channel().recovered();
    this.working = confirmed.copy();
    this.ticks = new TickWatermark(confirmed.lastTick());
    this.ids = new SegmentIds(tso);
    this.gauges = metrics.watch(log.pchannel(), ticks);
    this.sealTimer = timers.every(config.sealCheckInterval(), loop, guarded(this::checkSeals));
  }

  public PChannel pchannel() {
    return log.pchannel();
  }

  /// Completes with the reason when the channel stops taking appends.
  public CompletableFuture<Throwable> closed() {
    return closed;
  }

  /// See [io.elanus.wire.service.StreamingService#append].
  public CompletableFuture<AppendReply> append(CallContext context, AppendRequest request) {
    CompletableFuture<AppendReply> reply = new CompletableFuture<>();
    PendingAppend append =
        new PendingAppend(context, request, reply, PendingAppend.sizeOf(request), clock.nanoTime());
    try {
      AppendChecks.checkShape(request);
      Throwable reason = closeReason;
      DbException refused = reason != null ? notHere(reason) : queue.offer(append);
      if (refused != null) {
        reply.completeExceptionally(refused);
        return reply;
      }
    } catch (DbException e) {
      reply.completeExceptionally(e);
      return reply;
    }
    requestPump();
    return reply;
  }

  /// See [io.elanus.wire.service.StreamingService#forgetBroadcast].
  public CompletableFuture<Boolean> forget(BroadcastId id, List<VChannel> vchannels) {
    return onLoop(() -> {
      for (VChannel vchannel : vchannels) {
        confirmed.forget(id, vchannel);
        working.forget(id, vchannel);
      }
      changes++;
      return true;
    });
  }

  /// See [io.elanus.wire.service.WalTail#demandTick].
  public void demandTick(VChannel vchannel, HybridTs atLeast) {
    if (!tail.demand(vchannel, atLeast)) {
      demanded.accumulateAndGet(atLeast.value(), (a, b) -> Long.compareUnsigned(a, b) >= 0 ? a : b);
      requestPump();
    }
  }

  /// Starts the tick interval: to be called when a reader has joined.
  public void follow() {
    run(() -> {
      if (interval == null && closeReason == null) {
        armInterval();
      }
    });
  }

  /// The confirmed state, and how often it has changed since the start.
  public record StateAt(ChannelState.Snapshot snapshot, long changes) {}

  /// The confirmed state if it changed since `changesSeen` and can be trusted.
  public CompletableFuture<@Nullable StateAt> stateSince(long changesSeen) {
    return onLoop(() ->
        crashed || changes == changesSeen ? null : new StateAt(confirmed.snapshot(), changes));
  }

  /// Refuses further appends with `reason`; completes when those in flight are answered.
  public CompletableFuture<Void> close(Throwable reason) {
    run(() -> shut(reason));
    return drained;
  }

  /// Ends the loop; to be called after `close` has completed.
  public void dispose() {
    loop.close();
  }

  // ---- the pump

  private void requestPump() {
    if (pumpQueued.compareAndSet(false, true)) {
      run(() -> {
        pumpQueued.set(false);
        pump();
      });
    }
  }

  private void pump() {
    if (pumping) {
      pumpAgain = true; // A log or TSO that answers inline calls back from within the loop below.
      return;
    }
    pumping = true;
    try {
      do {
        pumpAgain = false;
        takeDemands();
        boolean more = step(); // May set pumpAgain itself, so it is not read before.
        pumpAgain |= more;
      } while (pumpAgain);
    } finally {
      pumping = false;
    }
  }

  private void takeDemands() {
    HybridTs atLeast = new HybridTs(demanded.getAndSet(0));
    if (atLeast.isAfter(ticks.synced())) {
      demand.demand(atLeast);
    }
  }

  /// Starts one batch or tick, if one can be started; true when there may be more to do right away.
  private boolean step() {
    Throwable reason = closeReason;
    if (reason != null) {
      refuseAll(notHere(reason));
      return false;
    }
    if (asking || (rework && !inFlight.isEmpty())) {
      return false;
    }
    if (rework) {
      working = confirmed.copy();
      rework = false;
    }
    boolean room = inFlight.size() < config.maxInFlightBatches() && !barrierInFlight();
    boolean batch = room && (sealDue || headIsReady());
    if (!batch && !demand.isPending()) {
      return false;
    }
    return ask(batch, demand.isPending());
  }

  private boolean barrierInFlight() {
    for (Batch batch : inFlight) {
      if (batch.isBarrier()) {
        return true;
      }
    }
    return false;
  }

  /// Settles appends at the head that need no stamping; false when none is left, or the head has to
  /// wait for its broadcast's first copy.
  private boolean headIsReady() {
    for (PendingAppend head = queue.peek(); head != null; head = queue.peek()) {
      if (isInFlight(head)) {
        return false;
      }
      if (!settle(head, confirmed)) {
        return true;
      }
      queue.poll();
    }
    return false;
  }

  private boolean isInFlight(PendingAppend append) {
    BroadcastId id = append.broadcastId();
    if (id == null) {
      return false;
    }
    for (Batch batch : inFlight) {
      for (PendingAppend other : batch.appends()) {
        if (id.equals(other.broadcastId()) && other.vchannel().equals(append.vchannel())) {
          return true;
        }
      }
    }
    return false;
  }

  /// Answers an append that is late or a repetition; false when it has to be stamped.
  private boolean settle(PendingAppend append, ChannelState state) {
    if (append.context().deadline().hasPassed(clock)) {
      refuse(append, DbException.of(ErrorCode.DEADLINE_EXCEEDED, "append waited too long"));
      return true;
    }
    BroadcastId id = append.broadcastId();
    ChannelState.Appended first = id == null ? null : state.broadcast(id, append.vchannel());
    if (first == null) {
      return false;
    }
    queue.answered(append);
    append
        .reply()
        .complete(
            new AppendReply(
                List.of(
                    new AppendResult(first.vchannel(), first.id(), first.tick(), first.sealed()))));
    return true;
  }

  private boolean ask(boolean batch, boolean tick) {
    int count = (batch ? ticksForBatch() : 0) + (tick ? 1 : 0);
    if (count == 0) {
      sealDue = false;
      return true;
    }
    if (tick) {
      demand.asked();
    }
    asking = true;
    CallContext context =
        new CallContext(Deadline.after(clock, config.tsoTimeout()), name + "/tick");
    CompletableFuture<TimestampRange> range =
        tso.allocTimestamp(context, new AllocTimestamp(count, tick ? owner : null));
    if (range.isDone() && !range.isCompletedExceptionally()) {
      asking = false;
      begin(range.join(), batch, tick);
      return true;
    }
    range.whenComplete((granted, failure) ->
        run(() -> {
          asking = false;
          if (failure != null) {
            tsoFailed(unwrap(failure), tick);
          } else {
            begin(granted, batch, tick);
          }
          pump();
        }));
    return false;
  }

  private int ticksForBatch() {
    long bytes = 0;
    int count = sealDue ? seals.due(working).size() : 0;
    for (PendingAppend append : queue.all()) {
      int need = BatchStamper.ticksFor(append, working);
      if (count > 0 && (count + need > MAX_GRANT || bytes > config.maxBatchBytes())) {
        break;
      }
      count += need;
      bytes += append.bytes();
    }
    return Math.min(count, MAX_TSO_COUNT - 1);
  }

  private void tsoFailed(Throwable failure, boolean tick) {
    if (failure instanceof DbException e && e.code() == ErrorCode.CHANNEL_NOT_AVAILABLE && tick) {
      shut(e);
      return;
    }
    DbException error =
        failure instanceof DbException e
            ? e
            : DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "no timestamp: " + failure)
                .causedBy(failure);
    refuseAll(error.asRetriable());
  }

  private void begin(TimestampRange range, boolean withAppends, boolean withTick) {
    if (closeReason != null) {
      return;
    }
    int usable = range.count() - (withTick ? 1 : 0);
    BatchStamper stamper =
        new BatchStamper(
            working,
            ticks,
            assigner,
            ids,
            confirmed.position(),
            new TimestampRange(range.first(), usable));
    if (withAppends && !rework) {
      if (sealDue) {
        sealDue = false;
        seals.stamp(stamper, working);
      }
      stampQueued(stamper);
    }
    Batch batch = stamper.batch();
    if (withTick) {
      ticks.allocate(range.last());
      batch.grant(range.last());
    }
    if (batch.size() > 0) {
      send(batch);
    } else if (withTick) {
      batch.succeed(List.of());
      inFlight.add(batch);
      confirmDone();
    }
  }

  private void stampQueued(BatchStamper stamper) {
    Batch batch = stamper.batch();
    for (PendingAppend head = queue.peek(); head != null; head = queue.peek()) {
      if (batch.bytes() > config.maxBatchBytes()
          || batch.excludes(head.vchannel())
          || isInFlight(head)
          || isIn(batch, head)
          || BatchStamper.ticksFor(head, working) > stamper.ticksLeft()) {
        return;
      }
      if (!settle(head, confirmed) && passesChecks(head)) {
        int segments = stamper.segmentsFor(head);
        if (!ids.has(segments)) {
          fetchIds(segments);
          return;
        }
        stamper.stamp(head);
      }
      queue.poll();
    }
  }

  private static boolean isIn(Batch batch, PendingAppend append) {
    BroadcastId id = append.broadcastId();
    return id != null
        && batch.appends().stream()
            .anyMatch(other ->
                id.equals(other.broadcastId()) && other.vchannel().equals(append.vchannel()));
  }

  private boolean passesChecks(PendingAppend append) {
    try {
      for (WalMessage message : append.request().messages()) {
        AppendChecks.checkState(message, working);
      }
      return true;
    } catch (DbException e) {
      refuse(append, e);
      return false;
    }
  }

  private void fetchIds(int count) {
    asking = true;
    CallContext context =
        new CallContext(Deadline.after(clock, config.tsoTimeout()), name + "/segment-ids");
    ids.ask(context, count)
        .whenComplete((range, failure) ->
            run(() -> {
              asking = false;
              if (failure != null) {
                tsoFailed(unwrap(failure), false);
              } else {
                ids.add(range);
              }
              pump();
            }));
  }

  // ---- in flight

  private void send(Batch batch) {
    inFlight.add(batch);
    CompletableFuture<List<MessageId>> appended = log.append(batch.encoded());
    appended.whenComplete((positions, failure) ->
        run(() -> {
          if (failure != null) {
            batch.fail(unwrap(failure));
          } else {
            batch.succeed(positions);
          }
          confirmDone();
          pump();
        }));
  }

  private void confirmDone() {
    if (confirming) {
      return; // A caller that was answered below has appended again: the loop below goes on.
    }
    confirming = true;
    try {
      for (Batch head = inFlight.peek(); head != null && head.isDone(); head = inFlight.peek()) {
        Throwable failure = head.failure();
        if (failure == null) {
          confirm(head);
        } else {
          failed(head, failure);
        }
        inFlight.poll();
      }
    } finally {
      confirming = false;
    }
    if (closeReason != null && inFlight.isEmpty()) {
      drained.complete(null);
    }
  }

  private void confirm(Batch batch) {
    ticks.confirm(batch.lastTick());
    List<WalUnit> units = batch.size() == 0 ? List.of() : batch.units();
    for (WalUnit unit : units) {
      confirmed.apply(unit);
      count(unit);
    }
    publish(batch, units);
    if (!units.isEmpty()) {
      changes++;
      metrics.appended(batch.size(), batch.bytes());
      sealDue |= closeReason == null && seals.appended(batch.bytes(), confirmed);
    }
    batch.answer();
    for (PendingAppend append : batch.appends()) {
      queue.answered(append);
      metrics.answered(clock.nanoTime() - append.arrivedNanos());
    }
  }

  private void publish(Batch batch, List<WalUnit> units) {
    HybridTs tick = batch.lastTick();
    ticks.sync(tick);
    if (units.isEmpty()) {
      tail.publishTick(tick);
    } else {
      tail.publish(units, batch.lastId(), tick);
    }
    afterSync(tick);
  }

  private void afterSync(HybridTs tick) {
    syncedAtNanos = clock.nanoTime();
    demand.met(tick);
    if (wakeAllDue) {
      wakeAllDue = false;
      tail.wakeAll();
    }
  }

  private void failed(Batch batch, Throwable failure) {
    metrics.failed();
    rework = true;
    ticks.confirm(batch.lastTick());
    for (PendingAppend append : batch.appends()) {
      refuse(append, failure);
    }
    boolean lost =
        !(failure instanceof DbException e)
            || e.code() == ErrorCode.CHANNEL_NOT_AVAILABLE
            || e.code() == ErrorCode.DATA_INTEGRITY;
    if (lost) {
      shut(failure);
      return;
    }
    HybridTs granted = batch.granted();
    if (granted != null) {
      ticks.sync(granted);
      tail.publishTick(granted);
      afterSync(granted);
    }
  }

  private void count(WalUnit unit) {
    for (WalMessage message : unit.messages()) {
      switch (message.body()) {
        case Message.Insert insert -> metrics.inserted(insert.rows().rows());
        case Message.Delete delete -> metrics.deleted(delete.keys().size());
        case Message.CreateSegment _ -> metrics.segmentCreated();
        default -> {}
      }
    }
  }

  // ---- timers

  private void checkSeals() {
    if (closeReason != null) {
      return;
    }
    seals.share(confirmed);
    if (!rework && !seals.due(working).isEmpty()) {
      sealDue = true;
      pump();
    }
  }

  private void armInterval() {
    interval = timers.after(config.tickInterval(), loop, guarded(this::intervalPassed));
  }

  private void intervalPassed() {
    interval = null;
    if (closeReason != null || !tail.isFollowed()) {
      return; // Whoever joins later calls `follow` after it has joined.
    }
    if (clock.nanoTime() - syncedAtNanos < config.tickInterval().toNanos()) {
      tail.wakeAll();
    } else {
      demand.demand(ticks.allocated().plus(1));
      wakeAllDue = true;
      pump();
    }
    armInterval();
  }

  // ---- ending

  private void shut(Throwable reason) {
    if (closeReason != null) {
      return;
    }
    closeReason = reason;
    sealTimer.cancel();
    if (interval != null) {
      interval.cancel();
    }
    metrics.unwatch(gauges);
    seals.leave();
    refuseAll(notHere(reason));
    tail.close(reason);
    closed.complete(reason);
    if (inFlight.isEmpty()) {
      drained.complete(null);
    }
  }

  private void refuseAll(Throwable error) {
    for (PendingAppend head = queue.peek(); head != null; head = queue.peek()) {
      queue.poll();
      refuse(head, error);
    }
  }

  private void refuse(PendingAppend append, Throwable error) {
    queue.answered(append);
    append.reply().completeExceptionally(error);
  }

  private DbException notHere(Throwable reason) {
    return DbException.described(
            ErrorCode.CHANNEL_NOT_AVAILABLE,
            log.pchannel() + " is not open here: " + reason.getMessage())
        .causedBy(reason)
        .asRetriable();
  }

  // ---- the loop

  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        // Only a broken invariant or another bug comes here: the state can't be trusted any more.
        faults.onFault(name, e);
        crash(e);
      }
    };
  }

  /// Ends the channel without trusting its state: what is in flight is answered as unknown.
  private void crash(RuntimeException cause) {
    crashed = true;
    shut(cause);
    log.close();
    for (Batch batch : inFlight) {
      for (PendingAppend append : batch.appends()) {
        append.reply().completeExceptionally(notHere(cause));
      }
    }
    inFlight.clear();
    drained.complete(null);
  }

  private void run(Runnable task) {
    Runnable safe = guarded(task);
    if (loop.isCurrent()) {
      safe.run();
      return;
    }
    try {
      loop.execute(safe);
    } catch (RejectedExecutionException e) {
      // The mailbox is bounded far above what can be queued here, so the loop is closed.
      pumpQueued.set(false);
      refuseInbox(e);
    }
  }

  private void refuseInbox(RejectedExecutionException cause) {
    Consumer<PendingAppend> refuse = append -> append.reply().completeExceptionally(notHere(cause));
    queue.drainInbox(refuse);
  }

  private <T extends @Nullable Object> CompletableFuture<T> onLoop(
      java.util.function.Supplier<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      loop.execute(
          guarded(() -> {
            try {
              result.complete(task.get());
            } catch (RuntimeException e) {
              result.completeExceptionally(e);
              throw e;
            }
          }));
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(notHere(e));
    }
    return result;
  }

  private static Throwable unwrap(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
