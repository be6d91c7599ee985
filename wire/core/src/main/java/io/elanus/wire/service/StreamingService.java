package io.elanus.wire.service;

import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.WalMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The WAL of the PChannels that a StreamingNode owns. In front of several nodes stands a router
/// with the same interface.
///
/// Thread-safe.
public interface StreamingService {
  /// Opens the WAL of a PChannel under `term`, recovering its state; answers when appends and reads
  /// are served. An older term is refused (error 503).
  CompletableFuture<ChannelOpened> open(CallContext context, OpenChannel request);

  CompletableFuture<Done> close(CallContext context, CloseChannel request);

  /// Appends to one VChannel; answers when durable. Several messages are one transaction when
  /// `atomic`: all visible at the commit's tick, or none. A message with a broadcast header whose
  /// id was appended to this VChannel before is not appended again: the first position is answered
  /// (rule B-12). Errors: 503 channel not owned here (retriable), 100 the collection is not (any
  /// more) on this channel, 109 the insert's schema version is not the channel's, 4 when the
  /// sequencer's queue is full, 1001 when the log can't be written.
  CompletableFuture<AppendReply> append(CallContext context, AppendRequest request);

  /// The broadcast became a tombstone: its append positions may be forgotten.
  CompletableFuture<Done> forgetBroadcast(CallContext context, ForgetBroadcast request);

  record OpenChannel(PChannel pchannel, long term) {}

  record ChannelOpened(PChannel pchannel, HybridTs lastTick) {}

  record CloseChannel(PChannel pchannel, long term) {}

  record AppendRequest(VChannel vchannel, List<WalMessage> messages, boolean atomic) {
    public AppendRequest {
      messages = List.copyOf(messages);
    }
  }

  /// One result a message, in order; in a transaction all carry the commit's tick.
  record AppendReply(List<AppendResult> results) {}

  /// `sealed` lists the segments that a ManualFlush sealed.
  record AppendResult(VChannel vchannel, MessageId id, HybridTs timeTick, List<SegmentId> sealed) {}

  record ForgetBroadcast(BroadcastId broadcastId, List<VChannel> vchannels) {}
}
