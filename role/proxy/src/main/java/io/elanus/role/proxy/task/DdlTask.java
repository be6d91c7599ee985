package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.check.IndexRules;
import io.elanus.role.proxy.check.Names;
import io.elanus.role.proxy.check.PropertyRules;
import io.elanus.role.proxy.check.SchemaRules;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DdlRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// Checks the form of DDLs and passes them on; what depends on the catalog's state is checked by
/// the coordinator, under its locks.
///
/// Thread-safe.
final class DdlTask {
  /// It is stored with each broadcast and copied to every channel.
  private static final int MAX_IDEMPOTENCY_KEY = 256;

  private final Parts parts;
  private final SchemaRules schemas;

  DdlTask(Parts parts) {
    this.parts = parts;
    ProxyConfig.Schema schema = parts.config().schema();
    this.schemas =
        new SchemaRules(
            new SchemaRules.Bounds(
                schema.maxFields(),
                schema.maxVectorFields(),
                schema.maxDimension(),
                schema.maxVarCharLength(),
                schema.maxShards(),
                schema.maxPartitions()));
  }

  CompletableFuture<CatalogService.DdlReply> run(CallContext context, DdlRequest request) {
    if (context.idempotencyKey().length() > MAX_IDEMPOTENCY_KEY) {
      throw DbException.invalid(
          "length of the idempotency key",
          "at most " + MAX_IDEMPOTENCY_KEY,
          context.idempotencyKey().length());
    }
    return checked(context, request)
        .thenCompose(ready ->
            parts
                .services()
                .catalog()
                .ddl(context, ready)
                .exceptionally(failure -> {
                  throw Parts.named(failure);
                }));
  }

  /// The request after its checks, completed where the proxy has to.
  private CompletableFuture<DdlRequest> checked(CallContext context, DdlRequest request) {
    return switch (request) {
      case DdlRequest.CreateIndex create -> checkIndex(context, create);
      case DdlRequest.AddField add -> checkAddField(context, add);
      case DdlRequest.AlterField alter -> checkAlterField(context, alter);
      case DdlRequest.CreateCollection create -> done(checkCreate(create));
      case DdlRequest.CreatePartition create -> {
        Names.collection(create.collection());
        yield checkPartitionMode(
                context, create.database(), create.collection(), "create partition")
            .thenApply(ok -> {
              Names.partition(create.partition(), true);
              return create;
            });
      }
      case DdlRequest.DropPartition drop -> {
        Names.collection(drop.collection());
        yield checkPartitionMode(context, drop.database(), drop.collection(), "drop partition")
            .thenApply(ok -> {
              Names.partition(drop.partition(), true);
              return drop;
            });
      }
      case DdlRequest.CreateDatabase _,
          DdlRequest.DropDatabase _,
          DdlRequest.AlterDatabase _,
          DdlRequest.DropCollection _,
          DdlRequest.RenameCollection _,
          DdlRequest.AlterCollection _,
          DdlRequest.CreateAlias _,
          DdlRequest.AlterAlias _,
          DdlRequest.DropAlias _,
          DdlRequest.AlterIndex _,
          DdlRequest.DropIndex _,
          DdlRequest.Load _,
          DdlRequest.Release _ -> {
        checkForm(request);
        yield done(request);
      }
    };
  }

  /// Checks that need nothing but the request.
  private static void checkForm(DdlRequest request) {
    switch (request) {
      case DdlRequest.CreateDatabase create -> Names.database(create.name());
      case DdlRequest.DropDatabase drop -> Names.database(drop.name());
      case DdlRequest.DropCollection drop -> Names.collection(drop.name());
      case DdlRequest.RenameCollection rename -> Names.collection(rename.newName());
      case DdlRequest.AlterCollection alter -> {
        Names.collection(alter.name());
        if (!alter.set().isEmpty() && !alter.deleteKeys().isEmpty()) {
          throw DbException.invalid("cannot provide both DeleteKeys and ExtraParams");
        }
        PropertyRules.check(alter.set());
      }
      case DdlRequest.CreateAlias create -> {
        Names.alias(create.alias());
        Names.collection(create.collection());
      }
      case DdlRequest.AlterAlias alter -> {
        Names.alias(alter.alias());
        Names.collection(alter.collection());
      }
      case DdlRequest.DropAlias drop -> Names.alias(drop.alias());
      case DdlRequest.AlterIndex alter -> {
        if (alter.indexName().isEmpty()) {
          throw DbException.invalid("index name is empty");
        }
      }
      case DdlRequest.DropIndex drop -> Names.collection(drop.collection());
      case DdlRequest.Load load -> Names.collection(load.collection());
      case DdlRequest.Release release -> Names.collection(release.collection());
      case DdlRequest.AlterDatabase _,
          DdlRequest.CreateCollection _,
          DdlRequest.CreatePartition _,
          DdlRequest.DropPartition _,
          DdlRequest.CreateIndex _,
          DdlRequest.AddField _,
          DdlRequest.AlterField _ -> {}
    }
  }

  private static CompletableFuture<DdlRequest> done(DdlRequest request) {
    return CompletableFuture.completedFuture(request);
  }

  private CompletableFuture<CachedCollection> checkPartitionMode(
      CallContext context, String database, String collection, String what) {
    return parts
        .collection(context, database, collection)
        .thenApply(cached -> {
          if (cached.partitionKey() != null) {
            throw DbException.invalid("disable " + what + " if partition key mode is used");
          }
          return cached;
        });
  }

  /// 16 partitions when a partition key asks for no number, one shard when the client asks for
  /// none.
  private DdlRequest checkCreate(DdlRequest.CreateCollection create) {
    CollectionSchema schema = create.schema();
    Map<String, String> properties = create.options().properties();
    schemas.checkCollection(schema, create.shards(), create.partitions(), properties);
    List<FieldSchema> fields = new ArrayList<>();
    for (FieldSchema field : schema.fields()) {
      fields.add(trimmed(field));
    }
    boolean hashed = fields.stream().anyMatch(f -> f.flags().partitionKey());
    int partitions = create.partitions();
    if (hashed && partitions == 0) {
      partitions = Math.min(16, parts.config().schema().maxPartitions());
    }
    return new DdlRequest.CreateCollection(
        create.database(),
        new CollectionSchema(
            schema.name(), schema.description(), schema.dynamicFieldEnabled(), 0, fields),
        Math.max(1, create.shards()),
        partitions,
        create.options());
  }

  private static FieldSchema trimmed(FieldSchema field) {
    return field.name().equals(field.name().strip())
        ? field
        : new FieldSchema(
            field.id(),
            field.name().strip(),
            field.description(),
            field.type(),
            field.elementType(),
            field.flags(),
            field.typeParams(),
            field.defaultValue());
  }

  private CompletableFuture<DdlRequest> checkAddField(
      CallContext context, DdlRequest.AddField add) {
    return parts
        .collection(context, add.database(), add.collection())
        .thenApply(collection -> {
          schemas.checkAddedField(add.field(), collection.schema());
          return add;
        });
  }

  private CompletableFuture<DdlRequest> checkAlterField(
      CallContext context, DdlRequest.AlterField alter) {
    Names.collection(alter.collection());
    String length = alter.set().get("max_length");
    return parts
        .collection(context, alter.database(), alter.collection())
        .thenApply(collection -> {
          if (collection.schema().field(alter.field()) == null) {
            throw DbException.invalid(
                "field " + alter.field() + " does not exist in collection " + alter.collection());
          }
          if (length != null) {
            Long value = Params.tryNumber(length);
            if (value == null) {
              throw DbException.invalid("max_length should be an integer, but got " + length);
            }
            schemas.checkMaxLength(alter.field(), value);
          }
          return alter;
        });
  }

  private CompletableFuture<DdlRequest> checkIndex(
      CallContext context, DdlRequest.CreateIndex create) {
    return parts
        .collection(context, create.database(), create.collection())
        .thenApply(collection -> resolved(create, collection));
  }

  private static DdlRequest resolved(DdlRequest.CreateIndex create, CachedCollection collection) {
    Names.index(create.indexName());
    Map<String, String> params = new TreeMap<>(create.userParams());
    FieldSchema field = collection.schema().field(create.field());
    if (field == null) {
      // An unknown name may be a key of the dynamic field: an index on that path of it.
      field = collection.dynamicField();
      if (field == null) {
        throw DbException.invalid("cannot create index on non-exist field: " + create.field());
      }
      params.putIfAbsent("json_path", create.field());
    }
    IndexRules.Resolved rules = IndexRules.resolve(field, params);
    return new DdlRequest.CreateIndex(
        create.database(),
        create.collection(),
        create.field(),
        create.indexName().strip(),
        rules.userParams(),
        rules.buildParams());
  }
}
