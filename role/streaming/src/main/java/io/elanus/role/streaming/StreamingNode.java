package io.elanus.role.streaming;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.HybridTs;
import io.elanus.role.streaming.tail.TailCursor;
import io.elanus.role.streaming.tail.UnitListener;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.WalTail;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The StreamingNode role: the PChannels that this process owns, their appends and their readers.
///
/// Thread-safe: opening and closing is guarded by `lock`; the rest goes to the channel's own loop.
public final class StreamingNode implements StreamingService, WalTail, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamingNode.class);
  private static final long CLOSE_WAIT_S = 10;

  private final NodeParts parts;
  private final Object lock = new Object();

  /// The channel of each PChannel that serves; read without the lock.
  private final ConcurrentHashMap<PChannel, OwnedChannel> serving = new ConcurrentHashMap<>();

  @GuardedBy("lock")
  private final TreeMap<PChannel, Slot> slots = new TreeMap<>();

  @GuardedBy("lock")
  private boolean closed;

  /// A PChannel at the highest term asked for here.
  private record Slot(long term, CompletableFuture<OwnedChannel> channel) {}

  public StreamingNode(StreamingDeps deps) {
    this.parts = NodeParts.of(deps);
  }

  // ---- StreamingService

  @Override
  public CompletableFuture<ChannelOpened> open(CallContext context, OpenChannel request) {
    PChannel pchannel = request.pchannel();
    Slot before;
    CompletableFuture<OwnedChannel> opening = new CompletableFuture<>();
    synchronized (lock) {
      before = slots.get(pchannel);
      if (closed) {
        return CompletableFuture.failedFuture(notHere(pchannel, "the node is closing"));
      }
      if (before != null && before.term() > request.term()) {
        return CompletableFuture.failedFuture(
            notHere(pchannel, "it is open at the later term " + before.term()));
      }
      if (before != null && before.term() == request.term()) {
        return before.channel().thenApply(channel -> opened(pchannel, channel));
      }
      slots.put(pchannel, new Slot(request.term(), opening));
    }
    closeSlot(before, "term " + request.term() + " takes over")
        .thenCompose(_ -> OwnedChannel.open(parts, pchannel, request.term()))
        .whenComplete((channel, failure) -> finishOpening(request, opening, channel, failure));
    return opening.thenApply(channel -> opened(pchannel, channel));
  }

  private static ChannelOpened opened(PChannel pchannel, OwnedChannel channel) {
    return new ChannelOpened(pchannel, channel.lastTick());
  }

  private void finishOpening(
      OpenChannel request,
      CompletableFuture<OwnedChannel> opening,
      @Nullable OwnedChannel channel,
      @Nullable Throwable failure) {
    PChannel pchannel = request.pchannel();
    if (channel == null) {
      synchronized (lock) {
        removeSlot(pchannel, request.term());
      }
      Throwable cause =
          failure != null && failure.getCause() != null ? failure.getCause() : failure;
      LOG.atWarn()
          .addKeyValue("pchannel", pchannel)
          .addKeyValue("term", request.term())
          .log("PChannel can't be opened: {}", String.valueOf(cause));
      opening.completeExceptionally(cause == null ? notHere(pchannel, "opening failed") : cause);
      return;
    }
    boolean wanted;
    synchronized (lock) {
      Slot current = slots.get(pchannel);
      wanted = !closed && current != null && current.term() == request.term();
      if (wanted) {
        serving.put(pchannel, channel);
      }
    }
    if (!wanted) {
      channel.close("it is not wanted any more");
      opening.completeExceptionally(notHere(pchannel, "it was closed while it opened"));
      return;
    }
    channel.sequencer().closed().thenAccept(reason -> lost(request, channel, reason));
    opening.complete(channel);
  }

  /// The channel ended on its own account, or was closed: frees what it held.
  private void lost(OpenChannel request, OwnedChannel channel, Throwable reason) {
    serving.remove(request.pchannel(), channel);
    LOG.atInfo()
        .addKeyValue("pchannel", request.pchannel())
        .addKeyValue("term", request.term())
        .log("PChannel is not served any more: {}", String.valueOf(reason.getMessage()));
    channel
        .close("it ended")
        .whenComplete((_, _) -> {
          synchronized (lock) {
            removeSlot(request.pchannel(), request.term());
          }
        });
  }

  @GuardedBy("lock")
  private void removeSlot(PChannel pchannel, long term) {
    Slot slot = slots.get(pchannel);
    if (slot != null && slot.term() == term) {
      slots.remove(pchannel);
    }
  }

  private CompletableFuture<?> closeSlot(@Nullable Slot slot, String why) {
    if (slot == null) {
      return CompletableFuture.completedFuture(null);
    }
    return slot.channel()
        .handle((channel, _) -> channel)
        .thenCompose(channel ->
            channel == null
                ? CompletableFuture.completedFuture(null)
                : channel.close(why).exceptionally(_ -> null));
  }

  @Override
  public CompletableFuture<Done> close(CallContext context, CloseChannel request) {
    Slot slot;
    synchronized (lock) {
      slot = slots.get(request.pchannel());
      if (slot == null || slot.term() > request.term()) {
        return CompletableFuture.completedFuture(Done.INSTANCE);
      }
    }
    return closeSlot(slot, "the coordinator asked for it")
        .thenApply(_ -> {
          synchronized (lock) {
            removeSlot(request.pchannel(), slot.term());
          }
          return Done.INSTANCE;
        });
  }

  @Override
  public CompletableFuture<AppendReply> append(CallContext context, AppendRequest request) {
    PChannel pchannel = request.vchannel().pchannel();
    OwnedChannel channel = serving.get(pchannel);
    return channel == null
        ? CompletableFuture.failedFuture(notHere(pchannel, "this node does not own it"))
        : channel.sequencer().append(context, request);
  }

  @Override
  public CompletableFuture<Done> forgetBroadcast(CallContext context, ForgetBroadcast request) {
    Map<PChannel, List<VChannel>> byPChannel = new LinkedHashMap<>();
    for (VChannel vchannel : request.vchannels()) {
      byPChannel.computeIfAbsent(vchannel.pchannel(), _ -> new ArrayList<>()).add(vchannel);
    }
    List<CompletableFuture<?>> forgotten = new ArrayList<>();
    byPChannel.forEach((pchannel, vchannels) -> {
      OwnedChannel channel = serving.get(pchannel);
      forgotten.add(
          channel == null
              ? CompletableFuture.failedFuture(notHere(pchannel, "this node does not own it"))
              : channel.sequencer().forget(request.broadcastId(), vchannels));
    });
    return CompletableFuture.allOf(forgotten.toArray(CompletableFuture[]::new))
        .thenApply(_ -> Done.INSTANCE);
  }

  // ---- WalTail

  @Override
  public Subscription subscribe(VChannel vchannel, MessageId from, Loop loop, Listener listener) {
    PChannel pchannel = vchannel.pchannel();
    OwnedChannel channel = serving.get(pchannel);
    if (channel == null) {
      throw notHere(pchannel, "this node does not own it");
    }
    TailCursor cursor = channel.tail().cursor(vchannel, from, loop, new Flattening(listener));
    channel.sequencer().follow();
    cursor.wake();
    return cursor;
  }

  /// Hands units over as messages.
  private record Flattening(Listener listener) implements UnitListener {
    @Override
    public void onUnits(List<WalUnit> units, HybridTs tick, MessageId position) {
      List<WalMessage> messages = new ArrayList<>();
      for (WalUnit unit : units) {
        for (WalMessage message : unit.messages()) {
          if (!(message.body() instanceof Message.TimeTick)) {
            messages.add(message);
          }
        }
      }
      listener.onBatch(new TailBatch(messages, tick, position));
    }

    @Override
    public void onClosed(Throwable reason) {
      listener.onClosed(reason);
    }
  }

  @Override
  public void demandTick(VChannel vchannel, HybridTs atLeast) {
    OwnedChannel channel = serving.get(vchannel.pchannel());
    if (channel != null) {
      channel.sequencer().demandTick(vchannel, atLeast);
    }
  }

  // ---- the node

  private static DbException notHere(PChannel pchannel, String why) {
    return DbException.described(ErrorCode.CHANNEL_NOT_AVAILABLE, pchannel + ": " + why)
        .asRetriable();
  }

  /// Closes every channel and waits for it. Idempotent.
  @Override
  public void close() {
    List<Slot> open;
    synchronized (lock) {
      closed = true;
      open = List.copyOf(slots.values());
    }
    CompletableFuture<?>[] closing =
        open.stream()
            .map(slot -> closeSlot(slot, "the node is closing"))
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(closing).get(CLOSE_WAIT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.atWarn().setCause(e).log("a PChannel did not close in time");
    }
  }
}
