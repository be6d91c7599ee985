package io.elanus.base.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemThreadsTest {
  private final AtomicReference<Throwable> fault = new AtomicReference<>();
  private final SystemThreads threads =
      new SystemThreads("test", (component, thrown) -> fault.set(thrown));

  @AfterEach
  void close() {
    threads.close();
  }

  @Test
  void loopRunsTasksOneAtATimeInOrder() throws Exception {
    Loop loop = threads.loop("a", 100_000);
    List<Integer> seen = new ArrayList<>();
    AtomicInteger inside = new AtomicInteger();
    CompletableFuture<Integer> worst = new CompletableFuture<>();
    AtomicInteger max = new AtomicInteger();
    for (int i = 0; i < 5_000; i++) {
      int number = i;
      loop.execute(() -> {
        max.accumulateAndGet(inside.incrementAndGet(), Math::max);
        seen.add(number);
        inside.decrementAndGet();
      });
    }
    loop.execute(() -> worst.complete(max.get()));

    assertThat(worst.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(seen).isSorted().hasSize(5_000);
  }

  @Test
  void fullMailboxRefuses() {
    Loop loop = threads.loop("b", 2);
    CountDownLatch hold = new CountDownLatch(1);
    Runnable waiting =
        () -> {
          try {
            hold.await(10, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    loop.execute(waiting);
    loop.execute(() -> {});

    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    hold.countDown();
  }

  @Test
  void closedLoopEndsItsMailboxFirst() {
    Loop loop = threads.loop("c", 100);
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 50; i++) {
      loop.execute(ran::incrementAndGet);
    }

    loop.close();

    assertThat(ran).hasValue(50);
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void faultOfATaskIsReportedAndTheLoopGoesOn() throws Exception {
    Loop loop = threads.loop("d", 100);
    CompletableFuture<Boolean> after = new CompletableFuture<>();
    loop.execute(() -> {
      throw new IllegalStateException("bug");
    });
    loop.execute(() -> after.complete(true));

    assertThat(after.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(fault.get()).hasMessage("bug");
  }

  @Test
  void cancelledTimerDoesNotRun() throws Exception {
    Loop loop = threads.loop("e", 100);
    AtomicInteger ran = new AtomicInteger();
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    threads.timers().after(Duration.ofSeconds(1), loop, ran::incrementAndGet).cancel();
    threads.timers().after(Duration.ofMillis(1_200), loop, () -> later.complete(true));

    assertThat(later.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(ran).hasValue(0);
  }

  @Test
  void timerOfALoopThatIsClosedIsNoFault() throws Exception {
    Loop ended = threads.loop("f", 100);
    Loop loop = threads.loop("g", 100);
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    threads.timers().after(Duration.ofMillis(1), ended, () -> {});
    ended.close();
    threads.timers().after(Duration.ofMillis(50), loop, () -> later.complete(true));

    assertThat(later.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(fault.get()).isNull();
  }
}
