package io.elanus.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The simulator finds what is broken: every mutation within [#BOUND] seeds. The seed that found it
/// last is tried first; when the order of events has changed since, the others are.
class MutationTest {
  private static final long BOUND = 200;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyMutationIsFound(Mutation mutation) {
    long finder =
        LongStream.concat(LongStream.of(mutation.firstSeed()), LongStream.rangeClosed(1, BOUND))
            .filter(seed -> !Simulation.run(seed, mutation).violations().isEmpty())
            .findFirst()
            .orElse(-1);

    System.out.println(mutation + " is found by seed " + finder);
    assertThat(finder).as("found within %s seeds", BOUND).isPositive();
  }
}
