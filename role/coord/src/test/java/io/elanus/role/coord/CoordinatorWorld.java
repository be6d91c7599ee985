package io.elanus.role.coord;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.role.coord.part.CoordinatorDeps;
import io.elanus.testkit.FaultyMetaStore;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.CollectionView;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.CatalogService.FindCollection;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.ProxyCacheService.InvalidateCache;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// What outlives a coordinator, and coordinators over it, one after another.
///
/// Confined to the caller.
public final class CoordinatorWorld {
  public static final CallContext CONTEXT = CallContext.background("test");
  public static final String DB = DatabaseMeta.DEFAULT_NAME;

  public final MemoryMetaStore memory = newStore();
  public final FaultyMetaStore meta = new FaultyMetaStore(memory);
  public final FakeStreamingNodes wal = new FakeStreamingNodes();
  public final MemoryObjectStore objects = new MemoryObjectStore();
  public CoordConfig config = CoordConfig.DEFAULT;

  private static MemoryMetaStore newStore() {
    TestThreads leases = new TestThreads();
    return new MemoryMetaStore(leases.clock(), leases.timers());
  }

  /// Links to nodes of which there are none.
  private static final class NoNodes<S> implements NodeLinks<S> {
    @Override
    public List<NodeId> nodes() {
      return List.of();
    }

    @Override
    public S node(NodeId id) {
      throw DbException.withFields(ErrorCode.NODE_NOT_FOUND, "node", id);
    }
  }

  /// One proxy, which remembers what it was told to forget.
  public static final class Proxies implements NodeLinks<ProxyCacheService> {
    public final List<InvalidateCache> invalidated = new ArrayList<>();
    public boolean silent;

    @Override
    public List<NodeId> nodes() {
      return List.of(new NodeId(9));
    }

    @Override
    public ProxyCacheService node(NodeId id) {
      return (_, request) -> {
        invalidated.add(request);
        return silent
            ? new CompletableFuture<>()
            : CompletableFuture.completedFuture(Done.INSTANCE);
      };
    }
  }

  /// A coordinator's life: nothing of it runs any more once its threads aren't pumped.
  public final class Life {
    public final TestThreads threads;
    public final Proxies proxies = new Proxies();
    public final List<Throwable> faults = new ArrayList<>();
    public final Coordinator coordinator;

    public Life() {
      this(new TestThreads());
    }

    public Life(TestThreads own) {
      threads = own;
      CoordinatorDeps deps =
          new CoordinatorDeps(
              new CoordinatorDeps.Seams(
                  threads,
                  threads.clock(),
                  new Rng(1),
                  (_, fault) -> faults.add(fault),
                  new SimpleMeterRegistry()),
              new CoordinatorDeps.Stores(meta, objects),
              new CoordinatorDeps.Nodes(
                  wal, new NoNodes<>(), new NoNodes<>(), new NoNodes<>(), proxies),
              wal,
              config);
      coordinator = new Coordinator(deps);
    }

    public Life started() {
      wal.ticksFrom(coordinator.tso());
      threads.await(coordinator.start());
      return this;
    }

    public CompletableFuture<DdlReply> send(DdlRequest request) {
      return coordinator.catalog().ddl(CONTEXT, request);
    }

    /// Runs a DDL to its end.
    public DdlReply ddl(DdlRequest request) {
      return threads.await(send(request), Duration.ofSeconds(10));
    }

    /// The failure of a DDL that has to fail.
    public DbException refused(DdlRequest request) {
      try {
        ddl(request);
      } catch (DbException e) {
        return e;
      }
      throw new AssertionError(request + " was not refused");
    }

    public CollectionMeta collection(String name) {
      return view(name).meta();
    }

    public CollectionView view(String name) {
      return threads.await(
          coordinator.catalog().collection(CONTEXT, FindCollection.byName(DB, name)));
    }

    public @Nullable CollectionMeta find(String database, String name) {
      try {
        return threads
            .await(coordinator.catalog().collection(CONTEXT, FindCollection.byName(database, name)))
            .meta();
      } catch (DbException e) {
        return null;
      }
    }
  }

  public Life start() {
    return new Life().started();
  }

  // Requests.

  public static CollectionSchema schema(String name, FieldSchema... more) {
    List<FieldSchema> fields = new ArrayList<>();
    FieldSchema.Flags pk = new FieldSchema.Flags(true, false, false, false, false, false, false);
    fields.add(FieldSchema.of(0, "id", DataType.INT64).withFlags(pk));
    fields.add(FieldSchema.of(0, "vec", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "8")));
    fields.addAll(List.of(more));
    return new CollectionSchema(name, "", false, 0, fields);
  }

  public static DdlRequest.CreateCollection newCollection(CollectionSchema schema, int shards) {
    return new DdlRequest.CreateCollection(
        DB,
        schema,
        shards,
        0,
        new DdlRequest.CreateCollection.Options(ConsistencyLevel.BOUNDED, Map.of()));
  }

  public static DdlRequest.CreateCollection newCollection(String name) {
    return newCollection(schema(name), 1);
  }

  public static DdlRequest.DropCollection drop(String name) {
    return new DdlRequest.DropCollection(DB, name);
  }

  public static DdlRequest.CreateAlias alias(String collection, String alias) {
    return new DdlRequest.CreateAlias(DB, collection, alias);
  }

  public static DdlRequest.RenameCollection rename(String from, String to) {
    return new DdlRequest.RenameCollection(DB, from, "", to);
  }

  public static DdlRequest.CreatePartition partition(String collection, String partition) {
    return new DdlRequest.CreatePartition(DB, collection, partition);
  }

  public static DdlRequest.DropPartition dropPartition(String collection, String partition) {
    return new DdlRequest.DropPartition(DB, collection, partition);
  }

  public static DdlRequest.CreateIndex index(String collection, String field, String name) {
    Map<String, String> params = Map.of("index_type", "FLAT", "metric_type", "L2");
    return new DdlRequest.CreateIndex(DB, collection, field, name, params, params);
  }

  public static DdlRequest.Load load(String collection, String... partitions) {
    return new DdlRequest.Load(DB, collection, List.of(partitions), 0, List.of());
  }

  public static DdlRequest.Release release(String collection, String... partitions) {
    return new DdlRequest.Release(DB, collection, List.of(partitions));
  }
}
