package io.elanus.role.streaming.flush;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.FaultHandler;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.base.time.Timers;
import io.elanus.engine.log.WalLog;
import io.elanus.role.streaming.recovery.FlushPoint;
import io.elanus.role.streaming.recovery.RecoveryStore;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.role.streaming.shard.ShardState;
import io.elanus.role.streaming.tail.ChannelTail;
import io.elanus.role.streaming.tail.TailCursor;
import io.elanus.role.streaming.tail.UnitListener;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import io.elanus.wire.service.DataCoordService.FindChannelRecovery;
import io.elanus.wire.service.TsoService;
import io.elanus.wire.service.TsoService.AllocId;
import io.micrometer.core.instrument.Meter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves one PChannel's rows and deletes to the object store. It takes the confirmed units one
/// after another; a unit that makes it store something (a sealed segment, a ManualFlush, too many
/// deletes) is finished before the next is looked at, so a failing store stops it and the data
/// stays in the WAL.
///
/// After a crash it starts at the smallest flush point and skips, per VChannel, what lies before
/// that VChannel's point, segments that are stored already and deletes up to the stored tick.
///
/// Owned by: its loop, which may block; `needed` may be called from anywhere.
public final class Flusher {
  private static final Logger LOG = LoggerFactory.getLogger(Flusher.class);
  private static final int MAILBOX = 4096;

  /// Segments stored at a time.
  private static final int MAX_PARALLEL = 4;

  private final FlushConfig config;
  private final WalLog log;
  private final ChannelTail tail;
  private final RecoveryStore store;
  private final DataCoordService dataCoord;
  private final TsoService tso;
  private final FaultHandler faults;
  private final FlushBudget budget;
  private final FlushMetrics metrics;
  private final Clock clock;
  private final Timers timers;
  private final Loop loop;
  private final Executor blocking;
  private final String name;
  private final Retry retry;
  private final SegmentFiles files;
  private volatile MessageId needed = MessageId.NONE;
  private volatile HybridTs seen;

  // Everything below is touched on the loop only.
  private final TreeMap<VChannel, ShardFlush> shards = new TreeMap<>();
  private final TreeSet<VChannel> recoveredShards = new TreeSet<>();
  private final MessageId recoveredEnd;
  private final List<VChannel> dropped = new ArrayList<>();
  private final ArrayDeque<Item> pending = new ArrayDeque<>();

  /// VChannels whose flush point should be saved when what is pending has been taken.
  private final TreeSet<VChannel> due = new TreeSet<>();

  private @Nullable TailCursor cursor;
  private Timers.Cancellable timer = () -> {};
  private @Nullable Meter gauge;
  private MessageId next;
  private HybridTs pendingTick = HybridTs.ZERO;
  private MessageId pendingNext = MessageId.NONE;
  private boolean busy;
  private boolean timerDue;
  private boolean stopped;

  /// A message, the unit that it is part of, and whether the unit ends with it.
  private record Item(WalMessage message, MessageId id, WalUnit unit, boolean last) {}

  /// Starts at what was stored: `points` by VChannel; VChannels of `recovered` without one are read
  /// from their creation on.
  public Flusher(FlusherDeps deps, ChannelState recovered, SortedMap<VChannel, FlushPoint> points) {
    FlusherDeps.Services services = deps.services();
    this.config = deps.config();
    this.log = deps.channel().log();
    this.tail = deps.channel().tail();
    this.store = deps.channel().store();
    this.dataCoord = services.dataCoord();
    this.tso = services.tso();
    this.faults = services.faults();
    this.budget = services.memory().budget();
    this.metrics = services.memory().metrics();
    this.clock = services.threads().clock();
    this.timers = services.threads().timers();
    this.name = "streaming/flusher/" + pchannel();
    this.loop = services.threads().blockingLoop(name, MAILBOX);
    this.blocking = services.threads().blocking("streaming/flush/" + pchannel());
    this.retry =
        new Retry(name, loop, timers, services.rng().split(name), config.retryMax(), metrics);
    this.files = new SegmentFiles(services.objects(), log);
    MessageId from = recovered.position().next();
    for (ShardState shard : recovered.shards()) {
      FlushPoint point = points.get(shard.vchannel());
      MessageId start = point == null ? shard.createdAt() : point.position();
      from = least(from, start);
      recoveredShards.add(shard.vchannel());
      if (point != null) {
        shards.put(shard.vchannel(), ShardFlush.recovered(point, budget));
      }
    }
    for (VChannel vchannel : points.keySet()) {
      if (recovered.shard(vchannel) == null) {
        dropped.add(vchannel);
      }
    }
    this.recoveredEnd = recovered.position();
    this.next = from;
    this.needed = from;
    this.seen = recovered.lastTick();
  }

  private PChannel pchannel() {
    return log.pchannel();
  }

  /// Begins to read, as soon as the coordinator has said what is stored.
  public void start() {
    loop.execute(() -> {
      gauge = metrics.watch(pchannel(), () -> seen.physicalMs());
      List<CompletableFuture<?>> asked = new ArrayList<>();
      for (ShardFlush shard : shards.values()) {
        if (shard.start().compareTo(tail.end()) <= 0) {
          asked.add(askStored(shard));
        }
      }
      CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
          .thenRun(() -> onLoop(this::read));
    });
  }

  private CompletableFuture<?> askStored(ShardFlush shard) {
    return retry
        .until(
            "asking what of " + shard.vchannel() + " is stored",
            Retry::isGone,
            () -> dataCoord.channelRecovery(context(), new FindChannelRecovery(shard.vchannel())))
        .thenAccept(
            recovery -> shard.addStored(recovery.segments().stream().map(SegmentMeta::id).toList()))
        .exceptionally(e -> {
          // Gone, or not in the catalog yet: nothing of it is stored.
          return null;
        });
  }

  private void read() {
    if (stopped) {
      return;
    }
    TailCursor opened = tail.cursor(null, next, loop, new Reader());
    cursor = opened;
    timer = timers.every(config.checkpointInterval(), loop, this::onTimer);
    opened.wake();
  }

  /// The first position that is still needed after a crash.
  public MessageId needed() {
    return needed;
  }

  /// Stops; what is not stored is done again by the next owner. Completes when nothing runs any
  /// more.
  public CompletableFuture<Void> close() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(() -> {
      stop();
      done.complete(null);
    });
    return done.thenRun(loop::close);
  }

  private void stop() {
    stopped = true;
    retry.stop();
    timer.cancel();
    if (cursor != null) {
      cursor.cancel();
    }
    if (gauge != null) {
      metrics.unwatch(gauge);
      gauge = null;
    }
    shards.values().forEach(ShardFlush::discard);
    shards.clear();
    pending.clear();
  }

  /// Feeds the flusher; delivers nothing while units are pending.
  private final class Reader implements UnitListener {
    @Override
    public void onUnits(List<WalUnit> units, HybridTs tick, MessageId position) {
      for (WalUnit unit : units) {
        int count = unit.messages().size();
        for (int i = 0; i < count; i++) {
          pending.add(new Item(unit.messages().get(i), unit.ids().get(i), unit, i == count - 1));
        }
      }
      pendingTick = tick;
      pendingNext = position;
      if (cursor != null) {
        cursor.pause();
      }
      proceed();
    }

    @Override
    public void onClosed(Throwable reason) {
      if (!stopped && !tail.isClosed()) {
        faults.onFault(name, reason); // What has to be stored can't be read.
      }
    }
  }

  private void proceed() {
    while (!busy && !stopped) {
      Item item = pending.poll();
      if (item == null) {
        break;
      }
      if (item.last()) {
        // Before the message is taken: a point saved on its account includes it.
        next = item.unit().last().next();
        seen = item.unit().tick();
      }
      CompletableFuture<?> work = take(item);
      if (work != null) {
        await(item.message().body() instanceof Message.Flush ? withFollowing(work) : work);
      }
    }
    if (busy || stopped) {
      return;
    }
    next = pendingNext.isAfter(next) ? pendingNext : next;
    seen = HybridTs.max(seen, pendingTick);
    refreshNeeded();
    if (timerDue) {
      timerDue = false;
      due.clear();
      await(periodic());
      return;
    }
    if (!due.isEmpty()) {
      await(saveDue());
      return;
    }
    if (cursor != null) {
      cursor.resume();
    }
  }

  /// Segments that are sealed one behind the other are stored side by side.
  private CompletableFuture<?> withFollowing(CompletableFuture<?> first) {
    List<CompletableFuture<?>> all = new ArrayList<>(List.of(first));
    for (Item item = pending.peek();
        item != null
            && item.message().body() instanceof Message.Flush flush
            && all.size() < MAX_PARALLEL
            && isInMemory(item.message().vchannel(), flush.segmentId());
        item = pending.peek()) {
      pending.poll();
      next = item.unit().last().next();
      seen = item.unit().tick();
      CompletableFuture<?> work = take(item);
      if (work != null) {
        all.add(work);
      }
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private boolean isInMemory(VChannel vchannel, SegmentId segment) {
    ShardFlush shard = shards.get(vchannel);
    SegmentBuffer buffer = shard == null ? null : shard.buffer(segment);
    return buffer == null || buffer.held() != null;
  }

  private void await(CompletableFuture<?> work) {
    busy = true;
    work.whenComplete((_, failure) ->
        onLoop(() -> {
          busy = false;
          if (failure == null) {
            proceed();
          } else if (!stopped) {
            giveUp(failure);
          }
        }));
  }

  private void giveUp(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    if (cause instanceof DbException e && e.code() == ErrorCode.CHANNEL_NOT_AVAILABLE) {
      LOG.atWarn().addKeyValue("pchannel", pchannel()).log("flusher stops: {}", e.getMessage());
    } else {
      faults.onFault(name, failure);
    }
    stop();
  }

  private void onTimer() {
    timerDue = true;
    if (cursor != null) {
      cursor.wake(); // The tail wakes it for a seal or a large amount only.
    }
    if (!busy && pending.isEmpty()) {
      proceed();
    }
  }

  /// Old deletes are stored, checkpoints that moved are reported.
  private CompletableFuture<?> periodic() {
    CompletableFuture<?> chain = CompletableFuture.completedFuture(null);
    long oldestMs = clock.wallMs() - config.deltaMaxAge().toMillis();
    for (ShardFlush shard : List.copyOf(shards.values())) {
      DeltaBuffer deltas = shard.deltas();
      if (!deltas.isEmpty() && deltas.firstTick().physicalMs() <= oldestMs) {
        chain = then(chain, () -> storeDeltas(shard));
      }
    }
    return then(chain, () -> savePoints(List.copyOf(shards.values())));
  }

  /// The points of shards that stored something, all at once.
  private CompletableFuture<?> saveDue() {
    List<ShardFlush> moved = new ArrayList<>();
    for (VChannel vchannel : due) {
      ShardFlush shard = shards.get(vchannel);
      if (shard != null) {
        moved.add(shard);
      }
    }
    due.clear();
    return savePoints(moved);
  }

  private interface Step {
    CompletableFuture<?> run();
  }

  private CompletableFuture<?> then(CompletableFuture<?> before, Step step) {
    return before.thenCompose(_ -> onLoopNow(step));
  }

  private CompletableFuture<?> onLoopNow(Step step) {
    if (loop.isCurrent()) {
      return step.run();
    }
    CompletableFuture<Object> result = new CompletableFuture<>();
    onLoop(() ->
        step.run()
            .whenComplete((value, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else {
                result.complete(value);
              }
            }));
    return result;
  }

  private @Nullable CompletableFuture<?> take(Item item) {
    WalMessage message = item.message();
    VChannel vchannel = message.vchannel();
    if (vchannel.isControlChannel()) {
      return null;
    }
    ShardFlush shard = shards.get(vchannel);
    if (message.body() instanceof Message.CreateCollection create) {
      boolean droppedLater =
          !item.id().isAfter(recoveredEnd) && !recoveredShards.contains(vchannel);
      if (shard != null || droppedLater) {
        return null;
      }
      shards.put(vchannel, ShardFlush.created(vchannel, item.id(), create.collection(), budget));
      return null;
    }
    if (shard == null || shard.start().isAfter(item.unit().first())) {
      return null;
    }
    return take(shard, item);
  }

  private @Nullable CompletableFuture<?> take(ShardFlush shard, Item item) {
    WalUnit unit = item.unit();
    switch (item.message().body()) {
      case Message.Insert insert -> {
        shard.insert(insert, unit.tick(), unit.first(), unit.last());
        spillIfNeeded();
        return null;
      }
      case Message.Delete delete -> {
        shard.delete(delete, unit.tick(), unit.first());
        return areDeltasFull(shard) ? storeDeltas(shard) : null;
      }
      case Message.Flush flush -> {
        return flushSegment(shard, flush.segmentId());
      }
      case Message.ManualFlush _ -> {
        due.add(shard.vchannel());
        return storeDeltas(shard);
      }
      case Message.AlterCollection alter -> shard.alter(item.id(), alter.after());
      case Message.DropPartition drop -> shard.dropPartition(drop.partitionId());
      case Message.DropCollection _ -> {
        shard.discard();
        tail.dropSeen(shard.vchannel());
        shards.remove(shard.vchannel());
        dropped.add(shard.vchannel());
        due.add(shard.vchannel());
      }
      default -> {}
    }
    return null;
  }

  private boolean areDeltasFull(ShardFlush shard) {
    return shard.deltas().entries() >= config.deltaMaxRows()
        || shard.deltas().bytes() >= config.deltaMaxBytes();
  }

  private void spillIfNeeded() {
    while (budget.isExceeded()) {
      SegmentBuffer largest = null;
      for (ShardFlush shard : shards.values()) {
        for (SegmentBuffer buffer : shard.buffers()) {
          if (buffer.heldBytes() > (largest == null ? 0 : largest.heldBytes())) {
            largest = buffer;
          }
        }
      }
      if (largest == null) {
        return;
      }
      largest.spill();
    }
  }

  // ---- storing

  private @Nullable CompletableFuture<?> flushSegment(ShardFlush shard, SegmentId id) {
    SegmentBuffer buffer = shard.buffer(id);
    if (buffer == null) {
      return null; // Stored before, or it never got a row.
    }
    long startedNanos = clock.nanoTime();
    CompletableFuture<?> reported =
        retry
            .until(
                "storing segment " + id,
                _ -> tail.isDropped(shard.vchannel()),
                () -> CompletableFuture.supplyAsync(() -> write(shard, buffer), blocking))
            .thenCompose(meta ->
                retry
                    .until(
                        "reporting segment " + id,
                        Flusher::isObsolete,
                        () -> dataCoord.reportFlushed(context(), meta))
                    .thenAccept(_ -> flushed(meta, startedNanos)));
    return then(
        obsoleteIsFine(shard, reported),
        () -> {
          shard.forget(buffer);
          due.add(shard.vchannel());
          return CompletableFuture.completedFuture(null);
        });
  }

  private SegmentMeta write(ShardFlush shard, SegmentBuffer buffer) {
    return buffer.held() != null
        ? files.write(shard, buffer)
        : budget.alone(() -> files.write(shard, buffer));
  }

  private void flushed(SegmentMeta meta, long startedNanos) {
    metrics.flushed(meta.stats().rows(), meta.stats().sizeBytes());
    LOG.atInfo()
        .addKeyValue("vchannel", meta.place().vchannel())
        .addKeyValue("segment", meta.id())
        .addKeyValue("rows", meta.stats().rows())
        .addKeyValue("bytes", meta.stats().sizeBytes())
        .addKeyValue("ms", (clock.nanoTime() - startedNanos) / 1_000_000)
        .log("segment stored");
  }

  private CompletableFuture<?> storeDeltas(ShardFlush shard) {
    DeltaBuffer deltas = shard.deltas();
    if (deltas.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<?> reported =
        retry
            .until(
                "an id for a delta log", _ -> false, () -> tso.allocId(context(), new AllocId(1)))
            .thenCompose(range ->
                retry.until(
                    "storing deletes of " + shard.vchannel(),
                    _ -> tail.isDropped(shard.vchannel()),
                    () ->
                        CompletableFuture.completedFuture(
                            files.write(shard, deltas, range.first()))))
            .thenCompose(meta ->
                retry.until(
                    "reporting deletes of " + shard.vchannel(),
                    Flusher::isObsolete,
                    () -> dataCoord.reportDelta(context(), meta)));
    return then(
        obsoleteIsFine(shard, reported),
        () -> {
          metrics.stored(deltas.entries());
          shard.deltasStored(deltas);
          return CompletableFuture.completedFuture(null);
        });
  }

  /// Reports and stores the flush points that moved; the log may be shortened up to them
  /// afterwards.
  private CompletableFuture<?> savePoints(List<ShardFlush> of) {
    List<FlushPoint> moved = new ArrayList<>();
    for (ShardFlush shard : of) {
      FlushPoint point = shard.point(next, seen);
      if (!shard.isSaved(point)) {
        moved.add(point);
      }
    }
    List<CompletableFuture<Boolean>> reports = new ArrayList<>();
    for (FlushPoint point : moved) {
      reports.add(report(point));
    }
    List<VChannel> gone = List.copyOf(dropped);
    return CompletableFuture.allOf(reports.toArray(CompletableFuture[]::new))
        .thenCompose(_ -> onLoopNow(() -> save(moved, reports, gone)));
  }

  /// True when the coordinator knows the point; false when it does not know the collection (yet).
  private CompletableFuture<Boolean> report(FlushPoint point) {
    return retry
        .until(
            "reporting the checkpoint of " + point.vchannel(),
            Retry::isGone,
            () ->
                dataCoord.reportCheckpoint(
                    context(),
                    new ChannelCheckpoint(point.vchannel(), point.position(), point.tick())))
        .handle((_, failure) -> failure == null);
  }

  private CompletableFuture<?> save(
      List<FlushPoint> moved, List<CompletableFuture<Boolean>> reports, List<VChannel> gone) {
    List<FlushPoint> known = new ArrayList<>();
    for (int i = 0; i < moved.size(); i++) {
      if (reports.get(i).join()) {
        known.add(moved.get(i));
      }
    }
    if (known.isEmpty() && gone.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return then(
        retry.until(
            "saving flush points",
            e -> e.code() == ErrorCode.CHANNEL_NOT_AVAILABLE,
            () -> store.saveFlushPoints(known, gone)),
        () -> {
          for (FlushPoint point : known) {
            ShardFlush shard = shards.get(point.vchannel());
            if (shard != null) {
              shard.saved(point);
            }
          }
          dropped.removeAll(gone);
          refreshNeeded();
          return CompletableFuture.completedFuture(null);
        });
  }

  private void refreshNeeded() {
    MessageId least = next;
    for (ShardFlush shard : shards.values()) {
      least = least(least, shard.savedPosition());
    }
    needed = least;
  }

  /// The collection, or the segment's folder, is gone at the coordinator: there is nothing to
  /// store.
  private static boolean isObsolete(DbException e) {
    return Retry.isGone(e) || e.code() == ErrorCode.IO_KEY_NOT_FOUND;
  }

  private CompletableFuture<?> obsoleteIsFine(ShardFlush shard, CompletableFuture<?> work) {
    return work.handle((value, failure) -> {
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      if (cause == null
          || (cause instanceof DbException e
              && (isObsolete(e) || tail.isDropped(shard.vchannel())))) {
        return value;
      }
      throw new CompletionException(cause);
    });
  }

  private CallContext context() {
    return new CallContext(Deadline.after(clock, config.reportTimeout()), name);
  }

  private void onLoop(Runnable task) {
    if (loop.isCurrent()) {
      task.run();
    } else if (!stopped) {
      loop.execute(task);
    }
  }

  private static MessageId least(MessageId a, MessageId b) {
    return a.isAfter(b) ? b : a;
  }
}
