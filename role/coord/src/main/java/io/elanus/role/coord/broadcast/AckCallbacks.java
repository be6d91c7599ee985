package io.elanus.role.coord.broadcast;

import io.elanus.base.error.Invariant;
import io.elanus.wire.message.MessageType;
import java.util.EnumMap;
import java.util.Map;

/// Which callback serves which message type. Filled before the broadcaster starts.
///
/// Confined to the caller while filled, then read only.
public final class AckCallbacks {
  private final Map<MessageType, AckCallback> callbacks = new EnumMap<>(MessageType.class);

  public AckCallbacks on(MessageType type, AckCallback callback) {
    AckCallback before = callbacks.putIfAbsent(type, callback);
    Invariant.check(before == null, "two callbacks for %s", type);
    return this;
  }

  AckCallback of(MessageType type) {
    AckCallback callback = callbacks.get(type);
    if (callback == null) {
      throw new IllegalStateException("no callback for " + type);
    }
    return callback;
  }

  boolean knows(MessageType type) {
    return callbacks.containsKey(type);
  }
}
