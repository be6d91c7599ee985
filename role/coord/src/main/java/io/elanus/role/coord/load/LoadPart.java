package io.elanus.role.coord.load;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.base.time.Timers;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.role.coord.part.CoordinatorDeps;
import io.elanus.role.coord.part.CoordinatorPart;
import io.elanus.role.coord.part.PartContext;
import io.elanus.role.coord.segments.LoopWork;
import io.elanus.role.coord.segments.SegmentListener;
import io.elanus.role.coord.segments.SegmentUse;
import io.elanus.role.coord.segments.SegmentsPart;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.TsoService;
import io.elanus.wire.service.TsoService.AllocTimestamp;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Loads of the active coordinator. What is to be loaded stands in the catalog; this part brings
/// the nodes there and keeps them there. Start it after the [SegmentsPart] that it is built with.
///
/// Thread-safe: every request runs on the data loop.
public final class LoadPart implements QueryCoordService, CoordinatorPart {
  private final LoopWork work;
  private final CatalogView catalog;
  private final TsoService tso;
  private final LoadWorld world;
  private final LoadConfig config;
  private final TreeMap<CollectionId, CollectionLoad> loads = new TreeMap<>();
  private Timers.@Nullable Cancellable check;
  private List<NodeId> knownNodes = List.of();
  private HybridTs startedTs = HybridTs.MAX;
  private boolean started;
  private boolean closed;

  /// Follows what `segments` stores, on the same loop. `owners` says who serves a PChannel.
  public LoadPart(
      PartContext context, SegmentsPart segments, ChannelOwners owners, LoadConfig config) {
    this.work = segments.work();
    this.catalog = context.catalog();
    this.tso = context.tso();
    this.config = config;
    CoordinatorDeps.Nodes nodes = context.deps().nodes();
    this.world =
        new LoadWorld(catalog, segments, nodes.delegators(), nodes.queryNodes(), owners, config);
    SegmentListener listener = this::storedChanged;
    SegmentUse use = this::isUsed;
    segments.attach(listener, use);
  }

  @Override
  public CompletableFuture<Void> start() {
    return tso.allocTimestamp(CallContext.background("view versions"), new AllocTimestamp(1, null))
        .thenCompose(range ->
            work.submit(() -> {
              startedTs = range.first();
              world.versionsAbove(range.first().value());
              begin();
              return CompletableFuture.completedFuture(loads.size());
            }))
        .thenAccept(_ -> {});
  }

  private void begin() {
    started = true;
    for (LoadMeta load : catalog.loads()) {
      reconcile(load.collectionId());
    }
    scheduleCheck();
  }

  private void scheduleCheck() {
    if (!closed) {
      check = work.after(config.checkInterval(), this::checkNodes);
    }
  }

  private void checkNodes() {
    List<NodeId> nodes = world.queryNodes.nodes();
    boolean changed = !nodes.equals(knownNodes);
    knownNodes = nodes;
    for (CollectionLoad load : List.copyOf(loads.values())) {
      for (ShardLoad shard : load.shards()) {
        if (changed || load.isReleasing() || shard.isDisturbed(nodes)) {
          shard.step();
        }
      }
    }
    scheduleCheck();
  }

  @Override
  public void close() {
    work.post(() -> {
      closed = true;
      if (check != null) {
        check.cancel();
      }
      loads.values().forEach(CollectionLoad::close);
      loads.clear();
    });
  }

  /// PChannels have new owners, or their owners opened them anew: shards are watched where they are
  /// now.
  public void ownersChanged() {
    work.post(() -> {
      for (CollectionLoad load : List.copyOf(loads.values())) {
        for (ShardLoad shard : load.shards()) {
          shard.step();
          shard.probe();
        }
      }
    });
  }

  // Events of the catalog.

  @Override
  public void loadChanged(LoadMeta load) {
    work.post(() -> reconcile(load.collectionId()));
  }

  @Override
  public void loadDropped(CollectionId collectionId) {
    work.post(() -> reconcile(collectionId));
  }

  @Override
  public void collectionDropped(CollectionMeta collection) {
    work.post(() -> reconcile(collection.id()));
  }

  @Override
  public void collectionAltered(CollectionMeta collection) {
    work.post(() -> reconcile(collection.id()));
  }

  @Override
  public void partitionDropped(CollectionMeta collection, PartitionMeta partition) {
    work.post(() -> reconcile(collection.id()));
  }

  @Override
  public void indexCreated(IndexMeta index) {
    work.post(() -> reconcile(index.collectionId()));
  }

  @Override
  public void indexAltered(IndexMeta index) {
    work.post(() -> reconcile(index.collectionId()));
  }

  @Override
  public void indexDropped(IndexMeta index) {
    work.post(() -> reconcile(index.collectionId()));
  }

  /// Brings the load of a collection to what the catalog says now: whatever event came first, or
  /// twice.
  private void reconcile(CollectionId id) {
    if (!started || closed) {
      return;
    }
    LoadMeta wanted = catalog.load(id);
    CollectionMeta collection = catalog.collection(id);
    CollectionLoad load = loads.get(id);
    if (wanted == null || collection == null) {
      if (load != null && !load.isReleasing()) {
        load.release();
      }
      return;
    }
    if (load == null) {
      // A coordinator before this one may have left shards of an older collection served.
      boolean unsure = !collection.createdTs().isAfter(startedTs);
      CollectionLoad fresh =
          new CollectionLoad(world, collection, wanted, unsure, () -> released(id));
      loads.put(id, fresh);
      fresh.step();
    } else if (!load.isReleasing()) {
      load.change(wanted);
    }
    // A load that is asked for during a release begins when that has ended.
  }

  private void released(CollectionId id) {
    loads.remove(id);
    world.segments.useChanged(id);
    reconcile(id);
  }

  // Events of the stored data.

  private void storedChanged(CollectionId id, VChannel vchannel) {
    CollectionLoad load = loads.get(id);
    ShardLoad shard = load == null ? null : load.shard(vchannel);
    if (shard != null) {
      shard.step();
    }
  }

  private boolean isUsed(CollectionId id, VChannel vchannel, SegmentId segment) {
    if (!started) {
      return true; // Nodes may serve views of before the restart.
    }
    CollectionLoad load = loads.get(id);
    ShardLoad shard = load == null ? null : load.shard(vchannel);
    return shard != null && shard.isUsed(segment);
  }

  // Requests.

  /// Runs a request on the loop; error 1 until the loads are known.
  private <T> CompletableFuture<T> serve(Supplier<CompletableFuture<T>> request) {
    return work.submit(() -> {
      if (!started) {
        throw DbException.described(
            ErrorCode.SERVICE_NOT_READY, "the coordinator is reading its loads");
      }
      return request.get();
    });
  }

  @Override
  public CompletableFuture<LoadStatus> loadStatus(CallContext context, FindLoad request) {
    return serve(() -> {
      CollectionLoad load = loads.get(request.collectionId());
      if (load != null && !load.isReleasing()) {
        return load.awaitStatus(request.partitions());
      }
      LoadState state =
          catalog.load(request.collectionId()) == null ? LoadState.NOT_LOADED : LoadState.LOADING;
      return CompletableFuture.completedFuture(new LoadStatus(state, 0, List.of()));
    });
  }

  private CollectionLoad find(CollectionId id) {
    CollectionLoad load = loads.get(id);
    if (load != null && !load.isReleasing()) {
      return load;
    }
    throw DbException.withFields(
        catalog.load(id) == null
            ? ErrorCode.COLLECTION_NOT_LOADED
            : ErrorCode.COLLECTION_NOT_FULLY_LOADED,
        "collection",
        id);
  }

  @Override
  public CompletableFuture<ShardList> shards(CallContext context, FindShards request) {
    return serve(() -> {
      CollectionLoad load = find(request.collectionId());
      ShardList routes = load.routes();
      // Whoever asks for routes may have been refused by a delegator that lost the shard.
      load.shards().forEach(ShardLoad::probe);
      return CompletableFuture.completedFuture(routes);
    });
  }

  @Override
  public CompletableFuture<LoadedSegmentList> loadedSegments(
      CallContext context, ListLoadedSegments request) {
    return serve(() ->
        CompletableFuture.completedFuture(
            new LoadedSegmentList(find(request.collectionId()).loadedSegments())));
  }
}
