package io.elanus.role.streaming.pchannel;

import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.VChannel;
import io.elanus.wire.message.BroadcastHeader;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.StreamingService.AppendReply;
import io.elanus.wire.service.StreamingService.AppendRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A caller's append that waits or is in flight; `bytes` estimates its encoded size.
///
/// Immutable but for its future.
record PendingAppend(
    CallContext context,
    AppendRequest request,
    CompletableFuture<AppendReply> reply,
    long bytes,
    long arrivedNanos) {
  private static final long HEADER_BYTES = 256;
  private static final long KEY_BYTES = 24;
  private static final long DDL_BYTES = 4096;

  static long sizeOf(AppendRequest request) {
    long bytes = 0;
    for (WalMessage message : request.messages()) {
      bytes += sizeOf(message);
    }
    return bytes;
  }

  static long sizeOf(WalMessage message) {
    return HEADER_BYTES
        + switch (message.body()) {
          case Message.Insert insert -> insert.rows().sizeBytes();
          case Message.Delete delete -> KEY_BYTES * delete.keys().size();
          case Message.Flush _, Message.CreateSegment _ -> 0;
          default -> DDL_BYTES;
        };
  }

  VChannel vchannel() {
    return request.vchannel();
  }

  boolean isTxn() {
    return request.atomic() && request.messages().size() > 1;
  }

  List<Message> bodies() {
    List<Message> bodies = new ArrayList<>(request.messages().size());
    for (WalMessage message : request.messages()) {
      bodies.add(message.body());
    }
    return bodies;
  }

  /// The broadcast that this is a copy of, if it is one.
  @Nullable BroadcastId broadcastId() {
    for (WalMessage message : request.messages()) {
      BroadcastHeader header = message.header().broadcast();
      if (header != null) {
        return header.id();
      }
    }
    return null;
  }
}
