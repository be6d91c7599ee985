package io.elanus.role.streaming.recovery;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.InvariantViolation;
import io.elanus.base.id.MessageId;
import io.elanus.engine.log.WalLog;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.role.streaming.txn.WalUnit;

/// Rebuilds a PChannel's state: the stored snapshot plus every unit of the log behind it.
///
/// Thread-safe: stateless.
public final class LogReplay {
  private static final int BATCH_BYTES = 4 << 20;

  private LogReplay() {}

  /// The state at the end of the log. Blocks. Error 1009 when the log contradicts itself (a tick
  /// that doesn't rise, an insert into a sealed segment) or is damaged, 3000 when a newer version
  /// wrote a record.
  public static ChannelState run(ChannelState.Snapshot snapshot, WalLog log) {
    ChannelState state = ChannelState.of(snapshot);
    MessageId end = log.lastId();
    if (!end.isAfter(snapshot.position())) {
      return state;
    }
    try (LogUnits units = LogUnits.open(log, from(snapshot))) {
      while (!units.isDone(end)) {
        for (WalUnit unit : units.next(BATCH_BYTES, end)) {
          state.apply(unit);
        }
      }
    } catch (InvariantViolation e) {
      throw DbException.described(
              ErrorCode.DATA_INTEGRITY, "log of " + log.pchannel() + ": " + e.getMessage())
          .causedBy(e);
    }
    state.skipTo(end);
    return state;
  }

  private static MessageId from(ChannelState.Snapshot snapshot) {
    return snapshot.position().isNone() ? MessageId.NONE : snapshot.position().next();
  }
}
