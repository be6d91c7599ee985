package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.id.PartitionId;
import io.elanus.base.time.HybridTs;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.ResourceKey;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest.CreatePartition;
import io.elanus.wire.service.DdlRequest.DropPartition;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Create and drop partitions.
///
/// Thread-safe: checks run on the broadcaster's loop.
final class PartitionDdl {
  private final Catalog catalog;
  private final DdlRunner runner;
  private final CoordConfig config;

  PartitionDdl(Catalog catalog, DdlRunner runner, CoordConfig config) {
    this.catalog = catalog;
    this.runner = runner;
    this.config = config;
  }

  /// Keys of a DDL on one collection, which may be named by an alias.
  static List<ResourceKey> keys(Catalog catalog, String database, String collection) {
    return List.of(
        ResourceKey.sharedDatabase(database),
        ResourceKey.exclusiveCollection(database, catalog.realName(database, collection)));
  }

  /// Error 1100: `disable <action> if partition key mode is used`.
  static void refuseWithPartitionKey(CollectionMeta meta, String action) {
    if (SchemaAssembler.hasPartitionKey(meta.schema())) {
      throw DbException.invalid("disable " + action + " if partition key mode is used");
    }
  }

  CompletableFuture<DdlReply> create(CallContext context, CreatePartition request) {
    return runner.run(
        context,
        request,
        () -> keys(catalog, request.database(), request.collection()),
        () -> checkCreate(request));
  }

  private Plan checkCreate(CreatePartition request) {
    CollectionMeta meta = catalog.require(request.database(), request.collection());
    refuseWithPartitionKey(meta, "create partition");
    if (meta.partition(request.partition()) != null) {
      return Plan.NOTHING;
    }
    int limit = config.limits().maxPartitions();
    if (meta.partitions().size() >= limit) {
      throw DbException.invalid(
          "partition number ("
              + meta.partitions().size()
              + ") exceeds max configuration ("
              + limit
              + "), collection: "
              + meta.name());
    }
    CollectionDdl.checkCapacity(catalog, config, meta.shards());
    return Plan.change(
        1,
        id ->
            runner.toAll(
                new Message.CreatePartition(
                    meta.id(),
                    new PartitionMeta(new PartitionId(id), request.partition(), HybridTs.ZERO)),
                meta));
  }

  CompletableFuture<DdlReply> drop(CallContext context, DropPartition request) {
    return runner.run(
        context,
        request,
        () -> keys(catalog, request.database(), request.collection()),
        () -> checkDrop(request));
  }

  private Plan checkDrop(DropPartition request) {
    if (request.partition().equals(PartitionMeta.DEFAULT_NAME)) {
      throw DbException.invalid("default partition cannot be deleted");
    }
    CollectionMeta meta = catalog.require(request.database(), request.collection());
    refuseWithPartitionKey(meta, "drop partition");
    PartitionMeta partition = meta.partition(request.partition());
    if (partition == null) {
      return Plan.NOTHING;
    }
    LoadMeta load = catalog.load(meta.id());
    if (load != null && load.partitions().contains(partition.id())) {
      throw DbException.invalid(
          "partition cannot be dropped, partition is loaded, please release it first");
    }
    return Plan.change(runner.toAll(new Message.DropPartition(meta.id(), partition.id()), meta));
  }
}
