package io.elanus.engine.index.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.elanus.base.error.DbException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class ParallelRowsTest {
  @Test
  void worksOnEveryRowOnce() {
    AtomicIntegerArray seen = new AtomicIntegerArray(1000);
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      ParallelRows.run(7, 1000, new BuildContext(0, pool, 4), () -> mark(seen));
    }
    for (int row = 0; row < 1000; row++) {
      assertThat(seen.get(row)).isEqualTo(row < 7 ? 0 : 1);
    }
  }

  private static ParallelRows.Worker mark(AtomicIntegerArray seen) {
    return (from, to) -> {
      for (int row = from; row < to; row++) {
        seen.incrementAndGet(row);
      }
    };
  }

  @Test
  void doesWithoutHelpersThatStartLateOrNever() {
    AtomicIntegerArray seen = new AtomicIntegerArray(1000);
    List<Runnable> late = new ArrayList<>();
    ParallelRows.run(0, 1000, new BuildContext(0, late::add, 4), () -> mark(seen));
    late.forEach(Runnable::run);
    ParallelRows.run(
        0,
        1000,
        new BuildContext(
            0,
            task -> {
              throw new RejectedExecutionException("full");
            },
            4),
        () -> mark(seen));

    for (int row = 0; row < 1000; row++) {
      assertThat(seen.get(row)).isEqualTo(2);
    }
  }

  @Test
  void aFailureOfAnyThreadIsTheCallers() {
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(() ->
              ParallelRows.run(
                  0,
                  100_000,
                  new BuildContext(0, pool, 4),
                  () ->
                      (from, to) -> {
                        if (from >= 50_000) {
                          throw new ArithmeticException("row " + from);
                        }
                      }));
    }
  }

  @Test
  void anErrorOfAHelperFailsTheWhole() throws Exception {
    // The helper runs inside execute, so it takes every row before the caller gets one.
    java.util.concurrent.Executor inline =
        task -> {
          try {
            task.run();
          } catch (StackOverflowError expected) {
            assertThat(expected).hasMessage("helper");
          }
        };
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            ParallelRows.run(
                0,
                1000,
                new BuildContext(0, inline, 2),
                () ->
                    (from, to) -> {
                      throw new StackOverflowError("helper");
                    }));
  }

  /// The caller frees the rows' memory once the call is over, interrupted or not.
  @Test
  void anInterruptedCallIsOverOnlyWhenTheHelperHasLeft() throws Exception {
    CountDownLatch helperWorks = new CountDownLatch(1);
    CountDownLatch callerIsInterrupted = new CountDownLatch(1);
    CountDownLatch helperMayLeave = new CountDownLatch(1);
    AtomicBoolean helperLeft = new AtomicBoolean();
    CompletableFuture<Boolean> leftBeforeTheEnd = new CompletableFuture<>();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform()
            .unstarted(() -> {
              ParallelRows.WorkerFactory factory =
                  () -> {
                    boolean isHelper = !Thread.currentThread().getName().equals("caller");
                    return (from, to) -> {
                      if (isHelper) {
                        helperWorks.countDown();
                        awaitUninterruptibly(helperMayLeave);
                        helperLeft.set(true);
                      } else {
                        awaitUninterruptibly(helperWorks);
                        Thread.currentThread().interrupt();
                        callerIsInterrupted.countDown();
                      }
                    };
                  };
              try {
                ParallelRows.run(
                    0, 1000, new BuildContext(0, Thread.ofPlatform()::start, 2), factory);
              } catch (RuntimeException e) {
                thrown.complete(e);
              }
              leftBeforeTheEnd.complete(helperLeft.get());
            });
    caller.setName("caller");
    caller.start();
    // From here on the caller takes no range and waits for nothing but the helper.
    callerIsInterrupted.await();
    while (caller.getState() != Thread.State.WAITING && caller.isAlive()) {
      Thread.onSpinWait();
    }
    helperMayLeave.countDown();

    assertThat(leftBeforeTheEnd.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(thrown.get(1, TimeUnit.MINUTES))
        .isInstanceOf(DbException.class)
        .hasMessageContaining("interrupted");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
