package io.elanus.role.streaming;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.role.streaming.flush.Flusher;
import io.elanus.role.streaming.flush.FlusherDeps;
import io.elanus.role.streaming.pchannel.PChannelSequencer;
import io.elanus.role.streaming.pchannel.SequencerDeps;
import io.elanus.role.streaming.recovery.LogReplay;
import io.elanus.role.streaming.recovery.RecoveryStore;
import io.elanus.role.streaming.recovery.RecoveryStore.Stored;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.role.streaming.tail.ChannelTail;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Everything of one PChannel that is open on this node: recovered in this order: become owner in
/// the MetaStore, read the checkpoint, open (and so fence) the log, replay what lies behind it.
///
/// Thread-safe: fields are final; `close` runs once.
final class OwnedChannel {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedChannel.class);

  private final WalLog log;
  private final ChannelTail tail;
  private final PChannelSequencer sequencer;
  private final Flusher flusher;
  private final Checkpointer checkpointer;
  private final HybridTs lastTick;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private OwnedChannel(NodeParts node, RecoveryStore store, WalLog log, Recovered recovered) {
    Threads threads = node.threads();
    ChannelState state = recovered.state();
    this.log = log;
    this.lastTick = state.lastTick();
    MessageId end = state.position();
    this.tail =
        new ChannelTail(log, end, lastTick, threads, node.config().tail(), node.tailMetrics());
    this.flusher =
        new Flusher(
            new FlusherDeps(
                new FlusherDeps.Channel(log, tail, store),
                node.flushServices(),
                node.config().flush()),
            state,
            recovered.stored().flushPoints());
    this.sequencer =
        new PChannelSequencer(
            new SequencerDeps(
                new SequencerDeps.Channel(log, state, tail),
                node.sequencerServices(),
                node.config().sequencer()));
    MessageId storedPosition = recovered.stored().state().position();
    this.checkpointer =
        new Checkpointer(
            new Checkpointer.Parts(log, sequencer, tail, flusher, store),
            storedPosition,
            storedPosition.equals(end),
            threads.blockingLoop("streaming/checkpoint/" + log.pchannel(), 1024),
            threads.timers(),
            node.config().recovery());
  }

  private record Recovered(Stored stored, ChannelState state) {}

  static CompletableFuture<OwnedChannel> open(NodeParts node, PChannel pchannel, long term) {
    RecoveryStore store = new RecoveryStore(node.engines().meta(), pchannel, term);
    long startNanos = node.threads().clock().nanoTime();
    return store
        .claim()
        .thenCompose(stored ->
            node.engines()
                .wal()
                .open(pchannel, term, new WalOpenOptions(stored.state().position()))
                .thenApplyAsync(
                    log -> recover(node, store, stored, log, startNanos),
                    node.threads().blocking("streaming/open/" + pchannel)));
  }

  private static OwnedChannel recover(
      NodeParts node, RecoveryStore store, Stored stored, WalLog log, long startNanos) {
    try {
      ChannelState state = LogReplay.run(stored.state(), log);
      OwnedChannel channel = new OwnedChannel(node, store, log, new Recovered(stored, state));
      channel.flusher.start();
      LOG.atInfo()
          .addKeyValue("pchannel", log.pchannel())
          .addKeyValue("term", log.term())
          .addKeyValue("from", stored.state().position())
          .addKeyValue("end", log.lastId())
          .addKeyValue("vchannels", state.shards().size())
          .addKeyValue("ms", (node.threads().clock().nanoTime() - startNanos) / 1_000_000)
          .log("PChannel open");
      return channel;
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  HybridTs lastTick() {
    return lastTick;
  }

  PChannelSequencer sequencer() {
    return sequencer;
  }

  ChannelTail tail() {
    return tail;
  }

  /// Stops taking appends, answers those in flight, stores the state, ends the log. Idempotent.
  CompletableFuture<Void> close(String why) {
    if (closing.compareAndSet(false, true)) {
      DbException reason =
          DbException.described(
              ErrorCode.CHANNEL_NOT_AVAILABLE, log.pchannel() + " was closed: " + why);
      sequencer
          .close(reason)
          .thenCompose(_ -> checkpointer.close())
          .thenCompose(_ -> flusher.close())
          .whenComplete((_, failure) -> {
            log.close();
            sequencer.dispose();
            if (failure != null) {
              closed.completeExceptionally(failure);
            } else {
              closed.complete(null);
            }
          });
    }
    return closed;
  }
}
