package io.elanus.role.coord.broadcast;

import io.elanus.base.id.VChannel;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageHeader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A message to append to all of `targets`, the control channel among them (rule B-05). With
/// `ackSyncUp` every target's consumer acknowledges before the callback runs. `properties` go into
/// the header of every copy: trace context, `_ik`.
///
/// Immutable.
public record BroadcastMessage(
    Message body, List<VChannel> targets, boolean ackSyncUp, Map<String, String> properties) {
  public BroadcastMessage {
    targets = List.copyOf(targets);
    properties = Map.copyOf(properties);
  }

  /// The same message under an idempotency key.
  public BroadcastMessage under(IdempotencyKey key) {
    return with(key.isNone() ? Map.of() : Map.of(MessageHeader.IDEMPOTENCY_KEY, key.text()));
  }

  /// The same message with more properties.
  public BroadcastMessage with(Map<String, String> added) {
    Map<String, String> more = new TreeMap<>(properties);
    more.putAll(added);
    return new BroadcastMessage(body, targets, ackSyncUp, more);
  }

  public static BroadcastMessage of(Message body, List<VChannel> targets) {
    return new BroadcastMessage(body, targets, false, Map.of());
  }
}
