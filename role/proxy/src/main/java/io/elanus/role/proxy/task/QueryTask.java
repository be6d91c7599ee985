package io.elanus.role.proxy.task;

import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.error.DbException;
import io.elanus.base.error.Invariant;
import io.elanus.base.id.PartitionId;
import io.elanus.base.schema.DataType;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.role.proxy.api.QueryReply;
import io.elanus.role.proxy.api.QueryRequest;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.check.Names;
import io.elanus.role.proxy.plan.FilterPlan;
import io.elanus.role.proxy.plan.OutputPlan;
import io.elanus.role.proxy.reduce.QueryReduce;
import io.elanus.role.proxy.reduce.Ranked;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// One scalar query: rows by filter in ascending order of their keys, or their count.
///
/// Thread-safe.
final class QueryTask {
  private static final String COUNT = "count(*)";

  private final Parts parts;
  private final ShardReads reads;

  QueryTask(Parts parts, ShardReads reads) {
    this.parts = parts;
    this.reads = reads;
  }

  /// A query after its checks. `limit` is -1 for all rows.
  private record Plan(
      FilterPlan filter,
      OutputPlan outputs,
      List<PartitionId> partitions,
      Page page,
      boolean counting) {}

  private record Page(long offset, long limit, boolean iterating, boolean ignoreGrowing) {
    long depth() {
      return limit < 0 ? -1 : offset + limit;
    }
  }

  CompletableFuture<QueryReply> run(CallContext context, QueryRequest request) {
    Names.collection(request.target().collection());
    return parts
        .collection(context, request.target().database(), request.target().collection())
        .thenCompose(collection -> {
          Plan plan = plan(collection, request);
          return reads
              .guarantee(context, collection, request.consistency(), plan.page().iterating())
              .thenCompose(guarantee ->
                  plan.counting()
                      ? count(context, collection, plan, guarantee)
                      : rows(context, collection, plan, guarantee, request));
        });
  }

  private Plan plan(CachedCollection collection, QueryRequest request) {
    List<PartitionId> partitions = SearchPlan.partitions(collection, request.target());
    Map<String, String> params = request.params();
    for (String key : List.of("group_by_fields", "order_by_fields")) {
      if (!Params.text(params, key).isEmpty()) {
        throw DbException.invalid("query parameter " + key + " is not supported yet");
      }
    }
    Page page = page(collection, params);
    SearchPlan.checkCollectionId(collection, params);
    List<String> asked = request.target().outputFields();
    boolean counting = asked.size() == 1 && asked.get(0).strip().equalsIgnoreCase(COUNT);
    FilterPlan filter =
        collection.filters().forQuery(request.target().filter(), request.target().templates());
    partitions = SearchPlan.pruned(collection, filter, partitions);
    if (counting) {
      if (page.limit() >= 0) {
        throw DbException.invalid("count entities with pagination is not allowed");
      }
      OutputPlan none = OutputPlan.of(List.of(), collection.schema());
      return new Plan(filter, none, partitions, page, true);
    }
    if (request.target().filter().isBlank() && page.limit() < 0) {
      throw DbException.invalid("empty expression should be used with limit");
    }
    OutputPlan outputs = OutputPlan.of(asked, collection.schema());
    // The key is always answered, asked for or not.
    OutputPlan withKey =
        new OutputPlan(outputs.fields(), outputs.names(), outputs.dynamicKeys(), true);
    return new Plan(filter, withKey, partitions, page, false);
  }

  private Page page(CachedCollection collection, Map<String, String> params) {
    Params.strictFlag(params, "reduce_stop_for_best");
    boolean iterating = Params.strictFlag(params, "iterator");
    boolean ignoreGrowing = Params.flag(params, "ignore_growing");
    Long limit = Params.number(params, "limit");
    if (limit == null) {
      return new Page(0, -1, iterating, ignoreGrowing);
    }
    Long offset = Params.number(params, "offset");
    long from = offset == null ? 0 : offset;
    SearchPlan.limits(parts.config(), collection).checkWindow(from, limit);
    return new Page(from, limit, iterating, ignoreGrowing);
  }

  private static ReadRequest.Scope scope(
      CachedCollection collection,
      Plan plan,
      io.elanus.wire.service.QueryCoordService.Shard shard) {
    return new ReadRequest.Scope(
        shard.vchannel(), collection.id(), plan.partitions(), plan.page().ignoreGrowing());
  }

  private CompletableFuture<QueryReply> count(
      CallContext context,
      CachedCollection collection,
      Plan plan,
      ReadRequest.Guarantee guarantee) {
    return reads
        .readAll(
            context,
            collection,
            plan.partitions(),
            (route, shard) ->
                new ReadRequest.Count(
                    scope(collection, plan, shard), guarantee, plan.filter().text()))
        .thenApply(replies -> {
          long total = 0;
          for (ReadReply reply : replies) {
            Invariant.check(
                reply instanceof ReadReply.Counted, "a count was answered by %s", reply);
            total += ((ReadReply.Counted) reply).rows();
          }
          ColumnBuilder column = new ColumnBuilder(DataType.INT64, 0, 1);
          column.addInteger(total);
          return new QueryReply(
              collection.meta().name(),
              List.of(new NamedColumn(COUNT, false, column.build())),
              List.of(COUNT),
              collection.primaryKey().name(),
              HybridTs.ZERO);
        });
  }

  private CompletableFuture<QueryReply> rows(
      CallContext context,
      CachedCollection collection,
      Plan plan,
      ReadRequest.Guarantee guarantee,
      QueryRequest request) {
    return reads
        .readAll(
            context,
            collection,
            plan.partitions(),
            (route, shard) ->
                new ReadRequest.Query(
                    scope(collection, plan, shard),
                    guarantee,
                    plan.filter().text(),
                    plan.outputs().fieldIds(),
                    plan.page().depth()))
        .thenApply(replies -> {
          Ranked rows = merge(replies, plan.page().offset(), plan.page().limit(), parts);
          boolean firstPage =
              plan.page().iterating()
                  && Long.compareUnsigned(request.consistency().guaranteeTimestamp(), 2) <= 0;
          return new QueryReply(
              collection.meta().name(),
              SearchTask.columns(collection, plan.outputs(), rows),
              plan.outputs().names(),
              collection.primaryKey().name(),
              firstPage ? ShardReads.latestRead(replies) : HybridTs.ZERO);
        });
  }

  /// Rows of all shards in one order; error 1100 when they are more bytes than may be answered.
  static Ranked merge(List<ReadReply> replies, long offset, long limit, Parts parts) {
    List<ReadReply.Rows> rows = new ArrayList<>(replies.size());
    long bytes = 0;
    for (ReadReply reply : replies) {
      Invariant.check(reply instanceof ReadReply.Rows, "a query was answered by %s", reply);
      ReadReply.Rows shard = (ReadReply.Rows) reply;
      rows.add(shard);
      bytes += shard.fields().sizeBytes();
    }
    long budget = parts.config().requests().maxOutputBytes();
    if (bytes > budget) {
      throw DbException.invalid("query results exceed the maxOutputSize Limit " + budget);
    }
    return QueryReduce.merge(rows, offset, limit);
  }
}
