package io.elanus.role.query.delegator;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.ReadPoint;
import io.elanus.engine.segment.SegmentFilter;
import io.elanus.role.query.search.Spread;
import io.elanus.role.query.search.Target;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadReply.Cost;
import io.elanus.wire.service.ReadRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One read of a shard, from its arrival to its answer:
///
/// | state | what happens | next |
/// | --- | --- | --- |
/// | waiting | ServiceTime is below what is needed | ready |
/// | ready | queued for the pool, one task | running |
/// | running | pins a view; other nodes are asked, local segments read here and on idle threads | merging |
/// | merging | whoever ends last merges and fetches outputs | answered |
///
/// Thread-safe: each state hands over to the next through the pool or an atomic count.
abstract class ShardRead implements WaitQueue.Waiter, Spread.Work {
  /// The bound of a read whose caller gave none.
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  private final ShardDelegator shard;
  private final CallContext context;
  private final ReadRequest request;
  private final HybridTs needed;
  private final Deadline deadline;
  private final Clock clock;
  private final CompletableFuture<ReadReply> answer = new CompletableFuture<>();
  private final long arrived;
  private long readyAt;
  private final AtomicInteger partsLeft = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private @Nullable ShardView view;
  private HybridTs readTs = HybridTs.ZERO;

  ShardRead(ShardDelegator shard, CallContext context, ReadRequest request, HybridTs caughtUpAt) {
    this.shard = shard;
    this.context = context;
    this.request = request;
    this.clock = shard.deps().threads().clock();
    this.arrived = clock.nanoTime();
    this.deadline = context.deadline().earlier(Deadline.after(clock, LONGEST_WAIT));
    HybridTs least = HybridTs.max(request.guarantee().guaranteeTs(), caughtUpAt);
    HybridTs fixed = request.guarantee().readTs();
    this.needed = fixed == null ? least : HybridTs.max(least, fixed);
  }

  /// The read for a request. Nothing is read before ServiceTime has passed `caughtUpAt`.
  static ShardRead of(
      ShardDelegator shard, CallContext context, ReadRequest request, HybridTs caughtUpAt) {
    return switch (request) {
      case ReadRequest.Search search -> new SearchRead(shard, context, search, caughtUpAt);
      case ReadRequest.Query query ->
          new RowsRead(shard, context, query, query.outputs(), query.limit(), caughtUpAt);
      case ReadRequest.Count count -> new CountRead(shard, context, count, caughtUpAt);
    };
  }

  CompletableFuture<ReadReply> answer() {
    return answer;
  }

  final ShardDelegator shard() {
    return shard;
  }

  final CallContext context() {
    return context;
  }

  final ShardView view() {
    return java.util.Objects.requireNonNull(view);
  }

  final HybridTs readTs() {
    return readTs;
  }

  @Override
  public final HybridTs needed() {
    return needed;
  }

  @Override
  public final Deadline deadline() {
    return deadline;
  }

  @Override
  public final void ready() {
    readyAt = clock.nanoTime();
    try {
      shard.deps().pool().execute(this::begin);
    } catch (RejectedExecutionException e) {
      failed(DbException.of(ErrorCode.TOO_MANY_REQUESTS).causedBy(e));
    }
  }

  @Override
  public final void failed(Throwable reason) {
    finished(false);
    answer.completeExceptionally(reason);
  }

  private void begin() {
    try {
      if (deadline.hasPassed(clock)) {
        throw DbException.of(ErrorCode.DEADLINE_EXCEEDED, "read waited too long for a thread");
      }
      pinView();
    } catch (RuntimeException e) {
      failed(e);
      return;
    }
    try {
      SegmentFilter filter =
          shard
              .deps()
              .filters()
              .get(view().schema().collection(), view().schema().schema(), request.filter());
      prepare(targets(), filter);
      askOthers();
      Spread.run(shard.deps().pool(), this, helpers());
    } catch (RuntimeException | Error e) {
      partEnded(e);
    }
  }

  /// The moment is chosen before the view, which then has every row up to it. But a view that took
  /// its place between may lack rows that were deleted since: then a later moment is chosen.
  private void pinView() {
    HybridTs fixed = request.guarantee().readTs();
    while (true) {
      readTs = fixed == null ? shard.serviceTime() : fixed;
      ShardView current = shard.pin();
      if (readTs.isAtLeast(current.readableFrom())) {
        view = current;
        return;
      }
      current.unpin();
      if (fixed == null && !shard.serviceTime().isAfter(readTs)) {
        throw shard.unavailable(); // It reads the log first.
      }
      if (fixed != null) {
        throw DbException.described(
            ErrorCode.INCONSISTENT_REQUERY,
            "the read's timestamp "
                + fixed
                + " is older than a compaction, which keeps what is readable from "
                + current.readableFrom()
                + " on");
      }
    }
  }

  private List<Target> targets() {
    ShardSchema schema = view().schema();
    ReadPoint at = ReadPoint.of(readTs, schema.ttlMs());
    List<PartitionId> partitions = request.scope().partitions();
    List<Target> targets = new ArrayList<>(view().local().size());
    for (ShardSegment segment : view().local()) {
      boolean isWanted =
          partitions.isEmpty()
              ? schema.isLoaded(segment.partition())
              : partitions.contains(segment.partition());
      if (isWanted && !(segment.isGrowing() && request.scope().ignoreGrowing())) {
        targets.add(new Target(segment.segment(), at));
      }
    }
    return targets;
  }

  /// Calls other nodes; the local work counts as one part.
  private void askOthers() {
    partsLeft.set(1 + view().remote().size());
    view()
        .remote()
        .forEach((node, segments) -> {
          CompletableFuture<?> call;
          try {
            call = ask(node, shard.deps().nodes().node(node), segments);
          } catch (RuntimeException e) {
            call = CompletableFuture.failedFuture(e);
          }
          call.whenComplete((done, thrown) -> partEnded(thrown));
        });
  }

  /// All local units have ended.
  @Override
  public final void ended(@Nullable Throwable thrown) {
    partEnded(thrown);
  }

  private void partEnded(@Nullable Throwable thrown) {
    if (thrown != null) {
      failure.compareAndSet(
          null,
          thrown instanceof CompletionException && thrown.getCause() != null
              ? thrown.getCause()
              : thrown);
    }
    if (partsLeft.get() == 0 || partsLeft.decrementAndGet() == 0) {
      if (view().remote().isEmpty()) {
        mergeAll();
      } else {
        // The last reply came on a thread of the link: merging belongs on the pool.
        onPool(this::mergeAll);
      }
    }
  }

  final void onPool(Runnable task) {
    try {
      shard.deps().pool().execute(task);
    } catch (RejectedExecutionException e) {
      end(null, DbException.of(ErrorCode.TOO_MANY_REQUESTS).causedBy(e));
    }
  }

  private void mergeAll() {
    Throwable thrown = failure.get();
    if (thrown != null) {
      end(null, thrown);
      return;
    }
    try {
      merge();
    } catch (RuntimeException | Error e) {
      // Whatever it was, the caller is answered and the view let go.
      end(null, e);
    }
  }

  /// Answers and lets go of the view.
  final void end(@Nullable ReadReply reply, @Nullable Throwable thrown) {
    view().unpin();
    finished(reply != null);
    if (reply != null) {
      answer.complete(reply);
    } else {
      answer.completeExceptionally(
          thrown == null ? new IllegalStateException("read ended without an answer") : thrown);
    }
  }

  private void finished(boolean succeeded) {
    long now = clock.nanoTime();
    long waited = readyAt == 0 ? now - arrived : readyAt - arrived;
    shard
        .deps()
        .metrics()
        .readEnded(request instanceof ReadRequest.Search, succeeded, now - arrived, waited);
  }

  final Cost cost() {
    long now = clock.nanoTime();
    return new Cost(
        readTs, (now - readyAt) / 1000, (readyAt - arrived) / 1000, shard.deps().pool().queued());
  }

  /// Before anything is read: `targets` are the local segments.
  abstract void prepare(List<Target> targets, @Nullable SegmentFilter filter);

  abstract int helpers();

  /// Asks another node for its segments.
  abstract CompletableFuture<?> ask(NodeId id, QueryNodeService node, List<SegmentId> segments);

  /// Merges what came, fetches outputs and calls [#end].
  abstract void merge();
}
