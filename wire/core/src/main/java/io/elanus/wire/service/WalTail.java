package io.elanus.wire.service;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.WalMessage;
import java.util.List;

/// Reads of the WAL within a StreamingNode's process: what delegators follow.
///
/// Thread-safe.
public interface WalTail {
  /// Delivers all messages of `vchannel` from position `from` on (inclusive) to `listener`, on
  /// `loop`, in tick order, first from the log, then from the in-memory tail. Transactions arrive
  /// whole: their bodies carry the commit's tick. Error 503 when the PChannel is not open here.
  Subscription subscribe(VChannel vchannel, MessageId from, Loop loop, Listener listener);

  /// Asks for a tick of the channel's PChannel that is at least `atLeast`: one is published as soon
  /// as everything smaller is durable, without waiting for an interval (rule W-05).
  void demandTick(VChannel vchannel, HybridTs atLeast);

  /// Receives batches, one at a time.
  interface Listener {
    void onBatch(TailBatch batch);

    /// The channel was closed or its log can't be read; nothing follows.
    void onClosed(Throwable reason);
  }

  /// `messages` (never a TimeTick, Begin, Commit or Rollback), and the tick up to which nothing
  /// more will come: ServiceTime may advance to it when they are applied. `position` is behind
  /// them.
  record TailBatch(List<WalMessage> messages, HybridTs tick, MessageId position) {}

  /// Cancelling twice does nothing; no batch arrives after `cancel` returned on the loop.
  interface Subscription {
    void cancel();
  }
}
