package io.elanus.role.streaming.timetick;

import io.elanus.base.time.HybridTs;

/// The ticks that readers wait for, coalesced: many demands cost one grant. A demand that arrives
/// while a grant is under way is asked for again only when that grant turns out too small. A demand
/// ahead of the clock (a guarantee in the future) is asked for once and otherwise left to the
/// interval.
///
/// Owned by: the sequencer's loop.
public final class TickDemand {
  private HybridTs wanted = HybridTs.ZERO;

  /// A reader waits for a tick of at least `atLeast`.
  public void demand(HybridTs atLeast) {
    wanted = HybridTs.max(wanted, atLeast);
  }

  /// Whether a grant should be asked for.
  public boolean isPending() {
    return !wanted.equals(HybridTs.ZERO);
  }

  /// A grant is being asked for everything demanded so far.
  public void asked() {
    wanted = HybridTs.ZERO;
  }

  /// `tick` is about to be published: demands up to it are met.
  public void met(HybridTs tick) {
    if (tick.isAtLeast(wanted)) {
      wanted = HybridTs.ZERO;
    }
  }
}
