package io.elanus.role.query.delegator;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.index.vector.IndexType;
import io.elanus.engine.segment.SearchSpec;
import io.elanus.engine.segment.SegmentFilter;
import io.elanus.role.query.reduce.HitMerge;
import io.elanus.role.query.reduce.HitSource;
import io.elanus.role.query.reduce.MergedHits;
import io.elanus.role.query.search.SegmentSearch;
import io.elanus.role.query.search.Target;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.QueryNodeService.SearchSegments;
import io.elanus.wire.service.QueryNodeService.SegmentHits;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A vector search of a shard.
///
/// Thread-safe: as [ShardRead].
final class SearchRead extends ShardRead {
  private record Call(NodeId node, CompletableFuture<SegmentHits> answer) {}

  private final ReadRequest.Search search;
  private final SearchSpec spec;
  private final List<Call> calls = new ArrayList<>();
  private List<Target> targets = List.of();
  private @Nullable SegmentSearch run;

  SearchRead(
      ShardDelegator shard, CallContext context, ReadRequest.Search search, HybridTs caughtUpAt) {
    super(shard, context, search, caughtUpAt);
    this.search = search;
    ReadRequest.Search.Target wanted = search.target();
    this.spec =
        new SearchSpec(
            wanted.field(),
            wanted.metric(),
            wanted.dim(),
            wanted.vectors(),
            wanted.k(),
            wanted.params());
  }

  private SegmentSearch run() {
    return java.util.Objects.requireNonNull(run);
  }

  @Override
  void prepare(List<Target> local, @Nullable SegmentFilter filter) {
    IndexType type = view().schema().indexType(spec.field());
    if (type != null) {
      spec.paramsFor(type); // Refuses wrong parameters whether or not a segment has the index yet.
    }
    targets = local;
    run = new SegmentSearch(spec, filter, local, shard().deps().pool().threads());
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
    CompletableFuture<SegmentHits> call =
        node.search(context(), new SearchSegments(segments, readTs(), search));
    calls.add(new Call(id, call));
    return call;
  }

  @Override
  void merge() {
    List<HitSource> sources = run().hits();
    long searched = run().searched();
    List<OutputFetch.Remote> remote = new ArrayList<>(calls.size());
    for (Call call : calls) {
      SegmentHits hits = call.answer.join();
      sources.add(new RemoteHits(hits));
      remote.add(new OutputFetch.Remote(call.node, hits.rows()));
      searched += hits.searched();
    }
    MergedHits merged =
        HitMerge.merge(
            sources,
            spec.nq(),
            spec.k(),
            spec.metric().isLargerBetter(),
            view().schema().hasTextKeys());
    long visible = searched;
    new OutputFetch(this, search.outputs(), targets, remote)
        .fetch(
            merged.sources(),
            merged.rows(),
            fields ->
                end(
                    new ReadReply.Hits(
                        merged.counts(), merged.keys(), merged.scores(), fields, visible, cost()),
                    null));
  }
}
