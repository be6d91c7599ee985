package io.elanus.role.coord.world;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService.ChannelRecovery;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A delegator that remembers its views and has each one checked before it is taken.
public final class FakeDelegator implements DelegatorService {
  /// What is served of a shard.
  public record Served(ChannelRecovery recovery, LoadMeta load, QueryView view) {}

  public final TreeMap<VChannel, Served> shards = new TreeMap<>();
  public final List<QueryView> history = new ArrayList<>();
  public HybridTs serviceTime = HybridTs.MAX;
  public boolean keepsOldViewOnWatch;
  public @Nullable DbException failure;
  private final Consumer<QueryView> check;

  public FakeDelegator(Consumer<QueryView> check) {
    this.check = check;
  }

  @Override
  public CompletableFuture<Done> watch(CallContext context, WatchShard request) {
    if (failure != null) {
      return CompletableFuture.failedFuture(failure);
    }
    VChannel vchannel = request.recovery().checkpoint().vchannel();
    if (keepsOldViewOnWatch && shards.containsKey(vchannel)) {
      return CompletableFuture.completedFuture(Done.INSTANCE);
    }
    return take(vchannel, new Served(request.recovery(), request.load(), request.view()));
  }

  private CompletableFuture<Done> take(VChannel vchannel, Served served) {
    check.accept(served.view());
    shards.put(vchannel, served);
    history.add(served.view());
    return CompletableFuture.completedFuture(Done.INSTANCE);
  }

  @Override
  public CompletableFuture<Done> unwatch(CallContext context, UnwatchShard request) {
    shards.remove(request.vchannel());
    return CompletableFuture.completedFuture(Done.INSTANCE);
  }

  @Override
  public CompletableFuture<Done> updateView(CallContext context, UpdateView request) {
    Served before = shards.get(request.vchannel());
    if (before == null) {
      return CompletableFuture.failedFuture(
          DbException.withFields(ErrorCode.CHANNEL_NOT_AVAILABLE, "channel", request.vchannel()));
    }
    if (request.view().version() <= before.view().version()) {
      throw new AssertionError("view " + request.view() + " after " + before.view());
    }
    return take(request.vchannel(), new Served(before.recovery(), request.load(), request.view()));
  }

  @Override
  public CompletableFuture<ReadReply> read(CallContext context, ReadRequest request) {
    return CompletableFuture.failedFuture(DbException.of(ErrorCode.UNIMPLEMENTED));
  }

  @Override
  public CompletableFuture<ShardStatus> status(CallContext context, FindShardStatus request) {
    Served served = shards.get(request.vchannel());
    if (served == null) {
      return CompletableFuture.failedFuture(
          DbException.withFields(ErrorCode.CHANNEL_NOT_AVAILABLE, "channel", request.vchannel()));
    }
    return CompletableFuture.completedFuture(
        new ShardStatus(request.vchannel(), serviceTime, served.view().version(), List.of()));
  }
}
