package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.role.coord.broadcast.BroadcastMessage;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.ResourceKey;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest.CreateCollection;
import io.elanus.wire.service.DdlRequest.DropCollection;
import io.elanus.wire.service.DdlRequest.RenameCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// Create, drop and rename collections.
///
/// Thread-safe: checks run on the broadcaster's loop, which owns the reservations.
final class CollectionDdl {
  private static final String TIMEZONE = "timezone";
  private static final String MAX_COLLECTIONS = "database.max.collections";
  private static final int DEFAULT_KEY_PARTITIONS = 16;

  private final Catalog catalog;
  private final DdlRunner runner;
  private final ChannelPlacer placer;
  private final CoordConfig config;

  // What unfinished creations will take.
  private int reservedCollections;
  private long reservedCapacity;

  CollectionDdl(Catalog catalog, DdlRunner runner, ChannelPlacer placer, CoordConfig config) {
    this.catalog = catalog;
    this.runner = runner;
    this.placer = placer;
    this.config = config;
  }

  CompletableFuture<DdlReply> create(CallContext context, CreateCollection request) {
    String database = request.database();
    String name = request.schema().name();
    return runner.run(
        context,
        request,
        () ->
            List.of(
                ResourceKey.sharedDatabase(database),
                ResourceKey.exclusiveCollection(database, name)),
        () -> checkCreate(request));
  }

  private Plan checkCreate(CreateCollection request) {
    DatabaseMeta database = catalog.requireDatabase(request.database());
    CollectionSchema schema = SchemaAssembler.assemble(request.schema());
    String name = schema.name();
    boolean keyed = SchemaAssembler.hasPartitionKey(schema);
    int shards = Math.max(1, request.shards());
    int partitions =
        keyed ? (request.partitions() > 0 ? request.partitions() : DEFAULT_KEY_PARTITIONS) : 1;
    if (catalog.alias(database, name) != null) {
      throw CatalogErrors.aliasConflict(database.name(), name);
    }
    Draft draft = new Draft(database, schema, shards, partitionNames(keyed, partitions));
    CollectionMeta.Options options =
        new CollectionMeta.Options(
            request.options().consistency(),
            withTimezone(request.options().properties(), database));
    CollectionMeta existing = catalog.named(database, name);
    if (existing != null) {
      if (isSame(existing, draft, options)) {
        return Plan.NOTHING;
      }
      throw DbException.invalid(
          "create duplicate collection with different parameters, collection: " + name);
    }
    checkLimits(database, shards, partitions);
    return reserve(draft, options);
  }

  /// What a collection will be, but for its ids.
  private record Draft(
      DatabaseMeta database, CollectionSchema schema, int shards, List<String> partitions) {}

  private static List<String> partitionNames(boolean keyed, int count) {
    List<String> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      names.add(keyed ? PartitionMeta.DEFAULT_NAME + "_" + i : PartitionMeta.DEFAULT_NAME);
    }
    return names;
  }

  private static Map<String, String> withTimezone(
      Map<String, String> properties, DatabaseMeta database) {
    Map<String, String> complete = new TreeMap<>(properties);
    complete.putIfAbsent(TIMEZONE, database.properties().getOrDefault(TIMEZONE, "UTC"));
    return complete;
  }

  private static boolean isSame(
      CollectionMeta existing, Draft draft, CollectionMeta.Options options) {
    TreeSet<String> partitions = new TreeSet<>();
    existing.partitions().forEach(partition -> partitions.add(partition.name()));
    CollectionSchema schema = existing.schema();
    return existing.shards() == draft.shards()
        && existing.options().equals(options)
        && partitions.equals(new TreeSet<>(draft.partitions()))
        && schema.description().equals(draft.schema().description())
        && schema.dynamicFieldEnabled() == draft.schema().dynamicFieldEnabled()
        && schema.fields().equals(draft.schema().fields());
  }

  private void checkLimits(DatabaseMeta database, int shards, int partitions) {
    CoordConfig.Limits limits = config.limits();
    int channels = config.channels().count();
    if (shards > channels) {
      throw DbException.invalid(
          "shard num (" + shards + ") exceeds max configuration (" + channels + ")");
    }
    if (partitions > limits.maxPartitions()) {
      throw DbException.invalid(
          "partition number ("
              + partitions
              + ") exceeds max configuration ("
              + limits.maxPartitions()
              + ")");
    }
    int perDatabase = maxCollectionsOf(database, limits.maxCollectionsPerDatabase());
    if (catalog.countOf(database) + reservedCollections >= perDatabase) {
      throw tooManyCollections(database, perDatabase);
    }
    if (catalog.count() + reservedCollections >= limits.maxCollections()) {
      throw tooManyCollections(database, limits.maxCollections());
    }
    checkCapacity(catalog, config, reservedCapacity + (long) shards * partitions);
  }

  private static int maxCollectionsOf(DatabaseMeta database, int standard) {
    String own = database.properties().get(MAX_COLLECTIONS);
    if (own == null) {
      return standard;
    }
    try {
      return Integer.parseInt(own);
    } catch (NumberFormatException e) {
      throw DbException.described(
              ErrorCode.SERVICE_INTERNAL,
              "parse value of property fail, key:" + MAX_COLLECTIONS + ", value:" + own)
          .causedBy(e);
    }
  }

  private static DbException tooManyCollections(DatabaseMeta database, int limit) {
    return DbException.withFields(
        ErrorCode.COLLECTION_NUM_LIMIT, "dbName", database.name(), "limit", limit);
  }

  /// Error 250 when `added` more shard-partitions would be too many.
  static void checkCapacity(Catalog catalog, CoordConfig config, long added) {
    long total = catalog.capacity() + added;
    int limit = config.limits().maxCapacity();
    if (total > limit) {
      throw DbException.withFields(
              ErrorCode.GENERAL_CAPACITY_EXCEEDED,
              "newGeneralSize",
              total,
              "generalCapacity",
              limit)
          .inContext(
              "failed checking constraint: sum_collections(parition*shard) exceeding the max"
                  + " general capacity:");
    }
  }

  private Plan reserve(Draft draft, CollectionMeta.Options options) {
    List<PChannel> pchannels = placer.reserve(draft.shards());
    long capacity = (long) draft.shards() * draft.partitions().size();
    reservedCollections++;
    reservedCapacity += capacity;
    Runnable ended =
        () -> {
          placer.free(pchannels);
          reservedCollections--;
          reservedCapacity -= capacity;
        };
    return new Plan.Change(
        1 + draft.partitions().size(), first -> build(draft, options, pchannels, first), ended);
  }

  private BroadcastMessage build(
      Draft draft, CollectionMeta.Options options, List<PChannel> pchannels, long firstId) {
    CollectionId id = new CollectionId(firstId);
    List<VChannel> vchannels = new ArrayList<>(pchannels.size());
    for (int shard = 0; shard < pchannels.size(); shard++) {
      vchannels.add(VChannel.of(pchannels.get(shard), id, shard));
    }
    List<PartitionMeta> partitions = new ArrayList<>(draft.partitions().size());
    for (String name : draft.partitions()) {
      PartitionId partition = new PartitionId(firstId + 1 + partitions.size());
      partitions.add(new PartitionMeta(partition, name, HybridTs.ZERO));
    }
    DatabaseMeta database = draft.database();
    CollectionMeta meta =
        new CollectionMeta(
            new CollectionMeta.Owner(database.id(), database.name(), id),
            draft.schema(),
            vchannels,
            partitions,
            options,
            HybridTs.ZERO,
            HybridTs.ZERO);
    return runner.toAll(new Message.CreateCollection(meta), meta);
  }

  CompletableFuture<DdlReply> drop(CallContext context, DropCollection request) {
    String database = request.database();
    String name = request.name();
    return runner.run(
        context,
        request,
        () ->
            List.of(
                ResourceKey.sharedDatabase(database),
                ResourceKey.exclusiveCollection(database, name)),
        () -> checkDrop(database, name));
  }

  private Plan checkDrop(String databaseName, String name) {
    DatabaseMeta database = catalog.database(databaseName);
    if (database == null) {
      return Plan.NOTHING;
    }
    if (catalog.alias(database, name) != null) {
      throw DbException.invalid("cannot drop the collection via alias = " + name);
    }
    CollectionMeta meta = catalog.named(database, name);
    if (meta == null) {
      return Plan.NOTHING;
    }
    List<String> aliases = catalog.aliasesOf(meta.id());
    if (!aliases.isEmpty()) {
      throw DbException.invalid(
          "unable to drop the collection ["
              + name
              + "] because it has associated aliases "
              + CatalogErrors.list(aliases)
              + ", please remove all aliases before dropping the collection");
    }
    return Plan.change(
        runner.toAll(new Message.DropCollection(database.id(), meta.id(), name), meta));
  }

  CompletableFuture<DdlReply> rename(CallContext context, RenameCollection request) {
    String source = request.database();
    String target = request.newDatabase().isEmpty() ? source : request.newDatabase();
    return runner.run(
        context,
        request,
        () -> {
          ResourceKey first = ResourceKey.exclusiveDatabase(source);
          return source.equals(target)
              ? List.of(first)
              : List.of(first, ResourceKey.exclusiveDatabase(target));
        },
        () -> checkRename(request, target));
  }

  private Plan checkRename(RenameCollection request, String targetName) {
    String newName = request.newName();
    if (newName.isEmpty()) {
      throw DbException.invalid("new collection name should not be empty");
    }
    if (request.database().equals(targetName) && request.name().equals(newName)) {
      throw DbException.invalid("collection name or database name should be different");
    }
    DatabaseMeta target = catalog.requireDatabase(targetName);
    DatabaseMeta source = catalog.requireDatabase(request.database());
    if (catalog.alias(source, request.name()) != null) {
      throw DbException.invalid(
          "unsupported use an alias to rename collection, alias:" + request.name());
    }
    if (catalog.alias(target, newName) != null) {
      throw CatalogErrors.aliasConflict(targetName, newName).asInput();
    }
    if (catalog.named(target, newName) != null) {
      throw DbException.invalid(
          "duplicated new collection name "
              + targetName
              + ":"
              + newName
              + " with other collection name or alias");
    }
    CollectionMeta meta = catalog.named(source, request.name());
    if (meta == null) {
      throw CatalogErrors.collectionNotFound(source.name(), request.name());
    }
    boolean moves = !source.id().equals(target.id());
    if (moves && !catalog.aliasesOf(meta.id()).isEmpty()) {
      throw DbException.invalid(
          "fail to rename db name, must drop all aliases of this collection before rename");
    }
    if (moves) {
      int limit = maxCollectionsOf(target, config.limits().maxCollectionsPerDatabase());
      if (catalog.countOf(target) >= limit) {
        throw tooManyCollections(target, limit);
      }
    }
    CollectionMeta.Owner owner = new CollectionMeta.Owner(target.id(), target.name(), meta.id());
    CollectionMeta after = meta.withSchema(meta.schema().withName(newName)).withOwner(owner);
    return Plan.change(runner.toAll(new Message.AlterCollection(after, meta.name(), false), meta));
  }
}
