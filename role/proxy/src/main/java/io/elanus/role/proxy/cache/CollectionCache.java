package io.elanus.role.proxy.cache;

import io.elanus.base.id.CollectionId;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Collections by name (or alias) and by id, filled on a miss.
///
/// The map holds the fills themselves, not their results. Invalidating takes away every entry of
/// the collection and every fill that is still under way; what such a fill brings serves the
/// requests that wait for it already, which started before, and nobody else. So a stale answer
/// can't come back after an invalidation, however late it arrives.
///
/// Thread-safe: by the concurrent maps.
public final class CollectionCache {
  private static final Duration FILL_TIMEOUT = Duration.ofSeconds(10);

  private final CatalogService catalog;
  private final Clock clock;
  private final Stats stats;
  private final ConcurrentMap<Name, CompletableFuture<CachedCollection>> byName =
      new ConcurrentHashMap<>();
  private final ConcurrentMap<CollectionId, CompletableFuture<CachedCollection>> byId =
      new ConcurrentHashMap<>();

  private record Name(String database, String name) {}

  /// Hears of hits and misses.
  public interface Stats {
    Stats NONE = hit -> {};

    void looked(boolean hit);
  }

  public CollectionCache(CatalogService catalog, Clock clock, Stats stats) {
    this.catalog = catalog;
    this.clock = clock;
    this.stats = stats;
  }

  /// The collection of this name or alias; fails with 800 or 100.
  public CompletableFuture<CachedCollection> byName(
      CallContext context, String database, String name) {
    return find(
        byName,
        new Name(database, name),
        context,
        CatalogService.FindCollection.byName(database, name));
  }

  public CompletableFuture<CachedCollection> byId(CallContext context, CollectionId id) {
    return find(byId, id, context, CatalogService.FindCollection.byId(id));
  }

  private <K> CompletableFuture<CachedCollection> find(
      ConcurrentMap<K, CompletableFuture<CachedCollection>> entries,
      K key,
      CallContext context,
      CatalogService.FindCollection request) {
    CompletableFuture<CachedCollection> known = entries.get(key);
    stats.looked(known != null);
    if (known != null) {
      return known;
    }
    CompletableFuture<CachedCollection> fill = new CompletableFuture<>();
    CompletableFuture<CachedCollection> raced = entries.putIfAbsent(key, fill);
    if (raced != null) {
      return raced;
    }
    // Others may join this fill, so it gets time of its own, not what one caller has left.
    CallContext own = new CallContext(Deadline.after(clock, FILL_TIMEOUT), context.requestId());
    CompletableFuture<CatalogService.CollectionView> answer;
    try {
      answer = catalog.collection(own, request);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete((view, failure) -> {
      if (failure != null) {
        entries.remove(key, fill);
        fill.completeExceptionally(failure);
        return;
      }
      try {
        fill.complete(new CachedCollection(view));
      } catch (RuntimeException e) {
        entries.remove(key, fill);
        fill.completeExceptionally(e);
      }
    });
    return fill;
  }

  /// Forgets a collection under all its names: `names` of `database`, and any other name under
  /// which the id is known.
  public void invalidate(String database, List<String> names, CollectionId id) {
    for (String name : names) {
      byName.remove(new Name(database, name));
    }
    byId.remove(id);
    byName.entrySet().removeIf(entry -> isOf(entry.getValue(), id));
    byId.entrySet().removeIf(entry -> isOf(entry.getValue(), id));
  }

  private static boolean isOf(CompletableFuture<CachedCollection> entry, CollectionId id) {
    return !entry.isDone() || entry.isCompletedExceptionally() || entry.join().id().equals(id);
  }

  /// Entries held, for tests and metrics.
  public int size() {
    return byName.size() + byId.size();
  }
}
