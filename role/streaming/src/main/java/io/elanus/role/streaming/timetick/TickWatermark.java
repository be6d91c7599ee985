package io.elanus.role.streaming.timetick;

import io.elanus.base.error.Invariant;
import io.elanus.base.time.HybridTs;

/// The three watermarks of a PChannel's ticks (rule W-03):
///
/// - allocated: the largest tick given to a message or granted to be published;
/// - confirmed: every tick up to it is durable, or failed for good;
/// - synced: the largest tick published to readers; nothing at or below it follows (rule W-04).
///
/// Always synced <= confirmed <= allocated, and each only rises. A violation means that ticks can't
/// be trusted any more and throws [io.elanus.base.error.InvariantViolation].
///
/// Owned by: the sequencer's loop; the millisecond accessors may be called from anywhere.
public final class TickWatermark {
  private volatile HybridTs allocated;
  private volatile HybridTs confirmed;
  private HybridTs synced;

  /// Starts behind `recovered`, the largest tick that the PChannel's log or state knows.
  public TickWatermark(HybridTs recovered) {
    this.allocated = recovered;
    this.confirmed = recovered;
    this.synced = recovered;
  }

  public HybridTs allocated() {
    return allocated;
  }

  public HybridTs confirmed() {
    return confirmed;
  }

  public HybridTs synced() {
    return synced;
  }

  /// Physical milliseconds of the allocated watermark, for metrics.
  public long allocatedMs() {
    return allocated.physicalMs();
  }

  /// Physical milliseconds of the confirmed watermark, for metrics.
  public long confirmedMs() {
    return confirmed.physicalMs();
  }

  /// `tick` is given to the next message, or granted.
  public void allocate(HybridTs tick) {
    Invariant.check(
        tick.isAfter(allocated), "tick %s is not above the last allocated %s", tick, allocated);
    allocated = tick;
  }

  /// Everything up to `tick` is durable or failed for good.
  public void confirm(HybridTs tick) {
    Invariant.check(tick.isAtLeast(confirmed), "confirming tick %s after %s", tick, confirmed);
    Invariant.check(
        allocated.isAtLeast(tick), "confirming tick %s, allocated is %s", tick, allocated);
    confirmed = tick;
  }

  /// `tick` is shown to readers.
  public void sync(HybridTs tick) {
    Invariant.check(tick.isAtLeast(synced), "publishing tick %s after %s", tick, synced);
    Invariant.check(
        confirmed.isAtLeast(tick), "publishing tick %s, confirmed is %s", tick, confirmed);
    synced = tick;
  }
}
