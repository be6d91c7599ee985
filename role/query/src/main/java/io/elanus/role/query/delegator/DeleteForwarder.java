package io.elanus.role.query.delegator;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.base.time.Timers;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.QueryNodeService.ApplyDeletes;
import io.elanus.wire.status.WireStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sends deletes to segments on other nodes, and lets ServiceTime pass a tick only when every
/// delete up to it is acknowledged. A call that fails is repeated until it succeeds, or no view
/// needs the segment there any more, or the node is gone; ServiceTime waits. A node that was known
/// and is gone never comes back under its id, so nothing can be read there without the delete; were
/// it waited for, the view that does without it might wait for ServiceTime in turn.
///
/// Owned by: the shard's loop.
final class DeleteForwarder {
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  private final Loop loop;
  private final Timers timers;
  private final io.elanus.base.time.Clock clock;
  private final NodeLinks<QueryNodeService> nodes;
  private final BiPredicate<NodeId, SegmentId> isNeeded;
  private final Consumer<HybridTs> advance;
  private final ArrayDeque<Step> steps = new ArrayDeque<>();
  private List<CompletableFuture<Done>> current = new ArrayList<>();
  private boolean closed;

  private record Step(HybridTs tick, CompletableFuture<Void> acks) {}

  DeleteForwarder(
      Loop loop,
      DelegatorDeps deps,
      BiPredicate<NodeId, SegmentId> isNeeded,
      Consumer<HybridTs> advance) {
    this.loop = loop;
    this.timers = deps.threads().timers();
    this.clock = deps.threads().clock();
    this.nodes = deps.nodes();
    this.isNeeded = isNeeded;
    this.advance = advance;
  }

  /// Sends deletes; the next [#progress] waits for them, and so does the answer.
  CompletableFuture<Done> send(
      NodeId node, List<SegmentId> segments, PrimaryKeys keys, long[] ticks) {
    CompletableFuture<Done> ack = new CompletableFuture<>();
    attempt(node, segments, keys, ticks, ack);
    current.add(ack);
    return ack;
  }

  private void attempt(
      NodeId node,
      List<SegmentId> segments,
      PrimaryKeys keys,
      long[] ticks,
      CompletableFuture<Done> ack) {
    CompletableFuture<Done> call;
    try {
      CallContext context = new CallContext(Deadline.after(clock, CALL_LIMIT), "forward deletes");
      call = nodes.node(node).applyDeletes(context, new ApplyDeletes(segments, keys, ticks));
    } catch (RuntimeException e) {
      call = CompletableFuture.failedFuture(e);
    }
    call.whenComplete((done, failure) -> {
      if (failure == null || isGone(failure)) {
        ack.complete(Done.INSTANCE);
      } else {
        timers.after(RETRY, loop, () -> retry(node, segments, keys, ticks, ack));
      }
    });
  }

  private static boolean isGone(Throwable failure) {
    return WireStatus.classify(failure).code() == ErrorCode.NODE_NOT_FOUND;
  }

  private void retry(
      NodeId node,
      List<SegmentId> segments,
      PrimaryKeys keys,
      long[] ticks,
      CompletableFuture<Done> ack) {
    List<SegmentId> needed = new ArrayList<>();
    for (SegmentId segment : segments) {
      if (isNeeded.test(node, segment)) {
        needed.add(segment);
      }
    }
    if (closed || needed.isEmpty()) {
      ack.complete(Done.INSTANCE);
    } else {
      attempt(node, needed, keys, ticks, ack);
    }
  }

  /// Everything up to `tick` is applied here: ServiceTime may follow once what was sent is
  /// acknowledged.
  void progress(HybridTs tick) {
    @Nullable CompletableFuture<Void> acks = null;
    if (!current.isEmpty()) {
      acks = CompletableFuture.allOf(current.toArray(new CompletableFuture<?>[0]));
      current = new ArrayList<>();
    }
    if (steps.isEmpty() && (acks == null || acks.isDone())) {
      advance.accept(tick);
      return;
    }
    CompletableFuture<Void> waitFor = acks == null ? CompletableFuture.completedFuture(null) : acks;
    steps.add(new Step(tick, waitFor));
    waitFor.thenRun(() -> loop.runOrExecute(this::settle));
  }

  private void settle() {
    while (!closed && !steps.isEmpty() && steps.peekFirst().acks.isDone()) {
      advance.accept(steps.removeFirst().tick);
    }
  }

  void close() {
    closed = true;
    steps.clear();
  }
}
