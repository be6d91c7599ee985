package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.time.HybridTs;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.ResourceKey;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest.AlterDatabase;
import io.elanus.wire.service.DdlRequest.CreateDatabase;
import io.elanus.wire.service.DdlRequest.DropDatabase;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// Create, alter and drop databases.
///
/// Thread-safe: checks run on the broadcaster's loop.
final class DatabaseDdl {
  private final Catalog catalog;
  private final DdlRunner runner;
  private final CoordConfig config;
  private int reserved;

  DatabaseDdl(Catalog catalog, DdlRunner runner, CoordConfig config) {
    this.catalog = catalog;
    this.runner = runner;
    this.config = config;
  }

  private static List<ResourceKey> keys(String database) {
    return List.of(ResourceKey.exclusiveDatabase(database));
  }

  CompletableFuture<DdlReply> create(CallContext context, CreateDatabase request) {
    return runner.run(context, request, () -> keys(request.name()), () -> checkCreate(request));
  }

  private Plan checkCreate(CreateDatabase request) {
    if (catalog.database(request.name()) != null) {
      throw DbException.invalid("database already exist: " + request.name());
    }
    int limit = config.limits().maxDatabases();
    if (catalog.databases().size() + reserved >= limit) {
      throw DbException.withFields(ErrorCode.DATABASE_NUM_LIMIT, "limit", limit);
    }
    PropertyRules.checkTimezone(request.properties());
    reserved++;
    return new Plan.Change(
        1,
        id ->
            runner.toControl(
                new Message.CreateDatabase(
                    new DatabaseMeta(
                        new DatabaseId(id), request.name(), request.properties(), HybridTs.ZERO))),
        () -> reserved--);
  }

  CompletableFuture<DdlReply> alter(CallContext context, AlterDatabase request) {
    return runner.run(context, request, () -> keys(request.name()), () -> checkAlter(request));
  }

  private Plan checkAlter(AlterDatabase request) {
    if (request.set().isEmpty() && request.deleteKeys().isEmpty()) {
      throw DbException.invalid(
          "alter database with empty properties and delete keys, expected to set either"
              + " properties or delete keys");
    }
    if (!request.set().isEmpty() && !request.deleteKeys().isEmpty()) {
      throw DbException.invalid(
          "alter database cannot modify properties and delete keys at the same time");
    }
    PropertyRules.checkTimezone(request.set());
    DatabaseMeta before = catalog.requireDatabase(request.name());
    Map<String, String> properties = new TreeMap<>(before.properties());
    properties.putAll(request.set());
    request.deleteKeys().forEach(properties::remove);
    if (properties.equals(before.properties())) {
      return Plan.NOTHING;
    }
    DatabaseMeta after =
        new DatabaseMeta(before.id(), before.name(), properties, before.createdTs());
    return Plan.change(runner.toControl(new Message.AlterDatabase(after)));
  }

  CompletableFuture<DdlReply> drop(CallContext context, DropDatabase request) {
    return runner.run(
        context, request, () -> keys(request.name()), () -> checkDrop(request.name()));
  }

  private Plan checkDrop(String name) {
    if (name.equals(DatabaseMeta.DEFAULT_NAME)) {
      throw DbException.invalid("can not drop default database");
    }
    DatabaseMeta database = catalog.database(name);
    if (database == null) {
      return Plan.NOTHING;
    }
    if (!catalog.isEmpty(database)) {
      throw DbException.invalid(
          "database:" + name + " not empty, must drop all collections before drop database");
    }
    return Plan.change(runner.toControl(new Message.DropDatabase(database.id(), name)));
  }
}
