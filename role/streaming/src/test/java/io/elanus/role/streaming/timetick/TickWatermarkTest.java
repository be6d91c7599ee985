package io.elanus.role.streaming.timetick;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.InvariantViolation;
import io.elanus.base.time.HybridTs;
import org.junit.jupiter.api.Test;

final class TickWatermarkTest {
  private final TickWatermark ticks = new TickWatermark(ts(10));

  private static HybridTs ts(long value) {
    return new HybridTs(value);
  }

  @Test
  void ticksAreAllocatedAboveWhatWasRecovered() {
    assertThatThrownBy(() -> ticks.allocate(ts(10))).isInstanceOf(InvariantViolation.class);
    ticks.allocate(ts(11));
    assertThat(ticks.allocated()).isEqualTo(ts(11));
  }

  @Test
  void nothingIsConfirmedThatWasNotAllocated() {
    assertThatThrownBy(() -> ticks.confirm(ts(11))).isInstanceOf(InvariantViolation.class);
  }

  @Test
  void nothingIsPublishedThatWasNotConfirmed() {
    ticks.allocate(ts(12));
    assertThatThrownBy(() -> ticks.sync(ts(12))).isInstanceOf(InvariantViolation.class);
    ticks.confirm(ts(12));
    ticks.sync(ts(12));
    assertThatThrownBy(() -> ticks.sync(ts(11))).isInstanceOf(InvariantViolation.class);
  }

  @Test
  void ticksAreComparedAsUnsignedNumbers() {
    ticks.allocate(ts(-1));
    assertThat(ticks.allocated()).isEqualTo(HybridTs.MAX);
  }

  @Test
  void demandsAreCoalescedAndMetByALargeEnoughTick() {
    TickDemand demand = new TickDemand();
    demand.demand(ts(5));
    demand.demand(ts(9));
    demand.met(ts(8));
    assertThat(demand.isPending()).isTrue();
    demand.met(ts(9));
    assertThat(demand.isPending()).isFalse();

    demand.demand(ts(20));
    demand.asked();
    assertThat(demand.isPending()).isFalse();
  }
}
