package io.elanus.role.query.delegator;

import io.elanus.base.id.FieldId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.SegmentFilter;
import io.elanus.role.query.reduce.RowMerge;
import io.elanus.role.query.search.SegmentScan;
import io.elanus.role.query.search.Target;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.QueryNodeService.QuerySegments;
import io.elanus.wire.service.QueryNodeService.SegmentRows;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Rows of a shard by filter, in key order.
///
/// Thread-safe: as [ShardRead].
final class RowsRead extends ShardRead {
  private record Call(NodeId node, CompletableFuture<SegmentRows> answer) {}

  private final ReadRequest request;
  private final List<FieldId> outputs;
  private final long limit;
  private final List<Call> calls = new ArrayList<>();
  private List<Target> targets = List.of();
  private @Nullable SegmentScan run;

  RowsRead(
      ShardDelegator shard,
      CallContext context,
      ReadRequest request,
      List<FieldId> outputs,
      long limit,
      HybridTs caughtUpAt) {
    super(shard, context, request, caughtUpAt);
    this.request = request;
    this.outputs = outputs;
    this.limit = limit;
  }

  private SegmentScan run() {
    return java.util.Objects.requireNonNull(run);
  }

  @Override
  void prepare(List<Target> local, @Nullable SegmentFilter filter) {
    targets = local;
    run = new SegmentScan(filter, local, limit, false);
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
        node.query(context(), remoteRequest(request, segments, readTs(), limit, false));
    calls.add(new Call(id, call));
    return call;
  }

  static QuerySegments remoteRequest(
      ReadRequest request,
      List<SegmentId> segments,
      HybridTs readTs,
      long limit,
      boolean countOnly) {
    List<Long> partitions = new ArrayList<>();
    for (PartitionId partition : request.scope().partitions()) {
      partitions.add(partition.value());
    }
    return new QuerySegments(segments, readTs, request.filter(), partitions, limit, countOnly);
  }

  @Override
  void merge() {
    List<RowMerge.Sorted> sources = run().rows();
    List<OutputFetch.Remote> remote = new ArrayList<>(calls.size());
    for (Call call : calls) {
      SegmentRows rows = call.answer.join();
      int[] indexes = new int[rows.rows().length];
      for (int i = 0; i < indexes.length; i++) {
        indexes[i] = i;
      }
      sources.add(new RowMerge.Sorted(rows.keys(), rows.rowTs(), indexes));
      remote.add(new OutputFetch.Remote(call.node, rows.rows()));
    }
    RowMerge.Merged merged = RowMerge.merge(sources, limit, view().schema().hasTextKeys());
    new OutputFetch(this, outputs, targets, remote)
        .fetch(
            merged.sources(),
            merged.rows(),
            fields -> end(new ReadReply.Rows(merged.keys(), fields, cost()), null));
  }
}
