package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.loop.Loop;
import io.elanus.base.loop.WorkPool;
import io.elanus.base.random.Rng;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class TestThreadsTest {
  private static List<String> interleaving(TestThreads threads) {
    List<String> ran = new ArrayList<>();
    Loop a = threads.loop("a", 100);
    Loop b = threads.blockingLoop("b", 100);
    WorkPool pool = threads.pool("pool", 2, 100);
    for (int i = 0; i < 5; i++) {
      int number = i;
      a.execute(() -> ran.add("a" + number));
      b.execute(() -> ran.add("b" + number));
      pool.execute(() -> ran.add("p" + number));
    }
    threads.pump();
    return ran;
  }

  @Test
  void withoutSeedTasksRunInTheOrderOfArrival() {
    assertThat(interleaving(new TestThreads())).startsWith("a0", "b0", "p0", "a1").hasSize(15);
  }

  @Test
  void aSeedIsOneInterleavingAndLoopsKeepTheirOrder() {
    TreeSet<String> traces = new TreeSet<>();
    for (int seed = 0; seed < 20; seed++) {
      List<String> first = interleaving(new TestThreads(new Rng(seed)));
      assertThat(interleaving(new TestThreads(new Rng(seed)))).isEqualTo(first);
      assertThat(first).filteredOn(name -> name.startsWith("a")).isSorted();
      assertThat(first).filteredOn(name -> name.startsWith("b")).isSorted();
      traces.add(first.toString());
    }
    assertThat(traces).hasSizeGreaterThan(15);
  }

  @Test
  void loopKnowsWhenItRuns() {
    TestThreads threads = new TestThreads();
    Loop loop = threads.loop("a", 10);
    boolean[] inside = new boolean[1];
    loop.execute(() -> inside[0] = loop.isCurrent());

    threads.pump();

    assertThat(inside[0]).isTrue();
    assertThat(loop.isCurrent()).isFalse();
  }

  @Test
  void fullOrClosedQueuesRefuse() {
    TestThreads threads = new TestThreads();
    Loop loop = threads.loop("a", 1);
    List<String> ran = new ArrayList<>();
    loop.execute(() -> ran.add("first"));

    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    loop.close();
    assertThat(ran).containsExactly("first");
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void timersFireWhenTimeIsMoved() {
    TestThreads threads = new TestThreads();
    Loop loop = threads.loop("a", 10);
    List<Long> firedAt = new ArrayList<>();
    threads
        .timers()
        .every(
            Duration.ofMillis(10), loop, () -> firedAt.add(threads.clock().nanoTime() / 1_000_000));
    threads.timers().after(Duration.ofMillis(5), loop, () -> firedAt.add(-1L)).cancel();

    threads.advance(Duration.ofMillis(35));

    assertThat(firedAt).containsExactly(10L, 20L, 30L);
    assertThat(threads.clock().wallMs()).isEqualTo(ManualClock.START_WALL_MS + 35);
  }

  @Test
  void awaitMovesTimeOnlyAsFarAsAllowed() {
    TestThreads threads = new TestThreads();
    Loop loop = threads.loop("a", 10);
    CompletableFuture<String> late = new CompletableFuture<>();
    threads.timers().after(Duration.ofSeconds(3), loop, () -> late.complete("done"));

    assertThatThrownBy(() -> threads.await(late)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> threads.await(late, Duration.ofSeconds(2)))
        .isInstanceOf(AssertionError.class);
    assertThat(threads.await(late, Duration.ofSeconds(4))).isEqualTo("done");
  }

  @Test
  void taskThatThrowsFailsThePump() {
    TestThreads threads = new TestThreads();
    threads
        .loop("a", 10)
        .execute(() -> {
          throw new IllegalStateException("bug");
        });

    assertThatThrownBy(threads::pump).isInstanceOf(IllegalStateException.class);
  }
}
