package io.elanus.role.proxy.task;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PartitionId;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.role.proxy.api.WriteReply;
import io.elanus.role.proxy.api.WriteRequest;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.check.Names;
import io.elanus.role.proxy.check.RowAssembly;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.TsoService;
import io.elanus.wire.status.WireStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// Inserts rows: checks, automatic keys, defaults, hashing, append.
///
/// Thread-safe.
final class InsertTask {
  static final String ALLOW_INSERT_AUTO_ID = "allow_insert_auto_id";

  /// Requests above this size are checked on the pool, so that event loops stay free.
  private static final long INLINE_BYTES = 1 << 20;

  private final Parts parts;
  private final WalWriter writer;

  InsertTask(Parts parts, WalWriter writer) {
    this.parts = parts;
    this.writer = writer;
  }

  CompletableFuture<WriteReply> run(CallContext context, WriteRequest.Insert request) {
    Names.collection(request.collection());
    checkSize(parts.config(), request.columns());
    return withFreshSchema(
        parts,
        context,
        request,
        request.schemaTimestamp(),
        collection ->
            onFittingThread(parts, request.columns(), () -> insert(context, collection, request)));
  }

  static void checkSize(ProxyConfig config, List<NamedColumn> columns) {
    long max = config.requests().maxInsertBytes();
    if (max >= 0 && sizeBytes(columns) > max) {
      throw DbException.of(
          ErrorCode.PARAMETER_TOO_LARGE, "insert request size exceeds maxInsertSize");
    }
  }

  private static long sizeBytes(List<NamedColumn> columns) {
    long bytes = 0;
    for (NamedColumn column : columns) {
      bytes += column.column().sizeBytes();
    }
    return bytes;
  }

  /// Runs small work here, large work on the pool.
  static <T> CompletableFuture<T> onFittingThread(
      Parts parts,
      List<NamedColumn> columns,
      java.util.function.Supplier<CompletableFuture<T>> work) {
    if (sizeBytes(columns) <= INLINE_BYTES) {
      return work.get();
    }
    return CompletableFuture.supplyAsync(work, parts.heavyWork()).thenCompose(Function.identity());
  }

  /// Runs `work` with the collection's schema. When the log says that the schema is another one by
  /// now (109), the cache is refreshed and the work done once more, unless the client named the
  /// schema it means: then it has to decide.
  static CompletableFuture<WriteReply> withFreshSchema(
      Parts parts,
      CallContext context,
      WriteRequest request,
      long schemaTimestamp,
      Function<CachedCollection, CompletableFuture<WriteReply>> work) {
    return parts
        .collection(context, request.database(), request.collection())
        .thenCompose(collection -> {
          checkSchemaTimestamp(collection, schemaTimestamp);
          CompletableFuture<WriteReply> first = work.apply(collection);
          return first.exceptionallyCompose(failure -> {
            DbException error = WireStatus.classify(failure);
            boolean stale = error.code() == ErrorCode.COLLECTION_SCHEMA_MISMATCH;
            if (stale) {
              forget(parts, request, collection);
            }
            if (!stale || schemaTimestamp != 0) {
              return CompletableFuture.failedFuture(error);
            }
            return parts
                .collection(context, request.database(), request.collection())
                .thenCompose(work);
          });
        });
  }

  private static void forget(Parts parts, WriteRequest request, CachedCollection collection) {
    parts
        .caches()
        .collections()
        .invalidate(request.database(), List.of(request.collection()), collection.id());
  }

  private static void checkSchemaTimestamp(CachedCollection collection, long claimed) {
    long current = collection.meta().updateTs().value();
    if (claimed != 0 && claimed != current) {
      throw DbException.verbatim(
          ErrorCode.COLLECTION_SCHEMA_MISMATCH,
          ErrorCode.COLLECTION_SCHEMA_MISMATCH.text()
              + "[collection="
              + collection.meta().name()
              + "]: schema timestamp "
              + Long.toUnsignedString(claimed)
              + ", current "
              + Long.toUnsignedString(current));
    }
  }

  private CompletableFuture<WriteReply> insert(
      CallContext context, CachedCollection collection, WriteRequest.Insert request) {
    RowAssembly rows = new RowAssembly(collection.schema(), request.columns(), request.rowCount());
    FieldSchema key = collection.primaryKey();
    boolean generate = key.isAutoId();
    if (generate && rows.has(key)) {
      if (!collection.isProperty(ALLOW_INSERT_AUTO_ID, "true")) {
        int fields = collection.schema().fields().size();
        throw DbException.invalid("more fieldData has pass in", fields, fields + 1);
      }
      generate = false;
    }
    PartitionId partition = partition(collection, request.partition());
    if (!generate) {
      return append(context, collection, partition, rows);
    }
    return keys(parts, context, request.rowCount(), key)
        .thenCompose(keys -> {
          rows.put(key, keys);
          return append(context, collection, partition, rows);
        });
  }

  private CompletableFuture<WriteReply> append(
      CallContext context, CachedCollection collection, PartitionId partition, RowAssembly rows) {
    ColumnBatch batch = rows.build();
    PrimaryKeys keys = keysOf(collection, batch);
    return writer
        .append(context, RowRouter.inserts(collection, partition, batch))
        .thenApply(tick -> new WriteReply(keys, batch.rows(), 0, 0, tick));
  }

  static PrimaryKeys keysOf(CachedCollection collection, ColumnBatch rows) {
    return PrimaryKeys.ofColumn(RowRouter.column(rows, collection.primaryKey()));
  }

  /// A column of generated keys.
  static CompletableFuture<Column> keys(
      Parts parts, CallContext context, int count, FieldSchema key) {
    return parts
        .services()
        .tso()
        .allocId(context, new TsoService.AllocId(count))
        .thenApply(range -> {
          ColumnBuilder column = new ColumnBuilder(key.type(), 0, count);
          for (int i = 0; i < count; i++) {
            if (key.type() == DataType.VARCHAR) {
              column.addText(Long.toString(range.first() + i));
            } else {
              column.addInteger(range.first() + i);
            }
          }
          return column.build();
        });
  }

  /// The partition that a write names, `_default` when it names none; refused with a partition key.
  static PartitionId partition(CachedCollection collection, String name) {
    if (collection.partitionKey() != null) {
      if (!name.isEmpty()) {
        throw DbException.invalid(
            "not support manually specifying the partition names if partition key mode is used");
      }
      return collection.hashedPartitions().get(0).id();
    }
    if (name.isEmpty()) {
      return collection.partitionId(PartitionMeta.DEFAULT_NAME);
    }
    Names.partition(name, true);
    return collection.partitionId(name);
  }
}
