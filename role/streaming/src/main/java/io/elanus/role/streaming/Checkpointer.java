package io.elanus.role.streaming;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.Timers;
import io.elanus.engine.log.WalLog;
import io.elanus.role.streaming.flush.Flusher;
import io.elanus.role.streaming.pchannel.PChannelSequencer;
import io.elanus.role.streaming.pchannel.PChannelSequencer.StateAt;
import io.elanus.role.streaming.recovery.RecoveryStore;
import io.elanus.role.streaming.tail.ChannelTail;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores a PChannel's state now and then, and lets the log forget what neither the state, nor the
/// flusher, nor a reader needs any more. The order matters: high-water mark, state, truncation.
///
/// Owned by: its loop.
final class Checkpointer {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);

  private final WalLog log;
  private final PChannelSequencer sequencer;
  private final ChannelTail tail;
  private final Flusher flusher;
  private final RecoveryStore store;
  private final Loop loop;
  private final Timers.Cancellable timer;
  private long changesStored;
  private MessageId stored;
  private MessageId truncated = MessageId.NONE;
  private @Nullable CompletableFuture<Void> running;

  /// What a checkpoint concerns.
  record Parts(
      WalLog log,
      PChannelSequencer sequencer,
      ChannelTail tail,
      Flusher flusher,
      RecoveryStore store) {}

  /// `storedPosition` is that of the state that was recovered from; `isStored` says that nothing
  /// was added to it since.
  Checkpointer(
      Parts parts,
      MessageId storedPosition,
      boolean isStored,
      Loop loop,
      Timers timers,
      RecoveryConfig config) {
    this.log = parts.log();
    this.sequencer = parts.sequencer();
    this.tail = parts.tail();
    this.flusher = parts.flusher();
    this.store = parts.store();
    this.stored = storedPosition;
    this.loop = loop;
    this.changesStored = isStored ? 0 : -1;
    this.timer = timers.every(config.persistInterval(), loop, this::onTimer);
  }

  private void onTimer() {
    if (running == null || running.isDone()) {
      running = checkpoint();
    }
  }

  /// One checkpoint; never fails, a failure is logged and made up for by the next one.
  CompletableFuture<Void> checkpoint() {
    return sequencer
        .stateSince(changesStored)
        .thenComposeAsync(this::store, loop)
        .thenComposeAsync(_ -> truncate(), loop)
        .exceptionally(e -> {
          failed(e.getCause() == null ? e : e.getCause());
          return null;
        });
  }

  private void failed(Throwable cause) {
    LOG.atWarn()
        .addKeyValue("pchannel", log.pchannel())
        .log("checkpoint failed: {}", String.valueOf(cause));
    if (cause instanceof DbException e && e.code() == ErrorCode.CHANNEL_NOT_AVAILABLE) {
      sequencer.close(e); // Another owner took over.
    }
  }

  private CompletableFuture<Void> store(@Nullable StateAt state) {
    if (state == null) {
      return CompletableFuture.completedFuture(null);
    }
    return log.persistHighWater()
        .thenComposeAsync(_ -> store.saveState(state.snapshot()), loop)
        .thenRunAsync(
            () -> {
              changesStored = state.changes();
              stored = state.snapshot().position();
            },
            loop);
  }

  private CompletableFuture<Void> truncate() {
    MessageId before = stored.next();
    before = least(before, flusher.needed());
    before = least(before, tail.needed());
    if (!before.isAfter(truncated)) {
      return CompletableFuture.completedFuture(null);
    }
    MessageId target = before;
    return log.truncate(target).thenRunAsync(() -> truncated = target, loop);
  }

  private static MessageId least(MessageId a, MessageId b) {
    return a.isAfter(b) ? b : a;
  }

  /// Stops, after one last checkpoint; completes when that is done or has failed.
  CompletableFuture<Void> close() {
    timer.cancel();
    CompletableFuture<Void> last = new CompletableFuture<>();
    loop.execute(() -> {
      CompletableFuture<Void> before =
          running == null ? CompletableFuture.completedFuture(null) : running;
      before.thenComposeAsync(_ -> checkpoint(), loop).whenComplete((_, _) -> last.complete(null));
    });
    return last.thenRun(loop::close);
  }
}
