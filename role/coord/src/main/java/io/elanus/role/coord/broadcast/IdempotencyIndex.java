package io.elanus.role.coord.broadcast;

import io.elanus.base.error.DbException;
import io.elanus.base.id.BroadcastId;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.MessageType;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which broadcast was made under which idempotency key, in every state until its tombstone goes
/// (rules B-21, B-26). The message type is part of the key, so that two kinds of request under one
/// client key never meet.
///
/// Owned by: the broadcaster's loop.
final class IdempotencyIndex {
  private final Map<String, BroadcastTask> byKey = new HashMap<>();
  private final Map<BroadcastId, String> keys = new HashMap<>();

  /// Null when the message has no key.
  static @Nullable String keyOf(MessageType type, Map<String, String> properties) {
    String key = properties.get(MessageHeader.IDEMPOTENCY_KEY);
    return key == null || key.isEmpty() ? null : type.number() + "/" + key;
  }

  /// Null when nothing was broadcast under the key yet. Error 1100 when it was for another request.
  @Nullable BroadcastTask find(MessageType type, Map<String, String> properties) {
    String key = keyOf(type, properties);
    BroadcastTask original = key == null ? null : byKey.get(key);
    if (original == null) {
      return null;
    }
    String before = original.message().header().properties().get(MessageHeader.REQUEST_DIGEST);
    if (!Objects.equals(before, properties.get(MessageHeader.REQUEST_DIGEST))) {
      throw DbException.invalid(
          "idempotency key was used for another request before; use a new key for this one: "
              + properties.get(MessageHeader.IDEMPOTENCY_KEY));
    }
    return original;
  }

  void add(BroadcastTask task) {
    String key = keyOf(task.type(), task.message().header().properties());
    if (key != null) {
      byKey.put(key, task);
      keys.put(task.id(), key);
    }
  }

  /// Forgets the entry of this broadcast, not that of a later one under the same key.
  void remove(BroadcastId id) {
    String key = keys.remove(id);
    BroadcastTask task = key == null ? null : byKey.get(key);
    if (key != null && task != null && task.id().equals(id)) {
      byKey.remove(key);
    }
  }

  int size() {
    return byKey.size();
  }
}
