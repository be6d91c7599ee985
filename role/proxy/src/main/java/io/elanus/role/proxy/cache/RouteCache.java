package io.elanus.role.proxy.cache;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.FieldId;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.QueryCoordService;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Routes of loaded collections, filled on a miss, forgotten on an invalidation and whenever a
/// shard answers that it isn't there. Fills race with invalidations as in [CollectionCache].
///
/// Thread-safe: by the concurrent map.
public final class RouteCache {
  private static final Duration FILL_TIMEOUT = Duration.ofSeconds(10);

  private final QueryCoordService query;
  private final DataCoordService data;
  private final Clock clock;
  private final ConcurrentMap<CollectionId, CompletableFuture<Route>> routes =
      new ConcurrentHashMap<>();

  public RouteCache(QueryCoordService query, DataCoordService data, Clock clock) {
    this.query = query;
    this.data = data;
    this.clock = clock;
  }

  /// Fails with 101 when the collection is not loaded, 103 while it is loading.
  public CompletableFuture<Route> of(CallContext context, CollectionId id) {
    CompletableFuture<Route> known = routes.get(id);
    if (known != null) {
      return known;
    }
    CompletableFuture<Route> fill = new CompletableFuture<>();
    CompletableFuture<Route> raced = routes.putIfAbsent(id, fill);
    if (raced != null) {
      return raced;
    }
    CallContext own = new CallContext(Deadline.after(clock, FILL_TIMEOUT), context.requestId());
    ask(own, id)
        .whenComplete((route, failure) -> {
          if (failure != null) {
            routes.remove(id, fill);
            fill.completeExceptionally(failure);
          } else {
            fill.complete(route);
          }
        });
    return fill;
  }

  private CompletableFuture<Route> ask(CallContext context, CollectionId id) {
    try {
      CompletableFuture<QueryCoordService.ShardList> shards =
          query.shards(context, new QueryCoordService.FindShards(id));
      CompletableFuture<DataCoordService.IndexList> indexes =
          data.indexes(context, new DataCoordService.ListIndexes(id));
      return shards.thenCombine(indexes, RouteCache::route);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static Route route(
      QueryCoordService.ShardList shards, DataCoordService.IndexList indexes) {
    Map<FieldId, IndexMeta> byField = new TreeMap<>();
    for (DataCoordService.IndexStatus status : indexes.indexes()) {
      byField.putIfAbsent(status.index().fieldId(), status.index());
    }
    return new Route(shards.shards(), java.util.Set.copyOf(shards.loadedPartitions()), byField);
  }

  /// Forgets `stale`, but not a newer one that took its place.
  public void forget(CollectionId id, Route stale) {
    CompletableFuture<Route> known = routes.get(id);
    if (known != null
        && known.isDone()
        && !known.isCompletedExceptionally()
        && known.join().equals(stale)) {
      routes.remove(id, known);
    }
  }

  public void invalidate(CollectionId id) {
    routes.remove(id);
  }
}
