package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.wire.meta.AliasMeta;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DdlRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The catalog service: DDL through the broadcaster, look-ups from memory.
///
/// Thread-safe: DDL runs on the broadcaster's loop, look-ups read concurrent maps and answer
/// inline.
final class CatalogFront implements CatalogService {
  private final Catalog catalog;
  private final BooleanSupplier serving;
  private final DatabaseDdl databases;
  private final CollectionDdl collections;
  private final AlterDdl alterations;
  private final PartitionDdl partitions;
  private final AliasDdl aliases;
  private final IndexDdl indexes;
  private final LoadDdl loads;

  CatalogFront(
      Catalog catalog,
      DdlRunner runner,
      ChannelPlacer placer,
      CoordConfig config,
      BooleanSupplier serving) {
    this.catalog = catalog;
    this.serving = serving;
    this.databases = new DatabaseDdl(catalog, runner, config);
    this.collections = new CollectionDdl(catalog, runner, placer, config);
    this.alterations = new AlterDdl(catalog, runner);
    this.partitions = new PartitionDdl(catalog, runner, config);
    this.aliases = new AliasDdl(catalog, runner);
    this.indexes = new IndexDdl(catalog, runner);
    this.loads = new LoadDdl(catalog, runner);
  }

  @Override
  public CompletableFuture<DdlReply> ddl(CallContext context, DdlRequest request) {
    if (!serving.getAsBoolean()) {
      return CompletableFuture.failedFuture(notServing());
    }
    return switch (request) {
      case DdlRequest.CreateDatabase r -> databases.create(context, r);
      case DdlRequest.AlterDatabase r -> databases.alter(context, r);
      case DdlRequest.DropDatabase r -> databases.drop(context, r);
      case DdlRequest.CreateCollection r -> collections.create(context, r);
      case DdlRequest.DropCollection r -> collections.drop(context, r);
      case DdlRequest.RenameCollection r -> collections.rename(context, r);
      case DdlRequest.AlterCollection r -> alterations.collection(context, r);
      case DdlRequest.AlterField r -> alterations.field(context, r);
      case DdlRequest.AddField r -> alterations.addField(context, r);
      case DdlRequest.CreatePartition r -> partitions.create(context, r);
      case DdlRequest.DropPartition r -> partitions.drop(context, r);
      case DdlRequest.CreateAlias r -> aliases.create(context, r);
      case DdlRequest.AlterAlias r -> aliases.alter(context, r);
      case DdlRequest.DropAlias r -> aliases.drop(context, r);
      case DdlRequest.CreateIndex r -> indexes.create(context, r);
      case DdlRequest.AlterIndex r -> indexes.alter(context, r);
      case DdlRequest.DropIndex r -> indexes.drop(context, r);
      case DdlRequest.Load r -> loads.load(context, r);
      case DdlRequest.Release r -> loads.release(context, r);
    };
  }

  private static DbException notServing() {
    return DbException.described(ErrorCode.SERVICE_NOT_READY, "coordinator is not serving");
  }

  private <T> CompletableFuture<T> answer(Supplier<T> read) {
    if (!serving.getAsBoolean()) {
      return CompletableFuture.failedFuture(notServing());
    }
    try {
      return CompletableFuture.completedFuture(read.get());
    } catch (DbException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CollectionView view(CollectionMeta meta) {
    return new CollectionView(meta, catalog.aliasesOf(meta.id()));
  }

  @Override
  public CompletableFuture<CollectionView> collection(CallContext context, FindCollection request) {
    return answer(() -> view(find(request)));
  }

  private CollectionMeta find(FindCollection request) {
    String name = request.name();
    if (name != null) {
      return catalog.require(request.database(), name);
    }
    var id = request.id();
    CollectionMeta meta = id == null ? null : catalog.collection(id);
    if (meta == null) {
      throw DbException.withFields(ErrorCode.COLLECTION_NOT_FOUND, "collection", String.valueOf(id))
          .asInput();
    }
    return meta;
  }

  @Override
  public CompletableFuture<CollectionList> collections(
      CallContext context, ListCollections request) {
    return answer(() -> {
      DatabaseMeta database = catalog.requireDatabase(request.database());
      return new CollectionList(catalog.collectionsOf(database).stream().map(this::view).toList());
    });
  }

  @Override
  public CompletableFuture<DatabaseList> databases(CallContext context, ListDatabases request) {
    return answer(() -> new DatabaseList(catalog.databases()));
  }

  @Override
  public CompletableFuture<AliasView> alias(CallContext context, FindAlias request) {
    return answer(() -> {
      DatabaseMeta database = catalog.requireDatabase(request.database());
      AliasView found = aliasView(catalog.alias(database, request.alias()));
      if (found == null) {
        throw CatalogErrors.aliasNotFound(database.name(), request.alias());
      }
      return found;
    });
  }

  private @Nullable AliasView aliasView(@Nullable AliasMeta alias) {
    CollectionMeta target = alias == null ? null : catalog.collection(alias.collectionId());
    return alias == null || target == null ? null : new AliasView(alias, target.name());
  }

  @Override
  public CompletableFuture<AliasList> aliases(CallContext context, ListAliases request) {
    return answer(() -> {
      DatabaseMeta database = catalog.requireDatabase(request.database());
      String wanted = request.collection();
      CollectionMeta only =
          wanted == null || wanted.isEmpty() ? null : catalog.require(database.name(), wanted);
      List<AliasView> found = new ArrayList<>();
      for (AliasMeta alias : catalog.aliases(database)) {
        AliasView view = aliasView(alias);
        if (view != null && (only == null || only.id().equals(alias.collectionId()))) {
          found.add(view);
        }
      }
      return new AliasList(found);
    });
  }
}
