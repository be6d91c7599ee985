package io.elanus.role.coord.segments;

import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.StreamingService.AppendReply;
import io.elanus.wire.service.StreamingService.AppendRequest;
import io.elanus.wire.service.StreamingService.AppendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// Seals growing segments through the log.
///
/// Thread-safe: stateless.
final class Flushes {
  private final StreamingService wal;

  Flushes(StreamingService wal) {
    this.wal = wal;
  }

  /// What was sealed. All writes acknowledged before the request have ticks at most `tick`.
  record Sealed(List<SegmentId> segments, HybridTs tick) {}

  /// Appends a ManualFlush to every shard. The tick answered is the smallest of theirs: each
  /// shard's checkpoint passes it when that shard has stored what was sealed, also when nothing is
  /// written to the shard any more; and it is larger than every tick that was given before the
  /// request.
  CompletableFuture<Sealed> seal(CallContext context, CollectionMeta collection) {
    List<CompletableFuture<AppendReply>> replies = new ArrayList<>();
    for (VChannel vchannel : collection.vchannels()) {
      WalMessage message =
          WalMessage.of(vchannel, new Message.ManualFlush(collection.id(), List.of()));
      replies.add(wal.append(context, new AppendRequest(vchannel, List.of(message), false)));
    }
    return CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
        .thenApply(_ -> {
          TreeSet<SegmentId> sealed = new TreeSet<>();
          HybridTs tick = HybridTs.MAX;
          for (CompletableFuture<AppendReply> reply : replies) {
            for (AppendResult result : reply.join().results()) {
              sealed.addAll(result.sealed());
              tick = HybridTs.min(tick, result.timeTick());
            }
          }
          return new Sealed(List.copyOf(sealed), tick);
        });
  }
}
