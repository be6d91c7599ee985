package io.elanus.wire.service;

import io.elanus.base.id.PChannel;
import io.elanus.base.time.HybridTs;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The timestamp oracle and the id allocator of the active coordinator (rules T-02, T-03).
///
/// Thread-safe.
public interface TsoService {
  /// Grants `count` timestamps, strictly larger than every one granted before. With `tickFor` set,
  /// refused (error 503) once a higher term of that PChannel is persisted (rule W-04).
  CompletableFuture<TimestampRange> allocTimestamp(CallContext context, AllocTimestamp request);

  /// Grants `count` ids, never granted before and never again.
  CompletableFuture<IdRange> allocId(CallContext context, AllocId request);

  /// `count` in 1 .. 2^18.
  record AllocTimestamp(int count, @Nullable ChannelTerm tickFor) {}

  /// The owner of a PChannel.
  record ChannelTerm(PChannel pchannel, long term) {}

  /// `first`, `first + 1`, ... `count` of them.
  record TimestampRange(HybridTs first, int count) {
    public HybridTs last() {
      return first.plus(count - 1L);
    }
  }

  record AllocId(int count) {}

  /// `first`, `first + 1`, ... `count` of them; positive.
  record IdRange(long first, int count) {}
}
