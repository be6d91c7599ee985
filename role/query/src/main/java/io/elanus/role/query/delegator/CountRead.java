package io.elanus.role.query.delegator;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.SegmentFilter;
import io.elanus.role.query.search.SegmentScan;
import io.elanus.role.query.search.Target;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.QueryNodeService.SegmentRows;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// How many rows of a shard pass a filter.
///
/// Thread-safe: as [ShardRead].
final class CountRead extends ShardRead {
  private final ReadRequest.Count request;
  private final List<CompletableFuture<SegmentRows>> calls = new ArrayList<>();
  private @Nullable SegmentScan run;

  CountRead(
      ShardDelegator shard, CallContext context, ReadRequest.Count request, HybridTs caughtUpAt) {
    super(shard, context, request, caughtUpAt);
    this.request = request;
  }

  private SegmentScan run() {
    return java.util.Objects.requireNonNull(run);
  }

  @Override
  void prepare(List<Target> targets, @Nullable SegmentFilter filter) {
    run = new SegmentScan(filter, targets, -1, true);
  }

  @Override
  int helpers() {
    return run().helpers();
  }

  @Override
  public int units() {
    return run().units();
  }

  @Override
  public void unit(int unit) {
    run().unit(unit);
  }

  @Override
  CompletableFuture<?> ask(NodeId id, QueryNodeService node, List<SegmentId> segments) {
    CompletableFuture<SegmentRows> call =
        node.query(context(), RowsRead.remoteRequest(request, segments, readTs(), -1, true));
    calls.add(call);
    return call;
  }

  @Override
  void merge() {
    long total = run().count();
    for (CompletableFuture<SegmentRows> call : calls) {
      total += call.join().count();
    }
    end(new ReadReply.Counted(total, cost()), null);
  }
}
