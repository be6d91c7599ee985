package io.elanus.role.proxy.task;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.WriteReply;
import io.elanus.role.proxy.api.WriteRequest;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.check.Names;
import io.elanus.role.proxy.check.RowAssembly;
import io.elanus.wire.message.Message;
import io.elanus.wire.service.CallContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// Replaces rows by key: on every VChannel the delete of the old rows and the insert of the new
/// ones are one transaction, so that no reader sees neither.
///
/// Thread-safe.
final class UpsertTask {
  private final Parts parts;
  private final WalWriter writer;
  private final StoredRows stored;

  UpsertTask(Parts parts, WalWriter writer, StoredRows stored) {
    this.parts = parts;
    this.writer = writer;
    this.stored = stored;
  }

  CompletableFuture<WriteReply> run(CallContext context, WriteRequest.Upsert request) {
    Names.collection(request.collection());
    InsertTask.checkSize(parts.config(), request.columns());
    return InsertTask.withFreshSchema(
        parts,
        context,
        request,
        request.options().schemaTimestamp(),
        collection ->
            InsertTask.onFittingThread(
                parts, request.columns(), () -> upsert(context, collection, request)));
  }

  private CompletableFuture<WriteReply> upsert(
      CallContext context, CachedCollection collection, WriteRequest.Upsert request) {
    PartitionId partition = InsertTask.partition(collection, request.partition());
    RowAssembly rows = new RowAssembly(collection.schema(), request.columns(), request.rowCount());
    FieldSchema key = collection.primaryKey();
    Column keyColumn = rows.column(key);
    if (keyColumn == null) {
      throw DbException.invalid("must assign pk when upsert, primary field: " + key.name());
    }
    PrimaryKeys keys = PrimaryKeys.ofColumn(keyColumn);
    checkUnique(keys);
    CompletableFuture<Void> merged =
        request.options().partial()
            ? stored.complete(context, collection, partition, rows, keys)
            : CompletableFuture.completedFuture(null);
    return merged.thenCompose(done ->
        key.isAutoId()
            ? InsertTask.keys(parts, context, keys.size(), key)
                .thenCompose(fresh -> {
                  rows.put(key, fresh);
                  return append(context, collection, partition, rows, keys);
                })
            : append(context, collection, partition, rows, keys));
  }

  private static void checkUnique(PrimaryKeys keys) {
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < keys.size(); i++) {
      if (!seen.add(keys.keyAt(i))) {
        throw DbException.invalid("duplicate primary keys are not allowed in the same batch");
      }
    }
  }

  private CompletableFuture<WriteReply> append(
      CallContext context,
      CachedCollection collection,
      PartitionId partition,
      RowAssembly rows,
      PrimaryKeys oldKeys) {
    ColumnBatch batch = rows.build();
    PartitionId deleteFrom =
        collection.partitionKey() == null ? partition : Message.Delete.ALL_PARTITIONS;
    Map<VChannel, List<Message>> messages = new TreeMap<>();
    RowRouter.deletes(collection, deleteFrom, oldKeys)
        .forEach((channel, deletes) -> messages.put(channel, new ArrayList<>(deletes)));
    RowRouter.inserts(collection, partition, batch)
        .forEach((channel, inserts) ->
            messages.computeIfAbsent(channel, c -> new ArrayList<>()).addAll(inserts));
    PrimaryKeys keys = InsertTask.keysOf(collection, batch);
    int count = batch.rows();
    return writer
        .append(context, messages)
        .thenApply(tick -> new WriteReply(keys, count, count, count, tick));
  }
}
