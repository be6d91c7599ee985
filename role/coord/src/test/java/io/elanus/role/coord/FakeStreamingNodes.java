package io.elanus.role.coord;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.BroadcastHeader;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.TsoService;
import io.elanus.wire.service.TsoService.AllocTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The WAL of a cluster in memory: it outlives coordinators, answers repeated broadcasts with their
/// first position, fences older terms, and can be told to fail.
///
/// Confined to the caller.
public final class FakeStreamingNodes implements StreamingService, NodeLinks<StreamingService> {
  private final Map<PChannel, Long> terms = new TreeMap<>();
  private final Map<PChannel, Long> lastIds = new TreeMap<>();
  private final Map<String, AppendResult> byBroadcast = new TreeMap<>();
  private final List<WalMessage> log = new ArrayList<>();
  private final List<BroadcastId> forgotten = new ArrayList<>();
  private List<NodeId> nodes = List.of(new NodeId(1));
  private @Nullable TsoService tso;
  private long localTick = 1;
  private Predicate<WalMessage> failsBefore = _ -> false;
  private Predicate<WalMessage> failsAfter = _ -> false;
  private boolean opens = true;

  /// Ticks come from `oracle`; from a counter while there is none.
  public void ticksFrom(TsoService oracle) {
    tso = oracle;
  }

  /// Appends of these messages fail and change nothing.
  public void failBefore(Predicate<WalMessage> messages) {
    failsBefore = messages;
  }

  /// Appends of these messages are done but their answer is lost.
  public void failAfter(Predicate<WalMessage> messages) {
    failsAfter = messages;
  }

  public void setNodes(List<NodeId> up) {
    nodes = up;
  }

  /// Whether channels can be opened.
  public void setOpens(boolean on) {
    opens = on;
  }

  public Map<PChannel, Long> terms() {
    return terms;
  }

  /// Everything appended, in order, each broadcast once a VChannel.
  public List<WalMessage> log() {
    return log;
  }

  public List<BroadcastId> forgotten() {
    return forgotten;
  }

  @Override
  public List<NodeId> nodes() {
    return nodes;
  }

  @Override
  public StreamingService node(NodeId id) {
    if (!nodes.contains(id)) {
      throw DbException.withFields(ErrorCode.NODE_NOT_FOUND, "node", id);
    }
    return this;
  }

  @Override
  public CompletableFuture<ChannelOpened> open(CallContext context, OpenChannel request) {
    if (!opens || request.term() < terms.getOrDefault(request.pchannel(), 0L)) {
      return CompletableFuture.failedFuture(DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE));
    }
    terms.put(request.pchannel(), request.term());
    return CompletableFuture.completedFuture(new ChannelOpened(request.pchannel(), HybridTs.ZERO));
  }

  @Override
  public CompletableFuture<Done> close(CallContext context, CloseChannel request) {
    return CompletableFuture.completedFuture(Done.INSTANCE);
  }

  @Override
  public CompletableFuture<AppendReply> append(CallContext context, AppendRequest request) {
    WalMessage message = request.messages().getFirst();
    if (failsBefore.test(message)) {
      return CompletableFuture.failedFuture(DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE));
    }
    BroadcastHeader broadcast = message.header().broadcast();
    String key = (broadcast == null ? "" : broadcast.id()) + "@" + request.vchannel();
    AppendResult known = byBroadcast.get(key);
    if (known != null) {
      return answer(message, known);
    }
    return tick()
        .thenCompose(tick -> {
          PChannel pchannel = request.vchannel().pchannel();
          long id = lastIds.merge(pchannel, 1L, Long::sum);
          AppendResult result =
              new AppendResult(request.vchannel(), new MessageId(id), tick, List.of());
          if (broadcast != null) {
            byBroadcast.put(key, result);
          }
          log.add(message.withHeader(message.header().stamped(tick, MessageId.NONE)));
          return answer(message, result);
        });
  }

  private CompletableFuture<AppendReply> answer(WalMessage message, AppendResult result) {
    return failsAfter.test(message)
        ? CompletableFuture.failedFuture(DbException.of(ErrorCode.IO_FAILED))
        : CompletableFuture.completedFuture(new AppendReply(List.of(result)));
  }

  private CompletableFuture<HybridTs> tick() {
    TsoService oracle = tso;
    return oracle == null
        ? CompletableFuture.completedFuture(new HybridTs(++localTick))
        : oracle
            .allocTimestamp(CallContext.background("tick"), new AllocTimestamp(1, null))
            .thenApply(TsoService.TimestampRange::first);
  }

  @Override
  public CompletableFuture<Done> forgetBroadcast(CallContext context, ForgetBroadcast request) {
    forgotten.add(request.broadcastId());
    return CompletableFuture.completedFuture(Done.INSTANCE);
  }

  /// Copies of messages on `vchannel`, in order.
  public List<WalMessage> on(VChannel vchannel) {
    return log.stream().filter(message -> message.vchannel().equals(vchannel)).toList();
  }
}
