package io.elanus.role.coord.broadcast;

import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.VChannel;
import io.elanus.wire.message.MessageType;
import io.elanus.wire.message.ResourceKey;
import java.time.Duration;
import java.util.List;

/// How far a broadcast is, for operators; `age` since this coordinator began with it.
///
/// Immutable.
public record TaskView(
    BroadcastId id, MessageType type, List<ResourceKey> keys, Duration age, Progress progress) {

  /// Targets without an append or an acknowledgement; how often what failed was tried; the last
  /// error (empty when there is none).
  public record Progress(
      List<VChannel> notAppended,
      List<VChannel> notAcked,
      int appendAttempts,
      int callbackAttempts,
      String lastError) {}

  static TaskView of(BroadcastTask task, long nowNanos) {
    List<VChannel> notAppended =
        task.copies().stream().filter(copy -> !copy.appended).map(copy -> copy.vchannel).toList();
    List<VChannel> notAcked =
        task.copies().stream().filter(copy -> !copy.acked).map(copy -> copy.vchannel).toList();
    Throwable error = task.lastError;
    return new TaskView(
        task.id(),
        task.type(),
        task.header().keys(),
        Duration.ofNanos(nowNanos - task.sinceNanos),
        new Progress(
            notAppended,
            notAcked,
            task.appendAttempts,
            task.callbackAttempts,
            error == null ? "" : String.valueOf(error.getMessage())));
  }
}
