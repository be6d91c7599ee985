package io.elanus.role.query.delegator;

import io.elanus.base.id.VChannel;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// The shard delegators of a StreamingNode.
///
/// Thread-safe: the map of shards is concurrent, each shard is owned by its loop.
public final class Delegators implements DelegatorService, AutoCloseable {
  private final DelegatorDeps deps;
  private final Map<VChannel, ShardDelegator> shards = new ConcurrentHashMap<>();

  public Delegators(DelegatorDeps deps) {
    this.deps = deps;
    deps.metrics().gauge("consume_tt_lag_ms", this, Delegators::maxLagMs);
    deps.metrics().gauge("read_task_ready_len", deps.pool(), pool -> pool.queued());
    deps.metrics().gauge("read_task_concurrency", deps.pool(), pool -> pool.taken());
  }

  private double maxLagMs() {
    long now = deps.threads().clock().wallMs();
    long lag = 0;
    for (ShardDelegator shard : shards.values()) {
      lag = Math.max(lag, now - shard.serviceTime().physicalMs());
    }
    return lag;
  }

  @Override
  public CompletableFuture<Done> watch(CallContext context, WatchShard request) {
    VChannel vchannel = request.recovery().checkpoint().vchannel();
    ShardDelegator known = shards.get(vchannel);
    if (known == null) {
      ShardDelegator fresh = new ShardDelegator(request, deps, this::forget);
      known = shards.putIfAbsent(vchannel, fresh);
      if (known == null) {
        deps.metrics().shards(1);
        fresh.start(request);
        return fresh.caughtUp().copy();
      }
    }
    // Watched already, perhaps for a coordinator that was restarted: only the view may be newer.
    ShardDelegator shard = known;
    UpdateView update = new UpdateView(vchannel, request.load(), request.indexes(), request.view());
    return shard.update(update).thenCompose(switched -> shard.caughtUp());
  }

  private void forget(ShardDelegator ended) {
    if (shards.remove(ended.vchannel(), ended)) {
      deps.metrics().shards(-1);
    }
  }

  @Override
  public CompletableFuture<Done> unwatch(CallContext context, UnwatchShard request) {
    ShardDelegator shard = shards.get(request.vchannel());
    return shard == null ? CompletableFuture.completedFuture(Done.INSTANCE) : shard.stop();
  }

  @Override
  public CompletableFuture<Done> updateView(CallContext context, UpdateView request) {
    ShardDelegator shard = shards.get(request.vchannel());
    if (shard == null) {
      return CompletableFuture.failedFuture(ShardDelegator.unavailable(request.vchannel()));
    }
    return shard
        .update(request)
        .thenCompose(drained -> drained)
        .thenApply(nothing -> Done.INSTANCE);
  }

  @Override
  public CompletableFuture<ReadReply> read(CallContext context, ReadRequest request) {
    ShardDelegator shard = shards.get(request.scope().vchannel());
    if (shard == null) {
      return CompletableFuture.failedFuture(ShardDelegator.unavailable(request.scope().vchannel()));
    }
    return shard.read(context, request);
  }

  @Override
  public CompletableFuture<ShardStatus> status(CallContext context, FindShardStatus request) {
    ShardDelegator shard = shards.get(request.vchannel());
    if (shard == null) {
      return CompletableFuture.failedFuture(ShardDelegator.unavailable(request.vchannel()));
    }
    try {
      return CompletableFuture.completedFuture(shard.status());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Stops every shard. Idempotent.
  @Override
  public void close() {
    for (ShardDelegator shard : java.util.List.copyOf(shards.values())) {
      shard.stop();
    }
  }
}
