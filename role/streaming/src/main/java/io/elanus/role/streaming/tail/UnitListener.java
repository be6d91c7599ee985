package io.elanus.role.streaming.tail;

import io.elanus.base.id.MessageId;
import io.elanus.base.time.HybridTs;
import io.elanus.role.streaming.txn.WalUnit;
import java.util.List;

/// Takes the units that a [TailCursor] reads; called on the cursor's loop, one call at a time.
public interface UnitListener {
  /// The next units (possibly none), the tick up to which nothing more follows, and the position
  /// behind them.
  void onUnits(List<WalUnit> units, HybridTs tick, MessageId position);

  /// The channel was closed or can't be read; nothing follows.
  void onClosed(Throwable reason);
}
