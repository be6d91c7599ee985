package io.elanus.role.coord.broadcast;

import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import java.util.List;

/// A broadcast that every target has acknowledged. `copies` are in the order of its targets.
///
/// Immutable.
public record Acked(BroadcastId id, Message message, List<Copy> copies) {
  /// Where one copy lies.
  public record Copy(VChannel vchannel, MessageId position, HybridTs tick) {}

  public Acked {
    copies = List.copyOf(copies);
  }

  /// Tick of the control channel's copy: the order of callbacks, the time of the change.
  public HybridTs controlTick() {
    for (Copy copy : copies) {
      if (copy.vchannel().isControlChannel()) {
        return copy.tick();
      }
    }
    throw new IllegalStateException("broadcast " + id + " has no control channel");
  }

  /// The largest tick over all copies (rule C-04).
  public HybridTs largestTick() {
    HybridTs largest = HybridTs.ZERO;
    for (Copy copy : copies) {
      largest = HybridTs.max(largest, copy.tick());
    }
    return largest;
  }
}
