package io.elanus.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The cluster keeps its promises under every fault that the seeds bring. `-Delanus.sim.seed=N`
/// runs one seed, `-Delanus.sim.seeds=N` the first N.
class SimulationTest {
  static LongStream seeds() {
    Long one = Long.getLong("elanus.sim.seed");
    return one != null
        ? LongStream.of(one)
        : LongStream.rangeClosed(1, Integer.getInteger("elanus.sim.seeds", 20));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everySeedKeepsTheRules(long seed) {
    Simulation.Outcome outcome = Simulation.run(seed);

    assertThat(outcome.violations())
        .as("replay: mvn -q -pl test/sim test -Dtest=SimulationTest -Delanus.sim.seed=%s", seed)
        .isEmpty();
    assertThat(outcome.operations()).isGreaterThan(0);
  }

  @Test
  void oneSeedIsOneRun() {
    assertThat(Simulation.run(7).traceHash()).isEqualTo(Simulation.run(7).traceHash());
  }
}
