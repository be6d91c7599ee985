package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PartitionId;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.Consistency;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.cache.Route;
import io.elanus.role.proxy.consistency.GuaranteeTs;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/// Reads of all shards of a collection: who serves them, at what time, again when one has moved.
///
/// Thread-safe.
final class ShardReads {
  private final Parts parts;

  ShardReads(Parts parts) {
    this.parts = parts;
  }

  /// The guarantee of a read; asks for a timestamp only when the level needs one.
  CompletableFuture<ReadRequest.Guarantee> guarantee(
      CallContext context, CachedCollection collection, Consistency asked, boolean iterating) {
    ConsistencyLevel level = collection.meta().options().consistency();
    HybridTs schemaTs = collection.meta().updateTs();
    GuaranteeTs guarantees = parts.guarantees();
    if (!GuaranteeTs.needsNow(asked, level, iterating)) {
      return CompletableFuture.completedFuture(
          guarantees.guarantee(asked, level, iterating, HybridTs.ZERO, schemaTs));
    }
    return parts
        .timestamps()
        .next(context)
        .thenApply(now -> guarantees.guarantee(asked, level, iterating, now, schemaTs));
  }

  /// A read at this very moment (rule C-07).
  CompletableFuture<ReadRequest.Guarantee> now(CallContext context, CachedCollection collection) {
    return parts
        .timestamps()
        .next(context)
        .thenApply(now -> GuaranteeTs.at(now, collection.meta().updateTs()));
  }

  /// Asks every shard and answers in shard order. `request` makes the read of one shard; with a
  /// moved shard the route is looked up again and all shards are asked once more, so that an answer
  /// never mixes two routes.
  CompletableFuture<List<ReadReply>> readAll(
      CallContext context,
      CachedCollection collection,
      List<PartitionId> partitions,
      BiFunction<Route, QueryCoordService.Shard, ReadRequest> request) {
    return parts
        .retry()
        .whileMoved(context, () -> readOnce(context, collection, partitions, request));
  }

  private CompletableFuture<List<ReadReply>> readOnce(
      CallContext context,
      CachedCollection collection,
      List<PartitionId> partitions,
      BiFunction<Route, QueryCoordService.Shard, ReadRequest> request) {
    return route(context, collection, partitions)
        .thenCompose(route -> {
          CompletableFuture<List<ReadReply>> replies = ask(context, route, request);
          return replies.whenComplete((answer, failure) -> {
            if (failure != null && Retry.isMoved(failure)) {
              parts.caches().routes().forget(collection.id(), route);
            }
          });
        });
  }

  /// The route of a collection whose partitions are loaded; a cached route that misses some is
  /// looked up again before the caller is refused.
  private CompletableFuture<Route> route(
      CallContext context, CachedCollection collection, List<PartitionId> partitions) {
    return parts
        .caches()
        .routes()
        .of(context, collection.id())
        .thenCompose(route -> {
          if (route.loadedPartitions().containsAll(partitions)) {
            return CompletableFuture.completedFuture(route);
          }
          parts.caches().routes().forget(collection.id(), route);
          return parts
              .caches()
              .routes()
              .of(context, collection.id())
              .thenApply(fresh -> checkLoaded(fresh, partitions));
        });
  }

  private static Route checkLoaded(Route route, List<PartitionId> partitions) {
    for (PartitionId partition : partitions) {
      if (!route.loadedPartitions().contains(partition)) {
        throw DbException.withFields(
            ErrorCode.PARTITION_NOT_LOADED, "partition", partition.value());
      }
    }
    return route;
  }

  private CompletableFuture<List<ReadReply>> ask(
      CallContext context,
      Route route,
      BiFunction<Route, QueryCoordService.Shard, ReadRequest> request) {
    List<QueryCoordService.Shard> shards = route.shards();
    List<CompletableFuture<ReadReply>> reads = new ArrayList<>(shards.size());
    for (QueryCoordService.Shard shard : shards) {
      reads.add(ask(context, shard, request.apply(route, shard)));
    }
    if (reads.size() == 1) {
      return reads.get(0).thenApply(List::of);
    }
    return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
        .thenApply(done -> {
          List<ReadReply> replies = new ArrayList<>(reads.size());
          for (CompletableFuture<ReadReply> read : reads) {
            replies.add(read.join());
          }
          return replies;
        });
  }

  /// A leader that is gone is a failed read, after which the route is forgotten.
  private CompletableFuture<ReadReply> ask(
      CallContext context, QueryCoordService.Shard shard, ReadRequest request) {
    try {
      return parts.services().delegators().node(shard.leader()).read(context, request);
    } catch (DbException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// The latest moment at which a shard was read.
  static HybridTs latestRead(List<? extends ReadReply> replies) {
    HybridTs latest = HybridTs.ZERO;
    for (ReadReply reply : replies) {
      latest = HybridTs.max(latest, reply.cost().readTs());
    }
    return latest;
  }
}
