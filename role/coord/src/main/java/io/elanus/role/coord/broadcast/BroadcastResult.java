package io.elanus.role.coord.broadcast;

import io.elanus.base.id.BroadcastId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A broadcast that is done: where its copies lie, and, when an idempotency key found an earlier
/// one, that one's message.
///
/// Immutable.
public record BroadcastResult(
    BroadcastId id, List<Acked.Copy> copies, @Nullable Message duplicated) {
  public BroadcastResult {
    copies = List.copyOf(copies);
  }

  /// The largest tick over all copies.
  public HybridTs largestTick() {
    HybridTs largest = HybridTs.ZERO;
    for (Acked.Copy copy : copies) {
      largest = HybridTs.max(largest, copy.tick());
    }
    return largest;
  }
}
