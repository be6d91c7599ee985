package io.elanus.role.coord.tso;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PChannel;
import io.elanus.base.loop.SystemThreads;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.role.coord.part.Leadership;
import io.elanus.testkit.FaultyMetaStore;
import io.elanus.testkit.ManualClock;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.TsoService.AllocId;
import io.elanus.wire.service.TsoService.AllocTimestamp;
import io.elanus.wire.service.TsoService.ChannelTerm;
import io.elanus.wire.service.TsoService.IdRange;
import io.elanus.wire.service.TsoService.TimestampRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TsoTest {
  private static final PChannel CHANNEL = PChannel.of("c", 0);
  private static final CallContext CONTEXT = CallContext.background("test");

  private final TestThreads threads = new TestThreads();
  private final FaultyMetaStore meta =
      new FaultyMetaStore(new MemoryMetaStore(threads.clock(), threads.timers()));
  private final ChannelTerms terms = new ChannelTerms();

  private Tso open() {
    FencedStore store = new FencedStore(meta);
    threads.await(store.takeTerm());
    Tso tso = new Tso(threads, store, terms, Leadership.SOLE, new SimpleMeterRegistry());
    threads.await(tso.start());
    return tso;
  }

  private HybridTs alloc(Tso tso, int count) {
    TimestampRange range =
        threads.await(tso.allocTimestamp(CONTEXT, new AllocTimestamp(count, null)));
    assertThat(range.count()).isEqualTo(count);
    return range.first();
  }

  @Test
  void grantsFollowTheWallClock() {
    Tso tso = open();

    assertThat(alloc(tso, 1).physicalMs()).isEqualTo(ManualClock.START_WALL_MS);

    threads.advance(Duration.ofMillis(700));
    assertThat(alloc(tso, 1).physicalMs()).isEqualTo(ManualClock.START_WALL_MS + 700);
  }

  @Test
  void aCoordinatorThatMayNotLeadGrantsNothing() {
    AtomicBoolean held = new AtomicBoolean(true);
    FencedStore store = new FencedStore(meta);
    threads.await(store.takeTerm());
    Tso tso = new Tso(threads, store, terms, held::get, new SimpleMeterRegistry());
    threads.await(tso.start());
    HybridTs last = alloc(tso, 1);

    held.set(false);

    assertThat(tso.tryNow()).isNull();
    assertThat(tso.allocTimestamp(CONTEXT, new AllocTimestamp(1, null))).isCompletedExceptionally();
    // Its successor goes on above everything that it granted.
    assertThat(alloc(open(), 1).isAfter(last)).isTrue();
  }

  @Test
  void rangesNeverOverlap() {
    Tso tso = open();
    HybridTs end = HybridTs.ZERO;

    for (int i = 1; i < 2_000; i++) {
      HybridTs first = alloc(tso, i);
      assertThat(first.isAfter(end)).isTrue();
      end = first.plus(i - 1L);
      if (i % 50 == 0) {
        threads.advance(Duration.ofMillis(1));
      }
    }
  }

  @Test
  void clockStepBackwardsGoesOnAboveTheLastGrant() {
    Tso tso = open();
    HybridTs before = alloc(tso, 10).plus(9);

    threads.clock().setWallMs(ManualClock.START_WALL_MS - 3_600_000);

    HybridTs after = alloc(tso, 1);
    assertThat(after).isEqualTo(before.plus(1));
  }

  @Test
  void moreThanAMillisecondHoldsMovesThePhysicalPart() {
    Tso tso = open();
    int all = 1 << HybridTs.LOGICAL_BITS;

    HybridTs first = alloc(tso, all);
    HybridTs second = alloc(tso, all);

    assertThat(second).isEqualTo(first.plus(all));
    assertThat(second.physicalMs()).isEqualTo(first.physicalMs() + 1);
  }

  @Test
  void demandBeyondTheWindowWaitsForItAndGoesOn() {
    Tso tso = open();
    int all = 1 << HybridTs.LOGICAL_BITS;
    HybridTs last = HybridTs.ZERO;

    // 20 s of timestamps while the clock stands still: the window of 3 s moves many times.
    for (int i = 0; i < 20_000; i++) {
      HybridTs first = alloc(tso, all);
      assertThat(first.isAfter(last)).isTrue();
      last = first.plus(all - 1L);
    }
  }

  @Test
  void restartGrantsAboveEverythingGrantedBefore() {
    HybridTs last = alloc(open(), 1 << HybridTs.LOGICAL_BITS).plus((1 << 18) - 1);

    threads.clock().setWallMs(ManualClock.START_WALL_MS - 86_400_000);
    HybridTs first = alloc(open(), 1);

    assertThat(first.isAfter(last)).isTrue();
  }

  @Test
  void deposedOracleGrantsNothingAboveItsWindow() {
    Tso old = open();
    HybridTs lastOfOld = alloc(old, 1);
    Tso current = open();
    HybridTs firstOfCurrent = alloc(current, 1);

    threads.advance(Duration.ofSeconds(10));

    assertThatThrownBy(() -> alloc(old, 1))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
    assertThat(firstOfCurrent.isAfter(lastOfOld)).isTrue();
    assertThat(alloc(current, 1).isAfter(firstOfCurrent)).isTrue();
  }

  @Test
  void idleOracleKeepsItsWindowAhead() {
    Tso tso = open();

    threads.advance(Duration.ofMinutes(5));

    assertThat(tso.allocTimestamp(CONTEXT, new AllocTimestamp(1, null))).isCompleted();
  }

  @Test
  void failedWindowWriteIsRepeatedForThoseWhoWait() {
    Tso tso = open();
    alloc(tso, 1);
    meta.failNext(3, DbException.of(ErrorCode.TOO_MANY_REQUESTS));
    threads.clock().advance(Duration.ofSeconds(4));

    CompletableFuture<TimestampRange> waiting =
        tso.allocTimestamp(CONTEXT, new AllocTimestamp(1, null));
    assertThat(waiting).isNotDone();

    assertThat(threads.await(waiting, Duration.ofSeconds(2)).first().physicalMs())
        .isGreaterThanOrEqualTo(ManualClock.START_WALL_MS + 4_000);
  }

  @Test
  void tickIsRefusedOnceAHigherTermExists() {
    Tso tso = open();
    terms.raise(CHANNEL, 4);
    AllocTimestamp request = new AllocTimestamp(1, new ChannelTerm(CHANNEL, 4));
    assertThat(tso.allocTimestamp(CONTEXT, request)).isCompleted();

    terms.raise(CHANNEL, 5);

    assertThatThrownBy(() -> threads.await(tso.allocTimestamp(CONTEXT, request)))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE));
  }

  @Test
  void idsAreNeverGrantedTwiceOverRestarts() {
    Tso first = open();
    IdRange a = threads.await(first.allocId(CONTEXT, new AllocId(5)));
    IdRange b = threads.await(first.allocId(CONTEXT, new AllocId(3_000_000)));
    IdRange c = threads.await(open().allocId(CONTEXT, new AllocId(1)));

    assertThat(a.first()).isGreaterThan(100);
    assertThat(b.first()).isEqualTo(a.first() + 5);
    assertThat(c.first()).isGreaterThanOrEqualTo(b.first() + 3_000_000);
  }

  @Test
  void concurrentCallersGetDisjointRanges() throws InterruptedException {
    try (SystemThreads system =
        new SystemThreads("test", (_, fault) -> System.err.println(fault))) {
      FencedStore store = new FencedStore(new MemoryMetaStore(system.clock(), system.timers()));
      store.takeTerm().join();
      Tso tso = new Tso(system, store, terms, Leadership.SOLE, new SimpleMeterRegistry());
      tso.start().join();
      List<long[]> ranges = new ArrayList<>();
      CountDownLatch ended = new CountDownLatch(4);
      var executor = system.blocking("caller");
      for (int caller = 0; caller < 4; caller++) {
        executor.execute(() -> {
          List<long[]> own = new ArrayList<>();
          for (int i = 0; i < 20_000; i++) {
            long first =
                tso.allocTimestamp(CONTEXT, new AllocTimestamp(1 + i % 7, null))
                    .join()
                    .first()
                    .value();
            own.add(new long[] {first, first + i % 7});
          }
          synchronized (ranges) {
            ranges.addAll(own);
          }
          ended.countDown();
        });
      }
      ended.await();
      tso.close();
      ranges.sort((x, y) -> Long.compare(x[0], y[0]));
      assertThat(ranges).hasSize(80_000);
      for (int i = 1; i < ranges.size(); i++) {
        assertThat(ranges.get(i)[0]).isGreaterThan(ranges.get(i - 1)[1]);
      }
    }
  }
}
