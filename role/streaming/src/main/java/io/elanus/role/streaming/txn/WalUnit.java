package io.elanus.role.streaming.txn;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.WalMessage;
import java.util.List;

/// What becomes visible at one tick: one message, or the bodies of a committed transaction, all
/// stamped with the commit's tick. `first` and `last` are the positions of its first and last
/// record (begin and commit of a transaction); `ids` are the positions of `messages`.
///
/// Immutable.
public record WalUnit(
    List<WalMessage> messages,
    List<MessageId> ids,
    HybridTs tick,
    MessageId first,
    MessageId last) {
  public WalUnit {
    messages = List.copyOf(messages);
    ids = List.copyOf(ids);
  }

  /// A unit of one message.
  public static WalUnit of(WalMessage message, MessageId id) {
    return new WalUnit(List.of(message), List.of(id), message.timeTick(), id, id);
  }

  /// The VChannel that all messages of the unit are on.
  public VChannel vchannel() {
    return messages.getFirst().vchannel();
  }
}
