package io.elanus.role.query.delegator;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.HybridTs;
import io.elanus.role.query.load.LoadedSegment;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DelegatorService.GrowingStatus;
import io.elanus.wire.service.DelegatorService.QueryView;
import io.elanus.wire.service.DelegatorService.ShardStatus;
import io.elanus.wire.service.DelegatorService.UpdateView;
import io.elanus.wire.service.DelegatorService.WatchShard;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import io.elanus.wire.service.WalTail;
import io.elanus.wire.service.WalTail.TailBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One shard: follows its WAL into growing segments, keeps ServiceTime, and switches query views.
///
/// A view is switched in one step of the loop: segments that join get the buffered deletes first,
/// then one new [ShardView] holds them and no longer the growing copies of the same rows. Every
/// change of what reads see is such a new view, so a read that pinned one is complete whatever
/// happens meanwhile.
///
/// Owned by: its loop. [#read] and [#status] come from any thread and use volatile state only.
final class ShardDelegator implements WalTail.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(ShardDelegator.class);
  private static final int MAILBOX = 65_536;

  private final VChannel vchannel;
  private final DelegatorDeps deps;
  private final Loop loop;
  private final WaitQueue waiters;
  private final DeleteForwarder forwarder;
  private final Consumer<ShardDelegator> onEnded;
  private final CompletableFuture<Done> caughtUp = new CompletableFuture<>();
  private final GrowingSet growing = new GrowingSet();
  private final DeleteBuffer deletes = new DeleteBuffer();
  private final List<PendingUpdate> updates = new ArrayList<>();
  private final HybridTs catchUpTo;
  private SealedSet sealed = SealedSet.EMPTY;
  private @Nullable SealedSet joining;
  private QueryView queryView;
  private ShardSchema schema;
  private WalTail.@Nullable Subscription subscription;
  private boolean ended;
  private volatile HybridTs serviceTime = HybridTs.ZERO;
  private volatile @Nullable ShardView view;

  private record PendingUpdate(
      UpdateView request, CompletableFuture<CompletableFuture<Void>> answer) {}

  ShardDelegator(WatchShard request, DelegatorDeps deps, Consumer<ShardDelegator> onEnded) {
    this.vchannel = request.recovery().checkpoint().vchannel();
    this.deps = deps;
    this.onEnded = onEnded;
    this.loop = deps.threads().loop("query/delegator/" + vchannel, MAILBOX);
    this.waiters =
        new WaitQueue(
            vchannel,
            deps.config().waitingReads(),
            deps.threads().clock(),
            deps.threads().timers(),
            loop,
            deps.metrics());
    this.forwarder = new DeleteForwarder(loop, deps, this::isNeeded, this::advance);
    this.schema =
        ShardSchema.of(request.recovery().collection(), request.load(), request.indexes());
    this.queryView = request.view();
    this.catchUpTo = HybridTs.of(deps.threads().clock().wallMs(), 0);
  }

  VChannel vchannel() {
    return vchannel;
  }

  HybridTs serviceTime() {
    return serviceTime;
  }

  DelegatorDeps deps() {
    return deps;
  }

  /// Completes when the WAL is caught up.
  CompletableFuture<Done> caughtUp() {
    return caughtUp;
  }

  void start(WatchShard request) {
    loop.execute(() -> {
      try {
        begin(request);
      } catch (RuntimeException e) {
        end(e);
      }
    });
  }

  private void begin(WatchShard request) {
    sealed = SealedSet.hold(request.view(), deps.nodes());
    retire(request.view());
    publish();
    subscription =
        deps.tail().subscribe(vchannel, request.recovery().checkpoint().position(), loop, this);
    deps.tail().demandTick(vchannel, catchUpTo);
  }

  private void retire(QueryView of) {
    List<SegmentId> ids = new ArrayList<>(of.replaced());
    of.segments().forEach(segment -> ids.add(segment.segment()));
    growing.retire(ids);
  }

  /// Makes what is here now the view of reads that start from now on.
  private void publish() {
    List<ShardSegment> local = new ArrayList<>();
    for (LoadedSegment segment : sealed.local().values()) {
      if (!growing.isDropped(segment.partition())) {
        local.add(new ShardSegment(segment.id(), segment.partition(), segment.segment(), false));
      }
    }
    growing.addTo(local);
    ShardView before = view;
    CompletableFuture<Void> drained =
        before == null ? CompletableFuture.completedFuture(null) : before.allDrained();
    view =
        new ShardView(
            queryView.version(), queryView.readableFrom(), schema, local, sealed.remote(), drained);
    if (before != null) {
      before.unpin();
    }
  }

  // The WAL.

  @Override
  public void onBatch(TailBatch batch) {
    if (ended) {
      return;
    }
    try {
      boolean changed = false;
      for (WalMessage message : batch.messages()) {
        changed |= apply(message);
      }
      if (ended) {
        return;
      }
      if (changed) {
        publish();
      }
      deps.metrics().consumed(batch.messages().size());
      forwarder.progress(batch.tick());
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("vchannel", vchannel).setCause(e).log("shard can't follow its WAL");
      end(e);
    }
  }

  /// True when reads need a new view.
  private boolean apply(WalMessage message) {
    return switch (message.body()) {
      case Message.Insert insert -> growing.insert(insert, schema.schema(), message.timeTick());
      case Message.Delete delete -> {
        delete(new DeleteBuffer.Entry(delete.partitionId(), delete.keys(), message.timeTick()));
        yield false;
      }
      case Message.DropPartition drop -> {
        growing.dropPartition(drop.partitionId());
        yield true;
      }
      case Message.AlterCollection alter -> {
        schema = schema.altered(alter.after());
        yield true;
      }
      case Message.DropCollection drop -> {
        end(DbException.withFields(ErrorCode.COLLECTION_NOT_FOUND, "collection", drop.name()));
        yield false;
      }
      case Message.TimeTick _,
          Message.BeginTxn _,
          Message.CommitTxn _,
          Message.RollbackTxn _,
          Message.CreateSegment _,
          Message.Flush _,
          Message.ManualFlush _,
          Message.CreateCollection _,
          Message.CreatePartition _,
          Message.CreateIndex _,
          Message.AlterIndex _,
          Message.DropIndex _,
          Message.AlterLoadConfig _,
          Message.DropLoadConfig _,
          Message.CreateDatabase _,
          Message.AlterDatabase _,
          Message.DropDatabase _,
          Message.AlterAlias _,
          Message.DropAlias _ ->
          false;
    };
  }

  private void delete(DeleteBuffer.Entry delete) {
    long[] ticks = delete.ticks();
    growing.delete(delete, ticks);
    if (queryView.deltaTick().isAtLeast(delete.tick())) {
      return; // Replay: the delta logs that every sealed segment has loaded hold it.
    }
    deletes.add(delete);
    applyTo(sealed, delete, ticks);
    if (joining != null) {
      applyTo(joining, delete, ticks);
    }
  }

  private void applyTo(SealedSet set, DeleteBuffer.Entry delete, long[] ticks) {
    for (LoadedSegment segment : set.local().values()) {
      if (delete.concerns(segment.partition())) {
        segment.segment().applyDeletes(delete.keys(), ticks);
      }
    }
    set.remote().forEach((node, segments) -> forwarder.send(node, segments, delete.keys(), ticks));
  }

  private boolean isNeeded(NodeId node, SegmentId segment) {
    return sealed.contains(node, segment) || (joining != null && joining.contains(node, segment));
  }

  private void advance(HybridTs tick) {
    if (ended || !tick.isAfter(serviceTime)) {
      return;
    }
    serviceTime = tick;
    waiters.advance(tick);
    if (!caughtUp.isDone() && tick.isAtLeast(catchUpTo)) {
      LOG.atInfo()
          .addKeyValue("vchannel", vchannel)
          .addKeyValue("serviceTime", tick)
          .log("shard is served");
      caughtUp.complete(Done.INSTANCE);
    }
  }

  @Override
  public void onClosed(Throwable reason) {
    end(reason);
  }

  // Views.

  /// Answers, once the view is switched, when no read uses an older one.
  CompletableFuture<CompletableFuture<Void>> update(UpdateView request) {
    CompletableFuture<CompletableFuture<Void>> answer = new CompletableFuture<>();
    try {
      loop.execute(() -> {
        updates.add(new PendingUpdate(request, answer));
        if (updates.size() == 1) {
          nextUpdate();
        }
      });
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(unavailable().causedBy(e));
    }
    return answer;
  }

  private void nextUpdate() {
    while (!updates.isEmpty()) {
      PendingUpdate next = updates.get(0);
      if (ended) {
        updates.remove(0);
        next.answer.completeExceptionally(unavailable());
        continue;
      }
      try {
        if (!startUpdate(next)) {
          return;
        }
      } catch (RuntimeException e) {
        updates.remove(0);
        next.answer.completeExceptionally(e);
      }
    }
  }

  /// True when the update has ended; else it goes on when other nodes have acknowledged.
  private boolean startUpdate(PendingUpdate update) {
    QueryView next = update.request.view();
    if (next.version() <= queryView.version()) {
      updates.remove(0);
      update.answer.complete(drained());
      return true;
    }
    if (deletes.trimmedTo().isAfter(next.deltaTick())) {
      throw DbException.described(
          ErrorCode.SERVICE_INTERNAL,
          "view has deletes up to " + next.deltaTick() + ", needed " + deletes.trimmedTo());
    }
    SealedSet set = SealedSet.hold(next, deps.nodes());
    joining = set;
    List<CompletableFuture<Done>> acks = catchUpDeletes(set);
    if (acks.isEmpty()) {
      switchTo(update, set);
      return true;
    }
    CompletableFuture.allOf(acks.toArray(new CompletableFuture<?>[0]))
        .thenRun(() ->
            loop.runOrExecute(() -> {
              if (!ended) {
                switchTo(update, set);
              }
              nextUpdate();
            }));
    return false;
  }

  /// Gives the buffered deletes to the segments that are new in the set.
  private List<CompletableFuture<Done>> catchUpDeletes(SealedSet set) {
    List<CompletableFuture<Done>> acks = new ArrayList<>();
    List<DeleteBuffer.Entry> buffered = deletes.entries();
    for (LoadedSegment segment : set.local().values()) {
      if (sealed.local().containsKey(segment.id())) {
        continue;
      }
      for (DeleteBuffer.Entry delete : buffered) {
        if (delete.concerns(segment.partition())) {
          segment.segment().applyDeletes(delete.keys(), delete.ticks());
        }
      }
    }
    set.remote()
        .forEach((node, segments) -> {
          List<SegmentId> fresh = new ArrayList<>();
          for (SegmentId id : segments) {
            if (!sealed.contains(node, id)) {
              fresh.add(id);
            }
          }
          if (!fresh.isEmpty()) {
            for (DeleteBuffer.Entry delete : buffered) {
              acks.add(forwarder.send(node, fresh, delete.keys(), delete.ticks()));
            }
          }
        });
    return acks;
  }

  private void switchTo(PendingUpdate update, SealedSet set) {
    updates.remove(0);
    joining = null;
    SealedSet old = sealed;
    sealed = set;
    queryView = update.request.view();
    schema = schema.loaded(update.request.load(), update.request.indexes());
    deletes.trim(queryView.deltaTick());
    ShardView before = view;
    // Growing copies leave the set before the new view is made, and live on in older views.
    retire(queryView);
    publish();
    old.release();
    LOG.atInfo()
        .addKeyValue("vchannel", vchannel)
        .addKeyValue("version", queryView.version())
        .addKeyValue("segments", queryView.segments().size())
        .addKeyValue("bufferedDeletes", deletes.size())
        .log("query view switched");
    update.answer.complete(
        before == null ? CompletableFuture.completedFuture(null) : before.allDrained());
  }

  private CompletableFuture<Void> drained() {
    return CompletableFuture.completedFuture(null);
  }

  // Reads.

  CompletableFuture<ReadReply> read(CallContext context, ReadRequest request) {
    ShardRead read = ShardRead.of(this, context, request, catchUpTo);
    HybridTs needed = read.needed();
    HybridTs now = serviceTime;
    if (now.isAtLeast(needed)) {
      read.ready();
      return read.answer();
    }
    long lagMs = needed.physicalMs() - now.physicalMs();
    if (lagMs > deps.config().maxTimestampLag().toMillis()) {
      return CompletableFuture.failedFuture(
          DbException.verbatim(
              ErrorCode.CHANNEL_NOT_AVAILABLE,
              ErrorCode.CHANNEL_NOT_AVAILABLE.text()
                  + "[channel="
                  + vchannel
                  + "]: guarantee timestamp is ahead of the service time by "
                  + lagMs
                  + " ms, at most "
                  + deps.config().maxTimestampLag().toMillis()
                  + " ms are waited for"));
    }
    try {
      if (waiters.add(read)) {
        deps.tail().demandTick(vchannel, needed);
      } else {
        read.ready();
      }
    } catch (RuntimeException e) {
      read.failed(e);
    }
    return read.answer();
  }

  /// The current view, pinned: unpin it after use. Error 503 when the shard is not served.
  ShardView pin() {
    while (true) {
      ShardView current = view;
      if (current == null) {
        throw unavailable();
      }
      if (current.pin()) {
        return current;
      }
    }
  }

  DbException unavailable() {
    return unavailable(vchannel);
  }

  /// The shard is not served here, or not yet: look again where it is.
  static DbException unavailable(VChannel vchannel) {
    return DbException.withFields(ErrorCode.CHANNEL_NOT_AVAILABLE, "channel", vchannel)
        .asRetriable();
  }

  /// Error 503 when the shard is not served.
  ShardStatus status() {
    ShardView current = pin();
    try {
      List<GrowingStatus> status = new ArrayList<>();
      for (ShardSegment segment : current.local()) {
        if (segment.isGrowing()) {
          status.add(
              new GrowingStatus(
                  segment.id(), segment.segment().rows(), segment.segment().memoryBytes()));
        }
      }
      return new ShardStatus(vchannel, serviceTime, current.version(), status);
    } finally {
      current.unpin();
    }
  }

  // The end.

  CompletableFuture<Done> stop() {
    CompletableFuture<Done> answer = new CompletableFuture<>();
    try {
      loop.execute(() -> {
        end(unavailable());
        answer.complete(Done.INSTANCE);
      });
    } catch (RejectedExecutionException e) {
      answer.complete(Done.INSTANCE); // It has ended already.
    }
    return answer;
  }

  private void end(Throwable reason) {
    if (ended) {
      return;
    }
    ended = true;
    onEnded.accept(this);
    if (subscription != null) {
      subscription.cancel();
    }
    forwarder.close();
    waiters.close(reason);
    ShardView last = view;
    view = null;
    if (last != null) {
      last.unpin();
    }
    growing.dropAll();
    sealed.release();
    if (joining != null) {
      joining.release();
      joining = null;
    }
    caughtUp.completeExceptionally(reason);
    if (updates.size() > 0) {
      for (PendingUpdate update : updates) {
        update.answer.completeExceptionally(unavailable().causedBy(reason));
      }
      updates.clear();
    }
    LOG.atInfo()
        .addKeyValue("vchannel", vchannel)
        .addKeyValue("reason", String.valueOf(reason.getMessage()))
        .log("shard is not served any more");
    loop.close();
  }

  /// The keys' kind of the shard, for empty answers.
  static PrimaryKeys noKeys(boolean textKeys) {
    return textKeys ? PrimaryKeys.of(new String[0]) : PrimaryKeys.of(new long[0]);
  }
}
