package io.elanus.role.proxy.task;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.check.RowAssembly;
import io.elanus.role.proxy.plan.KeyFilter;
import io.elanus.role.proxy.reduce.DynamicKeys;
import io.elanus.role.proxy.reduce.Ranked;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// Completes partial updates: reads the rows that exist, as of now, and fills in what the client
/// left out. Dynamic keys are merged one by one; a key that is new needs every required field.
///
/// Thread-safe.
final class StoredRows {
  private final Parts parts;
  private final ShardReads reads;

  StoredRows(Parts parts, ShardReads reads) {
    this.parts = parts;
    this.reads = reads;
  }

  CompletableFuture<Void> complete(
      CallContext context,
      CachedCollection collection,
      PartitionId partition,
      RowAssembly rows,
      PrimaryKeys keys) {
    List<PartitionId> partitions =
        collection.partitionKey() == null ? List.of(partition) : List.of();
    List<FieldId> outputs = new ArrayList<>();
    for (FieldSchema field : collection.schema().fields()) {
      if (!field.isPrimaryKey() && (!rows.has(field) || field.isDynamic())) {
        outputs.add(field.id());
      }
    }
    String filter = KeyFilter.text(collection.primaryKey(), keys);
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
                        filter,
                        outputs,
                        -1)))
        .thenAccept(
            replies -> fill(collection, rows, keys, QueryTask.merge(replies, 0, -1, parts)));
  }

  private static void fill(
      CachedCollection collection, RowAssembly rows, PrimaryKeys keys, Ranked stored) {
    Map<Object, Integer> rowOf = new HashMap<>();
    for (int i = 0; i < stored.keys().size(); i++) {
      rowOf.put(stored.keys().keyAt(i), i);
    }
    for (FieldSchema field : collection.schema().fields()) {
      if (field.isPrimaryKey()) {
        continue;
      }
      Column given = rows.column(field);
      if (given == null) {
        rows.put(field, taken(field, keys, rowOf, stored.column(field)));
      } else if (field.isDynamic()) {
        rows.put(field, mergedKeys(given, keys, rowOf, stored.column(field)));
      }
    }
  }

  private static Column taken(
      FieldSchema field, PrimaryKeys keys, Map<Object, Integer> rowOf, Column stored) {
    ColumnBuilder builder = new ColumnBuilder(field.type(), field.dim(), keys.size());
    for (int i = 0; i < keys.size(); i++) {
      Integer row = rowOf.get(keys.keyAt(i));
      if (row != null) {
        builder.addFrom(stored, row);
      } else if (field.defaultValue() != null || field.isNullable() || field.isDynamic()) {
        RowAssembly.addDefault(builder, field);
      } else {
        throw DbException.invalid(
            "fieldSchema(" + field.name() + ") has no corresponding fieldData pass in");
      }
    }
    return builder.build();
  }

  private static Column mergedKeys(
      Column given, PrimaryKeys keys, Map<Object, Integer> rowOf, Column stored) {
    ColumnBuilder builder = new ColumnBuilder(given.type(), 0, keys.size());
    for (int i = 0; i < keys.size(); i++) {
      Integer row = rowOf.get(keys.keyAt(i));
      if (row == null || stored.isNull(row)) {
        builder.addFrom(given, i);
      } else if (given.isNull(i)) {
        builder.addFrom(stored, row);
      } else {
        builder.addBytes(DynamicKeys.merge(stored.bytesAt(row), given.bytesAt(i)));
      }
    }
    return builder.build();
  }
}
