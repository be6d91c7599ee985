package io.elanus.role.coord.schema;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.coord.broadcast.AckCallback.Effect;
import io.elanus.role.coord.broadcast.AckCallbacks;
import io.elanus.role.coord.broadcast.Acked;
import io.elanus.role.coord.part.CatalogListener;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageType;
import io.elanus.wire.meta.AliasMeta;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The ack callbacks of the catalog: its only writers. Each computes the new values from the
/// message and the catalog as it is, so running one again gives the same.
///
/// Owned by: the broadcaster's loop.
final class CatalogCallbacks {
  private static final CollectionId NO_COLLECTION = new CollectionId(0);

  private final Catalog catalog;
  private final ChannelPlacer placer;
  private final ProxyInvalidator proxies;
  private final List<CatalogListener> listeners;

  /// `listeners` may be added to until the first broadcast.
  CatalogCallbacks(
      Catalog catalog,
      ChannelPlacer placer,
      ProxyInvalidator proxies,
      List<CatalogListener> listeners) {
    this.catalog = catalog;
    this.placer = placer;
    this.proxies = proxies;
    this.listeners = listeners;
  }

  void register(AckCallbacks registry) {
    for (MessageType type : MessageType.values()) {
      switch (type) {
        case CREATE_COLLECTION,
            DROP_COLLECTION,
            ALTER_COLLECTION,
            CREATE_PARTITION,
            DROP_PARTITION,
            CREATE_INDEX,
            ALTER_INDEX,
            DROP_INDEX,
            ALTER_LOAD_CONFIG,
            DROP_LOAD_CONFIG,
            CREATE_DATABASE,
            ALTER_DATABASE,
            DROP_DATABASE,
            ALTER_ALIAS,
            DROP_ALIAS ->
            registry.on(type, this::apply);
        case TIME_TICK,
            INSERT,
            DELETE,
            BEGIN_TXN,
            COMMIT_TXN,
            ROLLBACK_TXN,
            CREATE_SEGMENT,
            FLUSH,
            MANUAL_FLUSH -> {}
      }
    }
  }

  private Effect apply(Acked acked) {
    return switch (acked.message()) {
      case Message.CreateCollection m -> createCollection(m.collection(), acked);
      case Message.DropCollection m -> dropCollection(m.collectionId());
      case Message.AlterCollection m -> alterCollection(m, acked);
      case Message.CreatePartition m -> createPartition(m, acked);
      case Message.DropPartition m -> dropPartition(m.collectionId(), m.partitionId());
      case Message.CreateIndex m -> createIndex(m.index(), acked);
      case Message.AlterIndex m -> alterIndex(m.after());
      case Message.DropIndex m -> dropIndexes(m.collectionId(), m.indexIds());
      case Message.AlterLoadConfig m -> alterLoad(m.load(), acked);
      case Message.DropLoadConfig m -> dropLoad(m.collectionId());
      case Message.CreateDatabase m -> putDatabase(m.database(), acked);
      case Message.AlterDatabase m -> putDatabase(m.after(), acked);
      case Message.DropDatabase m -> dropDatabase(m);
      case Message.AlterAlias m -> putAlias(m.alias(), acked);
      case Message.DropAlias m -> dropAlias(m);
      case Message.TimeTick _,
          Message.Insert _,
          Message.Delete _,
          Message.BeginTxn _,
          Message.CommitTxn _,
          Message.RollbackTxn _,
          Message.CreateSegment _,
          Message.Flush _,
          Message.ManualFlush _ ->
          throw new IllegalStateException(acked.message().type() + " is not a broadcast");
    };
  }

  private static HybridTs orElse(HybridTs given, HybridTs tick) {
    return given.equals(HybridTs.ZERO) ? tick : given;
  }

  private void tell(Consumer<CatalogListener> event) {
    listeners.forEach(event);
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<Void> invalidate(CollectionMeta meta) {
    List<String> names = new ArrayList<>(catalog.aliasesOf(meta.id()));
    names.add(meta.name());
    return proxies.invalidate(meta.owner().databaseName(), names, meta.id());
  }

  private CompletableFuture<Void> invalidate(CollectionId id) {
    CollectionMeta meta = catalog.collection(id);
    return meta == null ? done() : invalidate(meta);
  }

  private Effect createCollection(CollectionMeta drafted, Acked acked) {
    List<PartitionMeta> partitions = new ArrayList<>(drafted.partitions().size());
    for (PartitionMeta partition : drafted.partitions()) {
      partitions.add(timed(partition, acked.controlTick()));
    }
    CollectionMeta meta =
        drafted.withPartitions(partitions).withTimes(acked.controlTick(), acked.largestTick());
    List<ChannelCheckpoint> channels = new ArrayList<>(meta.shards());
    for (Acked.Copy copy : acked.copies()) {
      if (!copy.vchannel().isControlChannel()) {
        channels.add(new ChannelCheckpoint(copy.vchannel(), copy.position(), copy.tick()));
      }
    }
    Catalog.Starts starts = new Catalog.Starts(meta.id(), channels);
    Txn.Builder txn =
        Txn.builder()
            .put(CatalogKeys.collection(meta.id()), WireJson.write(meta))
            .put(CatalogKeys.starts(meta.id()), WireJson.write(starts));
    return new Effect(
        txn,
        () -> {
          if (catalog.collection(meta.id()) == null) {
            placer.add(meta);
          }
          catalog.putStarts(starts);
          catalog.putCollection(meta);
          tell(listener -> listener.collectionCreated(meta));
          return invalidate(meta);
        });
  }

  private static PartitionMeta timed(PartitionMeta partition, HybridTs tick) {
    return new PartitionMeta(partition.id(), partition.name(), orElse(partition.createdTs(), tick));
  }

  private Effect dropCollection(CollectionId id) {
    CollectionMeta meta = catalog.collection(id);
    if (meta == null) {
      return Effect.none();
    }
    Txn.Builder txn =
        Txn.builder()
            .delete(CatalogKeys.collection(id))
            .delete(CatalogKeys.starts(id))
            .delete(CatalogKeys.load(id))
            .deletePrefix(CatalogKeys.indexes(id));
    return new Effect(
        txn,
        () -> {
          if (catalog.collection(id) != null) {
            placer.remove(meta);
            catalog.removeCollection(id);
          }
          tell(listener -> listener.collectionDropped(meta));
          return invalidate(meta);
        });
  }

  private Effect alterCollection(Message.AlterCollection message, Acked acked) {
    CollectionMeta before = catalog.collection(message.after().id());
    if (before == null) {
      return Effect.none();
    }
    HybridTs updateTs = message.schemaChanged() ? acked.largestTick() : before.updateTs();
    CollectionMeta after = message.after().withTimes(before.createdTs(), updateTs);
    return new Effect(
        Txn.builder().put(CatalogKeys.collection(after.id()), WireJson.write(after)),
        () -> {
          catalog.putCollection(after);
          tell(listener -> listener.collectionAltered(after));
          CompletableFuture<Void> now = invalidate(after);
          return after.name().equals(message.nameBefore()) && after.owner().equals(before.owner())
              ? now
              : now.thenCompose(_ ->
                  proxies.invalidate(
                      before.owner().databaseName(), List.of(message.nameBefore()), after.id()));
        });
  }

  private Effect createPartition(Message.CreatePartition message, Acked acked) {
    CollectionMeta before = catalog.collection(message.collectionId());
    if (before == null) {
      return Effect.none();
    }
    PartitionMeta partition = timed(message.partition(), acked.controlTick());
    List<PartitionMeta> partitions = new ArrayList<>(before.partitions());
    partitions.removeIf(other -> other.id().equals(partition.id()));
    partitions.add(partition);
    CollectionMeta after = before.withPartitions(partitions);
    LoadMeta load = extended(catalog.load(after.id()), partition.id());
    Txn.Builder txn = Txn.builder().put(CatalogKeys.collection(after.id()), WireJson.write(after));
    if (load != null) {
      txn.put(CatalogKeys.load(after.id()), WireJson.write(load));
    }
    return new Effect(
        txn,
        () -> {
          catalog.putCollection(after);
          tell(listener -> listener.collectionAltered(after));
          if (load != null) {
            catalog.putLoad(load);
            tell(listener -> listener.loadChanged(load));
          }
          return invalidate(after);
        });
  }

  /// Partitions made later belong to the load of a whole collection.
  private static @Nullable LoadMeta extended(@Nullable LoadMeta load, PartitionId added) {
    if (load == null || !load.wholeCollection() || load.partitions().contains(added)) {
      return null;
    }
    List<PartitionId> partitions = new ArrayList<>(load.partitions());
    partitions.add(added);
    return new LoadMeta(
        load.collectionId(), true, partitions, load.fields(), load.replicas(), load.createdTs());
  }

  private Effect dropPartition(CollectionId id, PartitionId partitionId) {
    CollectionMeta before = catalog.collection(id);
    PartitionMeta partition = before == null ? null : before.partition(partitionId);
    if (before == null || partition == null) {
      return Effect.none();
    }
    List<PartitionMeta> partitions = new ArrayList<>(before.partitions());
    partitions.remove(partition);
    CollectionMeta after = before.withPartitions(partitions);
    return new Effect(
        Txn.builder().put(CatalogKeys.collection(id), WireJson.write(after)),
        () -> {
          catalog.putCollection(after);
          tell(listener -> listener.partitionDropped(after, partition));
          return invalidate(after);
        });
  }

  private Effect createIndex(IndexMeta drafted, Acked acked) {
    if (catalog.collection(drafted.collectionId()) == null) {
      return Effect.none();
    }
    IndexMeta index =
        new IndexMeta(
            drafted.id(),
            drafted.collectionId(),
            drafted.fieldId(),
            drafted.name(),
            drafted.userParams(),
            drafted.buildParams(),
            orElse(drafted.createdTs(), acked.controlTick()));
    return putIndex(index, () -> tell(listener -> listener.indexCreated(index)));
  }

  private Effect alterIndex(IndexMeta after) {
    if (catalog.collection(after.collectionId()) == null) {
      return Effect.none();
    }
    return putIndex(after, () -> tell(listener -> listener.indexAltered(after)));
  }

  private Effect putIndex(IndexMeta index, Runnable told) {
    return new Effect(
        Txn.builder()
            .put(CatalogKeys.index(index.collectionId(), index.id()), WireJson.write(index)),
        () -> {
          catalog.putIndex(index);
          told.run();
          return invalidate(index.collectionId());
        });
  }

  private Effect dropIndexes(CollectionId id, List<IndexId> indexIds) {
    List<IndexMeta> dropped =
        catalog.indexes(id).stream().filter(index -> indexIds.contains(index.id())).toList();
    Txn.Builder txn = Txn.builder();
    dropped.forEach(index -> txn.delete(CatalogKeys.index(id, index.id())));
    return new Effect(
        txn,
        () -> {
          for (IndexMeta index : dropped) {
            catalog.removeIndex(id, index.id());
            tell(listener -> listener.indexDropped(index));
          }
          return invalidate(id);
        });
  }

  private Effect alterLoad(LoadMeta drafted, Acked acked) {
    if (catalog.collection(drafted.collectionId()) == null) {
      return Effect.none();
    }
    LoadMeta load =
        new LoadMeta(
            drafted.collectionId(),
            drafted.wholeCollection(),
            drafted.partitions(),
            drafted.fields(),
            drafted.replicas(),
            orElse(drafted.createdTs(), acked.controlTick()));
    return new Effect(
        Txn.builder().put(CatalogKeys.load(load.collectionId()), WireJson.write(load)),
        () -> {
          catalog.putLoad(load);
          tell(listener -> listener.loadChanged(load));
          return invalidate(load.collectionId());
        });
  }

  private Effect dropLoad(CollectionId id) {
    return new Effect(
        Txn.builder().delete(CatalogKeys.load(id)),
        () -> {
          catalog.removeLoad(id);
          tell(listener -> listener.loadDropped(id));
          return invalidate(id);
        });
  }

  private Effect putDatabase(DatabaseMeta drafted, Acked acked) {
    DatabaseMeta meta =
        new DatabaseMeta(
            drafted.id(),
            drafted.name(),
            drafted.properties(),
            orElse(drafted.createdTs(), acked.controlTick()));
    return new Effect(
        Txn.builder().put(CatalogKeys.database(meta.id()), WireJson.write(meta)),
        () -> {
          catalog.putDatabase(meta);
          return proxies.invalidate(meta.name(), List.of(), NO_COLLECTION);
        });
  }

  private Effect dropDatabase(Message.DropDatabase message) {
    return new Effect(
        Txn.builder()
            .delete(CatalogKeys.database(message.databaseId()))
            .deletePrefix(CatalogKeys.aliases(message.databaseId())),
        () -> {
          catalog.removeDatabase(message.name());
          return proxies.invalidate(message.name(), List.of(), NO_COLLECTION);
        });
  }

  private Effect putAlias(AliasMeta drafted, Acked acked) {
    AliasMeta alias =
        new AliasMeta(
            drafted.databaseId(),
            drafted.alias(),
            drafted.collectionId(),
            orElse(drafted.createdTs(), acked.controlTick()));
    return new Effect(
        Txn.builder()
            .put(CatalogKeys.alias(alias.databaseId(), alias.alias()), WireJson.write(alias)),
        () -> {
          AliasMeta before = catalog.putAlias(alias);
          CompletableFuture<Void> now = invalidate(alias.collectionId());
          return before == null || before.collectionId().equals(alias.collectionId())
              ? now
              : now.thenCompose(_ -> invalidate(before.collectionId()));
        });
  }

  private Effect dropAlias(Message.DropAlias message) {
    AliasMeta alias = catalog.aliasOf(message.databaseId(), message.alias());
    if (alias == null) {
      return Effect.none();
    }
    return new Effect(
        Txn.builder().delete(CatalogKeys.alias(message.databaseId(), message.alias())),
        () -> {
          catalog.removeAlias(message.databaseId(), message.alias());
          CollectionMeta target = catalog.collection(alias.collectionId());
          return target == null
              ? done()
              : proxies.invalidate(
                  target.owner().databaseName(),
                  List.of(message.alias(), target.name()),
                  target.id());
        });
  }
}
