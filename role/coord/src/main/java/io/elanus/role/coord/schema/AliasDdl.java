package io.elanus.role.coord.schema;

import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.ResourceKey;
import io.elanus.wire.meta.AliasMeta;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest.AlterAlias;
import io.elanus.wire.service.DdlRequest.CreateAlias;
import io.elanus.wire.service.DdlRequest.DropAlias;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Create, alter and drop aliases. All hold their database exclusively, so a name can't become a
/// collection and an alias at the same time.
///
/// Thread-safe: checks run on the broadcaster's loop.
final class AliasDdl {
  private final Catalog catalog;
  private final DdlRunner runner;

  AliasDdl(Catalog catalog, DdlRunner runner) {
    this.catalog = catalog;
    this.runner = runner;
  }

  private static List<ResourceKey> keys(String database) {
    return List.of(ResourceKey.exclusiveDatabase(database));
  }

  CompletableFuture<DdlReply> create(CallContext context, CreateAlias request) {
    return runner.run(context, request, () -> keys(request.database()), () -> checkCreate(request));
  }

  private Plan checkCreate(CreateAlias request) {
    DatabaseMeta database = catalog.requireDatabase(request.database());
    checkFree(database, request.alias());
    CollectionMeta target = catalog.require(request.database(), request.collection());
    AliasMeta existing = catalog.alias(database, request.alias());
    if (existing == null) {
      return point(database, request.alias(), target);
    }
    if (existing.collectionId().equals(target.id())) {
      return Plan.NOTHING;
    }
    CollectionMeta other = catalog.collection(existing.collectionId());
    throw CatalogErrors.aliasTaken(
        database.name(), request.alias(), other == null ? "" : other.name());
  }

  private void checkFree(DatabaseMeta database, String alias) {
    if (catalog.named(database, alias) != null) {
      throw CatalogErrors.aliasConflict(database.name(), alias);
    }
  }

  private Plan point(DatabaseMeta database, String alias, CollectionMeta target) {
    AliasMeta meta = new AliasMeta(database.id(), alias, target.id(), HybridTs.ZERO);
    return Plan.change(runner.toControl(new Message.AlterAlias(meta)));
  }

  CompletableFuture<DdlReply> alter(CallContext context, AlterAlias request) {
    return runner.run(context, request, () -> keys(request.database()), () -> checkAlter(request));
  }

  private Plan checkAlter(AlterAlias request) {
    DatabaseMeta database = catalog.requireDatabase(request.database());
    checkFree(database, request.alias());
    CollectionMeta target = catalog.require(request.database(), request.collection());
    AliasMeta existing = catalog.alias(database, request.alias());
    if (existing == null) {
      throw CatalogErrors.aliasNotFound(database.name(), request.alias());
    }
    return existing.collectionId().equals(target.id())
        ? Plan.NOTHING
        : point(database, request.alias(), target);
  }

  CompletableFuture<DdlReply> drop(CallContext context, DropAlias request) {
    return runner.run(context, request, () -> keys(request.database()), () -> checkDrop(request));
  }

  private Plan checkDrop(DropAlias request) {
    DatabaseMeta database = catalog.database(request.database());
    if (database == null || catalog.alias(database, request.alias()) == null) {
      return Plan.NOTHING;
    }
    return Plan.change(runner.toControl(new Message.DropAlias(database.id(), request.alias())));
  }
}
