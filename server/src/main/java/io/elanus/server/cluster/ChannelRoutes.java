package io.elanus.server.cluster;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.role.coord.balance.Assignment;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.StreamingService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// The WAL of all PChannels: each call goes to the node that the coordinator gave the channel.
/// While it moves, calls fail with error 503 and the caller tries again.
///
/// Thread-safe: readers see immutable snapshots.
public final class ChannelRoutes implements StreamingService, AutoCloseable {
  private final NodeLinks<StreamingService> nodes;
  private final PrefixFollower follower;
  private volatile Map<PChannel, Assignment> owners = Map.of();

  public ChannelRoutes(
      MetaStore meta, Threads threads, Loop loop, NodeLinks<StreamingService> nodes) {
    this.nodes = nodes;
    this.follower = new PrefixFollower(meta, threads, loop, Assignment.PREFIX, this::changed);
  }

  /// Completes once the present owners are known.
  public CompletableFuture<Void> start() {
    return follower.start();
  }

  private void changed(Map<String, KeyValue> entries) {
    TreeMap<PChannel, Assignment> now = new TreeMap<>();
    for (KeyValue entry : entries.values()) {
      Assignment assignment = WireJson.read(entry.value(), Assignment.class);
      now.put(assignment.pchannel(), assignment);
    }
    owners = now;
  }

  private StreamingService owner(PChannel pchannel) {
    Assignment assignment = owners.get(pchannel);
    if (assignment == null) {
      throw DbException.withFields(ErrorCode.CHANNEL_NOT_AVAILABLE, "channel", pchannel);
    }
    return nodes.node(assignment.node());
  }

  @Override
  public CompletableFuture<AppendReply> append(CallContext context, AppendRequest request) {
    try {
      return owner(request.vchannel().pchannel()).append(context, request);
    } catch (DbException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletableFuture<Done> forgetBroadcast(CallContext context, ForgetBroadcast request) {
    TreeMap<PChannel, List<VChannel>> parts = new TreeMap<>();
    for (VChannel vchannel : request.vchannels()) {
      parts.computeIfAbsent(vchannel.pchannel(), _ -> new ArrayList<>()).add(vchannel);
    }
    List<CompletableFuture<Done>> answers = new ArrayList<>(parts.size());
    parts.forEach((pchannel, vchannels) -> {
      try {
        ForgetBroadcast part = new ForgetBroadcast(request.broadcastId(), vchannels);
        answers.add(owner(pchannel).forgetBroadcast(context, part));
      } catch (DbException e) {
        answers.add(CompletableFuture.failedFuture(e));
      }
    });
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(_ -> Done.INSTANCE);
  }

  /// Only the coordinator opens channels, on a node that it chose.
  @Override
  public CompletableFuture<ChannelOpened> open(CallContext context, OpenChannel request) {
    return notRouted("open");
  }

  @Override
  public CompletableFuture<Done> close(CallContext context, CloseChannel request) {
    return notRouted("close");
  }

  private static <T> CompletableFuture<T> notRouted(String call) {
    return CompletableFuture.failedFuture(
        DbException.described(ErrorCode.UNIMPLEMENTED, call + " needs a node, not a route"));
  }

  @Override
  public void close() {
    follower.close();
  }
}
