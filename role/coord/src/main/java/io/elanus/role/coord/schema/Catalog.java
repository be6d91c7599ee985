package io.elanus.role.coord.schema;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.IndexId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.meta.AliasMeta;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The catalog in memory, and how it is stored (see [CatalogKeys]). Written by ack callbacks after
/// their transaction is durable.
///
/// Thread-safe: readers use concurrent maps of immutable values; writers are on the broadcaster's
/// loop. A name is entered before an old one is removed, so a renamed collection is always found.
public final class Catalog implements CatalogView {
  /// A name within a database.
  private record Name(DatabaseId database, String name) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      int byDatabase = database.compareTo(other.database);
      return byDatabase != 0 ? byDatabase : name.compareTo(other.name);
    }
  }

  /// Stored form of [#starts].
  record Starts(CollectionId collectionId, List<ChannelCheckpoint> channels) {
    Starts {
      channels = List.copyOf(channels);
    }
  }

  private final ConcurrentSkipListMap<String, DatabaseMeta> databases =
      new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<CollectionId, CollectionMeta> collections =
      new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<Name, CollectionId> names = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<Name, AliasMeta> aliases = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<CollectionId, List<String>> aliasesOf =
      new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<CollectionId, List<IndexMeta>> indexes =
      new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<CollectionId, LoadMeta> loads = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<CollectionId, Starts> starts = new ConcurrentSkipListMap<>();
  // Sizes of concurrent maps take a walk over them, so those that limits ask for are kept.
  private final ConcurrentSkipListMap<DatabaseId, Integer> sizes = new ConcurrentSkipListMap<>();
  private volatile int count;
  private volatile long capacity;

  /// Reads everything; makes the default database when there is none.
  public CompletableFuture<Void> load(FencedStore store) {
    return store
        .prefix(CatalogKeys.ROOT)
        .thenCompose(stored -> {
          stored.entries().forEach(this::enter);
          if (databases.containsKey(DatabaseMeta.DEFAULT_NAME)) {
            return CompletableFuture.completedFuture(null);
          }
          DatabaseMeta first =
              new DatabaseMeta(
                  DatabaseMeta.DEFAULT_ID, DatabaseMeta.DEFAULT_NAME, Map.of(), HybridTs.ZERO);
          Txn.Builder txn =
              Txn.builder().put(CatalogKeys.database(first.id()), WireJson.write(first));
          return store.commit(txn).thenRun(() -> putDatabase(first));
        });
  }

  private void enter(KeyValue entry) {
    String key = entry.key();
    byte[] value = entry.value();
    if (key.startsWith(CatalogKeys.DATABASES)) {
      putDatabase(WireJson.read(value, DatabaseMeta.class));
    } else if (key.startsWith(CatalogKeys.COLLECTIONS)) {
      putCollection(WireJson.read(value, CollectionMeta.class));
    } else if (key.startsWith(CatalogKeys.STARTS)) {
      putStarts(WireJson.read(value, Starts.class));
    } else if (key.startsWith(CatalogKeys.ALIASES)) {
      putAlias(WireJson.read(value, AliasMeta.class));
    } else if (key.startsWith(CatalogKeys.INDEXES)) {
      putIndex(WireJson.read(value, IndexMeta.class));
    } else if (key.startsWith(CatalogKeys.LOADS)) {
      putLoad(WireJson.read(value, LoadMeta.class));
    }
  }

  // Reads.

  @Nullable DatabaseMeta database(String name) {
    return databases.get(name);
  }

  /// The database of this name; error 800.
  DatabaseMeta requireDatabase(String name) {
    DatabaseMeta database = databases.get(name);
    if (database == null) {
      throw CatalogErrors.databaseNotFound(name);
    }
    return database;
  }

  /// By name.
  List<DatabaseMeta> databases() {
    return List.copyOf(databases.values());
  }

  @Override
  public @Nullable CollectionMeta collection(CollectionId id) {
    return collections.get(id);
  }

  /// By its own name, not by an alias.
  @Nullable CollectionMeta named(DatabaseMeta database, String name) {
    CollectionId id = names.get(new Name(database.id(), name));
    return id == null ? null : collections.get(id);
  }

  /// By name or alias.
  @Nullable CollectionMeta resolve(DatabaseMeta database, String nameOrAlias) {
    CollectionMeta direct = named(database, nameOrAlias);
    if (direct != null) {
      return direct;
    }
    AliasMeta alias = aliases.get(new Name(database.id(), nameOrAlias));
    return alias == null ? null : collections.get(alias.collectionId());
  }

  /// By name or alias; errors 800 and 100.
  CollectionMeta require(String databaseName, String nameOrAlias) {
    CollectionMeta meta = resolve(requireDatabase(databaseName), nameOrAlias);
    if (meta == null) {
      throw CatalogErrors.collectionNotFound(databaseName, nameOrAlias);
    }
    return meta;
  }

  /// The name behind `nameOrAlias`, or itself when nothing is found; for resource keys.
  String realName(String databaseName, String nameOrAlias) {
    DatabaseMeta database = databases.get(databaseName);
    CollectionMeta meta = database == null ? null : resolve(database, nameOrAlias);
    return meta == null ? nameOrAlias : meta.name();
  }

  @Override
  public List<CollectionMeta> collections() {
    return List.copyOf(collections.values());
  }

  /// Ordered by name.
  List<CollectionMeta> collectionsOf(DatabaseMeta database) {
    List<CollectionMeta> found = new ArrayList<>();
    for (CollectionId id : inDatabase(names, database).values()) {
      CollectionMeta meta = collections.get(id);
      if (meta != null) {
        found.add(meta);
      }
    }
    return found;
  }

  private static <V> Map<Name, V> inDatabase(
      ConcurrentSkipListMap<Name, V> map, DatabaseMeta database) {
    Name from = new Name(database.id(), "");
    Name to = new Name(new DatabaseId(database.id().value() + 1), "");
    return map.subMap(from, true, to, false);
  }

  int countOf(DatabaseMeta database) {
    return sizes.getOrDefault(database.id(), 0);
  }

  boolean isEmpty(DatabaseMeta database) {
    return inDatabase(names, database).isEmpty();
  }

  int count() {
    return count;
  }

  /// Sum over all collections of shards times partitions.
  long capacity() {
    return capacity;
  }

  @Nullable AliasMeta alias(DatabaseMeta database, String alias) {
    return aliasOf(database.id(), alias);
  }

  @Nullable AliasMeta aliasOf(DatabaseId database, String alias) {
    return aliases.get(new Name(database, alias));
  }

  /// Of a database, ordered by name.
  List<AliasMeta> aliases(DatabaseMeta database) {
    return List.copyOf(inDatabase(aliases, database).values());
  }

  /// Of a collection, ordered.
  List<String> aliasesOf(CollectionId id) {
    return aliasesOf.getOrDefault(id, List.of());
  }

  @Override
  public List<IndexMeta> indexes(CollectionId id) {
    return indexes.getOrDefault(id, List.of());
  }

  @Override
  public @Nullable LoadMeta load(CollectionId id) {
    return loads.get(id);
  }

  @Override
  public List<LoadMeta> loads() {
    return List.copyOf(loads.values());
  }

  @Override
  public List<ChannelCheckpoint> starts(CollectionId id) {
    Starts found = starts.get(id);
    return found == null ? List.of() : found.channels();
  }

  // Writes, on the broadcaster's loop only.

  void putDatabase(DatabaseMeta meta) {
    databases.put(meta.name(), meta);
  }

  void removeDatabase(String name) {
    databases.remove(name);
  }

  private static long capacityOf(CollectionMeta meta) {
    return (long) meta.shards() * meta.partitions().size();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // One writer: the broadcaster's loop.
  void putCollection(CollectionMeta meta) {
    CollectionMeta before = collections.put(meta.id(), meta);
    if (before != null) {
      uncount(before);
    }
    count++;
    capacity += capacityOf(meta);
    sizes.merge(meta.owner().databaseId(), 1, Integer::sum);
    Name name = nameOf(meta);
    names.put(name, meta.id());
    if (before != null && !nameOf(before).equals(name)) {
      names.remove(nameOf(before), meta.id());
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // One writer: the broadcaster's loop.
  private void uncount(CollectionMeta meta) {
    count--;
    capacity -= capacityOf(meta);
    sizes.merge(meta.owner().databaseId(), -1, Integer::sum);
  }

  private static Name nameOf(CollectionMeta meta) {
    return new Name(meta.owner().databaseId(), meta.name());
  }

  void removeCollection(CollectionId id) {
    CollectionMeta before = collections.remove(id);
    if (before != null) {
      uncount(before);
      names.remove(nameOf(before), id);
    }
    indexes.remove(id);
    loads.remove(id);
    starts.remove(id);
  }

  void putStarts(Starts meta) {
    starts.put(meta.collectionId(), meta);
  }

  /// Answers what the alias was before.
  @Nullable AliasMeta putAlias(AliasMeta meta) {
    AliasMeta before = aliases.put(new Name(meta.databaseId(), meta.alias()), meta);
    if (before != null) {
      forgetAlias(before);
    }
    List<String> all = new ArrayList<>(aliasesOf(meta.collectionId()));
    all.add(meta.alias());
    all.sort(null);
    aliasesOf.put(meta.collectionId(), List.copyOf(all));
    return before;
  }

  void removeAlias(DatabaseId database, String alias) {
    AliasMeta before = aliases.remove(new Name(database, alias));
    if (before != null) {
      forgetAlias(before);
    }
  }

  private void forgetAlias(AliasMeta meta) {
    List<String> rest = new ArrayList<>(aliasesOf(meta.collectionId()));
    rest.remove(meta.alias());
    if (rest.isEmpty()) {
      aliasesOf.remove(meta.collectionId());
    } else {
      aliasesOf.put(meta.collectionId(), List.copyOf(rest));
    }
  }

  void putIndex(IndexMeta meta) {
    List<IndexMeta> all = new ArrayList<>(indexes(meta.collectionId()));
    all.removeIf(index -> index.id().equals(meta.id()));
    all.add(meta);
    all.sort(Comparator.comparing(IndexMeta::id));
    indexes.put(meta.collectionId(), List.copyOf(all));
  }

  void removeIndex(CollectionId collection, IndexId id) {
    List<IndexMeta> rest = new ArrayList<>(indexes(collection));
    rest.removeIf(index -> index.id().equals(id));
    if (rest.isEmpty()) {
      indexes.remove(collection);
    } else {
      indexes.put(collection, List.copyOf(rest));
    }
  }

  void putLoad(LoadMeta meta) {
    loads.put(meta.collectionId(), meta);
  }

  void removeLoad(CollectionId id) {
    loads.remove(id);
  }
}
