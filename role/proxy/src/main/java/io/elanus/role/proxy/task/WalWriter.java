package io.elanus.role.proxy.task;

import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.StreamingService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// Appends a write to its VChannels, each atomically, all at once; repeats while a channel moves.
///
/// Thread-safe.
final class WalWriter {
  private final StreamingService streaming;
  private final Retry retry;

  WalWriter(StreamingService streaming, Retry retry) {
    this.streaming = streaming;
    this.retry = retry;
  }

  /// Answers the largest tick when everything is durable, or the first error when all have
  /// answered.
  CompletableFuture<HybridTs> append(
      CallContext context, Map<VChannel, ? extends List<Message>> messages) {
    List<CompletableFuture<HybridTs>> appends = new ArrayList<>(messages.size());
    messages.forEach((channel, bodies) -> appends.add(appendTo(context, channel, bodies)));
    if (appends.size() == 1) {
      return appends.get(0);
    }
    return CompletableFuture.allOf(appends.toArray(CompletableFuture[]::new))
        .thenApply(done -> {
          HybridTs last = HybridTs.ZERO;
          for (CompletableFuture<HybridTs> append : appends) {
            last = HybridTs.max(last, append.join());
          }
          return last;
        });
  }

  private CompletableFuture<HybridTs> appendTo(
      CallContext context, VChannel channel, List<Message> bodies) {
    List<WalMessage> messages = new ArrayList<>(bodies.size());
    for (Message body : bodies) {
      messages.add(WalMessage.of(channel, body));
    }
    StreamingService.AppendRequest request =
        new StreamingService.AppendRequest(channel, messages, messages.size() > 1);
    return retry
        .whileMoved(context, () -> streaming.append(context, request))
        .thenApply(WalWriter::lastTick);
  }

  private static HybridTs lastTick(StreamingService.AppendReply reply) {
    HybridTs last = HybridTs.ZERO;
    for (StreamingService.AppendResult result : reply.results()) {
      last = HybridTs.max(last, result.timeTick());
    }
    return last;
  }
}
