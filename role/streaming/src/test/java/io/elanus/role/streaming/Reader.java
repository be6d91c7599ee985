package io.elanus.role.streaming;

import io.elanus.base.id.MessageId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.WalTail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects what a subscription delivers and checks what every reader may rely on: ticks don't
/// fall, no message comes at or below a tick that was delivered before, and none of a kind that
/// isn't delivered.
final class Reader implements WalTail.Listener {
  final List<WalMessage> messages = new ArrayList<>();
  HybridTs tick = HybridTs.ZERO;
  MessageId position = MessageId.NONE;
  @Nullable Throwable closed;
  int batches;

  @Override
  public void onBatch(WalTail.TailBatch batch) {
    batches++;
    for (WalMessage message : batch.messages()) {
      if (!message.timeTick().isAfter(tick)) {
        throw new AssertionError(
            "message at " + message.timeTick() + " behind delivered tick " + tick);
      }
      if (message.timeTick().isAfter(batch.tick())) {
        throw new AssertionError("message at " + message.timeTick() + " above " + batch.tick());
      }
      switch (message.body()) {
        case Message.TimeTick _, Message.BeginTxn _, Message.CommitTxn _, Message.RollbackTxn _ ->
            throw new AssertionError(message.type() + " was delivered");
        default -> {}
      }
      if (!messages.isEmpty() && messages.getLast().timeTick().isAfter(message.timeTick())) {
        throw new AssertionError("ticks fall");
      }
      messages.add(message);
    }
    if (tick.isAfter(batch.tick())) {
      throw new AssertionError("tick falls from " + tick + " to " + batch.tick());
    }
    tick = batch.tick();
    position = batch.position();
  }

  @Override
  public void onClosed(Throwable reason) {
    closed = reason;
  }

  /// Keys of all inserts, in order.
  List<Long> insertedKeys() {
    List<Long> keys = new ArrayList<>();
    for (WalMessage message : messages) {
      if (message.body() instanceof Message.Insert insert) {
        var column = java.util.Objects.requireNonNull(insert.rows().column(Samples.PK));
        for (int i = 0; i < column.rows(); i++) {
          keys.add(column.longAt(i));
        }
      }
    }
    return keys;
  }

  List<String> types() {
    return messages.stream().map(m -> m.type().name()).toList();
  }
}
