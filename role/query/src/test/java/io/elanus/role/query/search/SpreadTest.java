package io.elanus.role.query.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.loop.SystemThreads;
import io.elanus.testkit.TestThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpreadTest {
  private static final class Counting implements Spread.Work {
    final AtomicIntegerArray ran;
    final CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
    final AtomicInteger ends = new AtomicInteger();
    int failAt = -1;

    Counting(int units) {
      ran = new AtomicIntegerArray(units);
    }

    @Override
    public int units() {
      return ran.length();
    }

    @Override
    public void unit(int unit) {
      ran.incrementAndGet(unit);
      if (unit == failAt) {
        throw new IllegalStateException("unit " + unit);
      }
    }

    @Override
    public void ended(@Nullable Throwable failure) {
      ends.incrementAndGet();
      end.complete(failure);
    }
  }

  @Test
  void everyUnitRunsOnceAndTheEndComesOnce() throws Exception {
    try (SystemThreads threads = new SystemThreads("t", (c, e) -> {})) {
      ReadPool pool = new ReadPool(threads.pool("p", 3, 100));
      for (int i = 0; i < 500; i++) {
        Counting work = new Counting(1 + i % 7);
        pool.execute(() -> Spread.run(pool, work, 5));
        assertThat(work.end.get(10, TimeUnit.SECONDS)).isNull();
        for (int unit = 0; unit < work.units(); unit++) {
          assertThat(work.ran.get(unit)).isEqualTo(1);
        }
        assertThat(work.ends).hasValue(1);
      }
    }
  }

  @Test
  void firstFailureEndsTheWork() {
    TestThreads threads = new TestThreads();
    ReadPool pool = new ReadPool(threads.pool("p", 2, 100));
    Counting work = new Counting(5);
    work.failAt = 1;

    Spread.run(pool, work, 0);

    assertThat(work.end.join()).hasMessage("unit 1");
    assertThat(work.ran.get(0)).isEqualTo(1);
    assertThat(work.ran.get(2)).isZero();
  }

  @Test
  void helpersComeOnlyFromIdleThreads() {
    TestThreads threads = new TestThreads();
    ReadPool pool = new ReadPool(threads.pool("p", 2, 100));
    pool.execute(() -> {});
    pool.execute(() -> {});

    Spread.run(pool, new Counting(5), 4);

    assertThat(pool.queued()).isEqualTo(2);
  }

  @Test
  void workWithoutUnitsEndsAtOnce() {
    TestThreads threads = new TestThreads();
    Counting work = new Counting(0);

    Spread.run(new ReadPool(threads.pool("p", 2, 100)), work, 4);

    assertThat(work.ends).hasValue(1);
  }
}
