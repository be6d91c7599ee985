package io.elanus.role.proxy.task;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.PartitionId;
import io.elanus.base.schema.DataType;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.expr.tree.Analysis;
import io.elanus.engine.expr.tree.PrimaryKeyLookup;
import io.elanus.role.proxy.api.WriteReply;
import io.elanus.role.proxy.api.WriteRequest;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.check.Names;
import io.elanus.role.proxy.plan.FilterPlan;
import io.elanus.wire.message.Message;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.ReadRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Deletes rows. A filter that only names keys goes straight to the log, loaded or not; any other
/// one is read first, at a fresh timestamp whatever the level (rule C-07), and what it found is
/// deleted.
///
/// Thread-safe.
final class DeleteTask {
  private final Parts parts;
  private final ShardReads reads;
  private final WalWriter writer;

  DeleteTask(Parts parts, ShardReads reads, WalWriter writer) {
    this.parts = parts;
    this.reads = reads;
    this.writer = writer;
  }

  CompletableFuture<WriteReply> run(CallContext context, WriteRequest.Delete request) {
    Names.collection(request.collection());
    return InsertTask.withFreshSchema(
        parts, context, request, 0, collection -> delete(context, collection, request));
  }

  private CompletableFuture<WriteReply> delete(
      CallContext context, CachedCollection collection, WriteRequest.Delete request) {
    FilterPlan filter = collection.filters().forDelete(request.expression(), request.templates());
    PartitionId partition = Message.Delete.ALL_PARTITIONS;
    if (!request.partition().isEmpty()) {
      partition = InsertTask.partition(collection, request.partition());
    }
    PrimaryKeyLookup lookup = Analysis.primaryKeyLookup(filter.expr());
    if (lookup != null && lookup.isWhole()) {
      return append(context, collection, partition, lookup.keys());
    }
    PartitionId target = partition;
    return find(context, collection, partition, filter)
        .thenCompose(keys -> append(context, collection, target, keys));
  }

  private CompletableFuture<PrimaryKeys> find(
      CallContext context, CachedCollection collection, PartitionId partition, FilterPlan filter) {
    List<PartitionId> partitions =
        partition.equals(Message.Delete.ALL_PARTITIONS) ? List.of() : List.of(partition);
    return reads
        .now(context, collection)
        .thenCompose(guarantee ->
            reads.readAll(
                context,
                collection,
                partitions,
                (route, shard) ->
                    new ReadRequest.Query(
                        new ReadRequest.Scope(shard.vchannel(), collection.id(), partitions, false),
                        guarantee,
                        filter.text(),
                        List.of(),
                        -1)))
        .thenApply(replies -> QueryTask.merge(replies, 0, -1, parts).keys());
  }

  private CompletableFuture<WriteReply> append(
      CallContext context, CachedCollection collection, PartitionId partition, PrimaryKeys keys) {
    if (keys.size() == 0) {
      return parts.timestamps().next(context).thenApply(now -> reply(collection, 0, now));
    }
    return writer
        .append(context, RowRouter.deletes(collection, partition, keys))
        .thenApply(tick -> reply(collection, keys.size(), tick));
  }

  private static WriteReply reply(CachedCollection collection, int deleted, HybridTs tick) {
    PrimaryKeys none =
        collection.primaryKey().type() == DataType.INT64
            ? PrimaryKeys.of(new long[0])
            : PrimaryKeys.of(new String[0]);
    return new WriteReply(none, 0, deleted, 0, tick);
  }
}
