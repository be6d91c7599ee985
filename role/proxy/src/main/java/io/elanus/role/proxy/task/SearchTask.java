package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.Invariant;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.role.proxy.api.SearchReply;
import io.elanus.role.proxy.api.SearchRequest;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.cache.Route;
import io.elanus.role.proxy.plan.OutputPlan;
import io.elanus.role.proxy.reduce.DynamicKeys;
import io.elanus.role.proxy.reduce.Ranked;
import io.elanus.role.proxy.reduce.SearchReduce;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// One vector search: plan, guarantee, shards, reduce.
///
/// Thread-safe.
final class SearchTask {
  private final Parts parts;
  private final ShardReads reads;
  private final SearchPlan.Maker plans;

  SearchTask(Parts parts, ShardReads reads, SearchPlan.Maker plans) {
    this.parts = parts;
    this.reads = reads;
    this.plans = plans;
  }

  /// The hits of a search merged over its shards, with what is needed to answer or to fuse them.
  record Merged(Ranked hits, MetricType metric, long searchedRows, HybridTs readTs) {}

  CompletableFuture<SearchReply> run(CallContext context, SearchRequest request) {
    return parts
        .collection(context, request.target().database(), request.target().collection())
        .thenCompose(collection -> {
          OutputPlan outputs = SearchPlan.outputs(collection, request.target());
          SearchPlan plan = plans.make(collection, request, 0);
          return reads
              .guarantee(context, collection, request.consistency(), plan.options().iterating())
              .thenCompose(g -> search(context, collection, plan, outputs.fieldIds(), g))
              .thenApply(merged -> reply(collection, plan, outputs, request, merged));
        });
  }

  /// Runs a planned search and merges its shards.
  CompletableFuture<Merged> search(
      CallContext context,
      CachedCollection collection,
      SearchPlan plan,
      List<FieldId> outputs,
      ReadRequest.Guarantee guarantee) {
    MetricType[] metric = new MetricType[1];
    return reads
        .readAll(
            context,
            collection,
            plan.options().partitions(),
            (route, shard) -> {
              metric[0] = metric(collection, plan, route);
              return shardRead(collection, plan, outputs, guarantee, shard, metric[0]);
            })
        .thenApply(replies -> merge(plan, replies, metric[0], parts.config()));
  }

  private static ReadRequest shardRead(
      CachedCollection collection,
      SearchPlan plan,
      List<FieldId> outputs,
      ReadRequest.Guarantee guarantee,
      QueryCoordService.Shard shard,
      MetricType metric) {
    SearchIterator iterator = plan.iterator();
    return new ReadRequest.Search(
        new ReadRequest.Scope(
            shard.vchannel(),
            collection.id(),
            plan.options().partitions(),
            plan.options().ignoreGrowing()),
        guarantee,
        plan.filter().text(),
        new ReadRequest.Search.Target(
            plan.field().id(),
            metric,
            plan.field().dim(),
            plan.vectors(),
            plan.window().depth(),
            iterator == null
                ? plan.options().params()
                : iterator.bounded(plan.options().params(), metric)),
        outputs);
  }

  /// The metric of the field's index; error 1100 when the client claims another one.
  private static MetricType metric(CachedCollection collection, SearchPlan plan, Route route) {
    IndexMeta index = route.index(plan.field().id());
    String name = index == null ? null : index.buildParams().get("metric_type");
    if (name == null) {
      throw DbException.withFields(
          ErrorCode.INDEX_NOT_FOUND, "collection", collection.meta().name());
    }
    MetricType metric = MetricType.ofName(name);
    String claimed = plan.options().metric();
    if (!claimed.isEmpty() && !claimed.equalsIgnoreCase(metric.name())) {
      throw DbException.invalid("fail to search: metric type not match", metric.name(), claimed);
    }
    return metric;
  }

  private static Merged merge(
      SearchPlan plan, List<ReadReply> replies, MetricType metric, ProxyConfig config) {
    List<ReadReply.Hits> hits = new ArrayList<>(replies.size());
    long searched = 0;
    long bytes = 0;
    for (ReadReply reply : replies) {
      Invariant.check(reply instanceof ReadReply.Hits, "a search was answered by %s", reply);
      ReadReply.Hits shard = (ReadReply.Hits) reply;
      hits.add(shard);
      searched += shard.searchedRows();
      bytes += shard.fields().sizeBytes();
    }
    long budget = config.requests().maxOutputBytes();
    if (bytes > budget * Math.max(1, hits.size())) {
      throw DbException.invalid("search results exceed the maxOutputSize Limit " + budget);
    }
    Ranked ranked =
        SearchReduce.merge(hits, metric, plan.nq(), plan.window().offset(), plan.window().topK());
    return new Merged(ranked, metric, searched, ShardReads.latestRead(replies));
  }

  private static SearchReply reply(
      CachedCollection collection,
      SearchPlan plan,
      OutputPlan outputs,
      SearchRequest request,
      Merged merged) {
    Ranked hits = merged.hits();
    SearchIterator iterator = plan.iterator();
    float bound = iterator == null ? 0 : iterator.boundAfter(hits.scores(), merged.metric());
    SearchReduce.round(hits.scores(), plan.window().roundDigits());
    boolean firstPage =
        plan.options().iterating()
            && Long.compareUnsigned(request.consistency().guaranteeTimestamp(), 2) <= 0;
    return new SearchReply(
        collection.meta().name(),
        hits.counts(),
        hits.keys(),
        hits.scores(),
        new SearchReply.Fields(
            columns(collection, outputs, hits),
            outputs.names(),
            collection.primaryKey().name(),
            maxOf(hits.counts())),
        merged.searchedRows(),
        new SearchReply.Paging(
            firstPage ? merged.readTs() : HybridTs.ZERO,
            iterator == null ? null : iterator.token(),
            bound));
  }

  static int maxOf(int[] counts) {
    int max = 0;
    for (int count : counts) {
      max = Math.max(max, count);
    }
    return max;
  }

  /// The output columns of ranked rows; the primary key, when asked for, comes from the keys.
  static List<NamedColumn> columns(CachedCollection collection, OutputPlan outputs, Ranked rows) {
    List<NamedColumn> columns = new ArrayList<>(outputs.fields().size() + 1);
    if (outputs.primaryKey()) {
      columns.add(
          new NamedColumn(
              collection.primaryKey().name(),
              false,
              KeyColumns.of(collection.primaryKey(), rows.keys())));
    }
    for (FieldSchema field : outputs.fields()) {
      var column = rows.column(field);
      columns.add(
          new NamedColumn(
              field.name(),
              field.isDynamic(),
              field.isDynamic() ? DynamicKeys.trim(column, outputs.dynamicKeys()) : column));
    }
    return columns;
  }
}
