package io.elanus.role.coord.load;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.role.coord.load.LoadedSegments.Loaded;
import io.elanus.role.coord.segments.SegmentRecord;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.QueryCoordService.LoadState;
import io.elanus.wire.service.QueryCoordService.LoadStatus;
import io.elanus.wire.service.QueryCoordService.LoadedSegment;
import io.elanus.wire.service.QueryCoordService.Shard;
import io.elanus.wire.service.QueryCoordService.ShardList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One loaded (or loading, or being released) collection.
///
/// Owned by: the coordinator's data loop.
final class CollectionLoad {
  private static final Logger LOG = LoggerFactory.getLogger(CollectionLoad.class);

  /// How long an answer waits, and for loads of which age.
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private static final Duration YOUNG = Duration.ofSeconds(2);
  private static final int MAX_WAITERS = 256;

  private final LoadWorld world;
  private final CollectionId id;
  private final Runnable gone;
  private final TreeMap<VChannel, ShardLoad> shards = new TreeMap<>();
  private LoadMeta meta;
  private final List<Waiter> waiters = new ArrayList<>();
  private final long beganNanos;
  private boolean releasing;
  private boolean everLoaded;

  /// Somebody who asked for the state of partitions that were being loaded.
  private record Waiter(List<PartitionId> filter, CompletableFuture<LoadStatus> answer) {}

  /// `gone` runs once a release has ended. `unsure` when nodes may still serve it from before a
  /// restart.
  CollectionLoad(
      LoadWorld world, CollectionMeta collection, LoadMeta meta, boolean unsure, Runnable gone) {
    this.world = world;
    this.id = collection.id();
    this.meta = meta;
    this.gone = gone;
    this.beganNanos = world.work.nanoTime();
    for (VChannel vchannel : collection.vchannels()) {
      shards.put(vchannel, new ShardLoad(world, this, vchannel, unsure));
    }
  }

  CollectionId id() {
    return id;
  }

  LoadMeta meta() {
    return meta;
  }

  boolean isReleasing() {
    return releasing;
  }

  Collection<ShardLoad> shards() {
    return shards.values();
  }

  @Nullable ShardLoad shard(VChannel vchannel) {
    return shards.get(vchannel);
  }

  void change(LoadMeta newMeta) {
    meta = newMeta;
    step();
  }

  void release() {
    releasing = true;
    answerWaiters(true);
    step();
  }

  void step() {
    for (ShardLoad shard : List.copyOf(shards.values())) {
      shard.step();
    }
  }

  void close() {
    answerWaiters(true);
    shards.values().forEach(ShardLoad::close);
  }

  void shardGone() {
    if (shards.values().stream().allMatch(ShardLoad::isGone)) {
      LOG.atInfo().addKeyValue("collection", id).log("collection released");
      gone.run();
    }
  }

  /// A shard got on.
  void progressed() {
    if (!everLoaded && isLoaded(partitions())) {
      everLoaded = true;
      LOG.atInfo()
          .addKeyValue("collection", id)
          .addKeyValue("shards", shards.size())
          .log("collection loaded");
    }
    answerWaiters(false);
  }

  /// The state of `filter`. While a load that began a moment ago goes on, the answer waits a little
  /// for its end: a client that asks right after its load would else pause between two questions
  /// for much longer than an empty collection takes.
  CompletableFuture<LoadStatus> awaitStatus(List<PartitionId> filter) {
    LoadStatus status = status(filter);
    long ageNanos = world.work.nanoTime() - beganNanos;
    if (status.state() != LoadState.LOADING
        || ageNanos > YOUNG.toNanos()
        || waiters.size() >= MAX_WAITERS) {
      return CompletableFuture.completedFuture(status);
    }
    Waiter waiter = new Waiter(filter, new CompletableFuture<>());
    waiters.add(waiter);
    world.work.after(
        PATIENCE,
        () -> {
          if (waiters.remove(waiter)) {
            waiter.answer().complete(status(filter));
          }
        });
    return waiter.answer();
  }

  private void answerWaiters(boolean all) {
    for (Waiter waiter : List.copyOf(waiters)) {
      LoadStatus status = status(waiter.filter());
      if (all || status.state() != LoadState.LOADING) {
        waiters.remove(waiter);
        waiter.answer().complete(status);
      }
    }
  }

  /// The partitions asked for that exist.
  SortedSet<PartitionId> partitions() {
    SortedSet<PartitionId> asked = new TreeSet<>();
    CollectionMeta collection = world.catalog.collection(id);
    if (collection != null) {
      for (PartitionMeta partition : collection.partitions()) {
        if (meta.wholeCollection() || meta.partitions().contains(partition.id())) {
          asked.add(partition.id());
        }
      }
    }
    return asked;
  }

  private boolean isLoaded(Collection<PartitionId> partitions) {
    for (ShardLoad shard : shards.values()) {
      if (shard.leader() == null || !partitions.stream().allMatch(shard::serves)) {
        return false;
      }
    }
    return true;
  }

  /// State of `filter`, or of the whole load when that is empty.
  LoadStatus status(List<PartitionId> filter) {
    SortedSet<PartitionId> asked = partitions();
    SortedSet<PartitionId> wanted = new TreeSet<>(asked);
    if (!filter.isEmpty()) {
      wanted.retainAll(filter);
      if (wanted.size() < new TreeSet<>(filter).size()) {
        return new LoadStatus(LoadState.NOT_LOADED, 0, List.copyOf(asked));
      }
    }
    if (isLoaded(wanted)) {
      return new LoadStatus(LoadState.LOADED, 100, List.copyOf(asked));
    }
    long done = 0;
    long target = 0;
    for (ShardLoad shard : shards.values()) {
      ShardLoad.Progress progress = shard.progress(wanted);
      done += progress.done();
      target += progress.target();
    }
    int percent = (int) Math.min(99, 100 * done / Math.max(1, target));
    return new LoadStatus(LoadState.LOADING, percent, List.copyOf(asked));
  }

  /// Routing of reads; error 103 while a shard is not served. Partitions that are still being
  /// loaded into a loaded collection are left out.
  ShardList routes() {
    List<Shard> routes = new ArrayList<>();
    SortedSet<PartitionId> served = partitions();
    for (ShardLoad shard : shards.values()) {
      NodeId leader = shard.leader();
      if (leader == null) {
        throw notFullyLoaded();
      }
      routes.add(new Shard(shard.vchannel(), leader));
      served.removeIf(partition -> !shard.serves(partition));
    }
    if (served.isEmpty() && !partitions().isEmpty()) {
      throw notFullyLoaded();
    }
    return new ShardList(routes, List.copyOf(served));
  }

  private DbException notFullyLoaded() {
    DbException error =
        DbException.withFields(ErrorCode.COLLECTION_NOT_FULLY_LOADED, "collection", id);
    String why = trouble();
    return why == null
        ? error
        : DbException.verbatim(error.code(), error.getMessage() + ": " + why);
  }

  private @Nullable String trouble() {
    for (ShardLoad shard : shards.values()) {
      String why = shard.trouble();
      if (why != null) {
        return why;
      }
    }
    return null;
  }

  List<LoadedSegment> loadedSegments() {
    List<LoadedSegment> found = new ArrayList<>();
    for (ShardLoad shard : shards.values()) {
      for (Map.Entry<SegmentId, NodeId> entry : shard.view().segments().entrySet()) {
        SegmentRecord record = world.segments.stored().of(id).record(entry.getKey());
        Loaded loaded = shard.loaded(entry.getKey());
        if (record != null && loaded != null) {
          found.add(
              new LoadedSegment(
                  entry.getKey(),
                  record.meta().place().partitionId(),
                  loaded.rows(),
                  loaded.memoryBytes(),
                  entry.getValue()));
        }
      }
    }
    return found;
  }
}
