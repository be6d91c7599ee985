package io.elanus.role.streaming.txn;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the records of a PChannel in log order and gives the units that they form.
///
/// | open transaction | record | effect |
/// | --- | --- | --- |
/// | none | outside transactions | a unit |
/// | none | begin | opens |
/// | none | body, commit, rollback | skipped: its begin lies before the start of the read |
/// | t | body of t | collected |
/// | t | commit of t | a unit with the commit's tick |
/// | t | rollback of t | dropped |
/// | t | anything else | t was cut off by a crash and is dropped; then as with none |
///
/// Confined to the caller.
public final class TxnAssembler {
  private long open;
  private MessageId begin = MessageId.NONE;
  private final List<WalMessage> bodies = new ArrayList<>();
  private final List<MessageId> ids = new ArrayList<>();

  /// True while records of an unfinished transaction are held.
  public boolean isInTxn() {
    return open != 0;
  }

  /// Takes the next record; the unit that it completes, or null. Error 1009 when a commit doesn't
  /// match what lies before it. A TimeTick gives a unit of itself.
  public @Nullable WalUnit next(WalMessage message, MessageId id) {
    long txn = message.header().txnId();
    if (open != 0 && txn != open) {
      drop();
    }
    if (txn == 0) {
      return WalUnit.of(message, id);
    }
    if (message.body() instanceof Message.BeginTxn) {
      drop();
      open = txn;
      begin = id;
      return null;
    }
    if (open == 0) {
      return null;
    }
    if (message.body() instanceof Message.CommitTxn commit) {
      return commit(commit, message.timeTick(), id);
    }
    if (message.body() instanceof Message.RollbackTxn) {
      drop();
      return null;
    }
    bodies.add(message);
    ids.add(id);
    return null;
  }

  private @Nullable WalUnit commit(Message.CommitTxn commit, HybridTs tick, MessageId id) {
    if (commit.bodies() != bodies.size()) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY,
          "commit at "
              + id
              + " of transaction "
              + open
              + " counts "
              + commit.bodies()
              + " messages, the log has "
              + bodies.size());
    }
    WalUnit unit = bodies.isEmpty() ? null : unit(bodies, ids, tick, begin, id);
    drop();
    return unit;
  }

  /// The unit of a transaction's bodies, restamped with the commit's tick.
  public static WalUnit unit(
      List<WalMessage> bodies,
      List<MessageId> ids,
      HybridTs tick,
      MessageId begin,
      MessageId commit) {
    List<WalMessage> visible = new ArrayList<>(bodies.size());
    for (WalMessage body : bodies) {
      visible.add(body.withHeader(body.header().stamped(tick, body.header().lastConfirmed())));
    }
    return new WalUnit(visible, ids, tick, begin, commit);
  }

  private void drop() {
    open = 0;
    begin = MessageId.NONE;
    bodies.clear();
    ids.clear();
  }
}
