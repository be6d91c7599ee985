package io.elanus.role.query.delegator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.loop.SystemThreads;
import io.elanus.base.loop.Threads;
import io.elanus.base.random.Rng;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.role.query.delegator.TestShard.Row;
import io.elanus.testkit.Seeds;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DelegatorService.UnwatchShard;
import io.elanus.wire.service.DelegatorService.ViewSegment;
import io.elanus.wire.service.ReadReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Reads beside writes, flushes, hand-overs, compactions and restarts: every read sees each row
/// that was visible at its timestamp exactly once.
class HandOverHammerTest {
  /// All that was written, by which a read at any timestamp is checked.
  private static final class Truth {
    private record Version(long tag, long from, long to) {}

    private final TreeMap<Long, List<Version>> keys = new TreeMap<>();

    synchronized void put(long key, long tag, long tick) {
      remove(key, tick);
      keys.computeIfAbsent(key, k -> new ArrayList<>()).add(new Version(tag, tick, Long.MAX_VALUE));
    }

    synchronized void remove(long key, long tick) {
      List<Version> versions = keys.get(key);
      if (versions != null) {
        versions.replaceAll(
            v -> v.to == Long.MAX_VALUE && v.from < tick ? new Version(v.tag, v.from, tick) : v);
      }
    }

    synchronized List<String> at(long ts) {
      List<String> rows = new ArrayList<>();
      keys.forEach((key, versions) -> {
        for (Version v : versions) {
          if (v.from <= ts && ts < v.to) {
            rows.add(key + ":" + v.tag);
          }
        }
      });
      return rows;
    }
  }

  /// Plays writer, flusher and coordinator, one random step at a time.
  private static final class Actor {
    final TestShard shard;
    final Rng rng;
    final Truth truth = new Truth();
    final List<Long> open = new ArrayList<>();
    final TreeMap<Long, List<Row>> sealedRows = new TreeMap<>();
    final TreeMap<Long, List<Long>> sealedTs = new TreeMap<>();
    MessageId checkpoint = new MessageId(0);
    long nextSegment = 1;
    long nextTag = 1;
    volatile HybridTs acknowledged;

    Actor(TestShard shard, Rng rng) {
      this.shard = shard;
      this.rng = rng;
      this.acknowledged = shard.tail.lastTick();
      open.add(nextSegment++);
    }

    void write() {
      List<Long> deleted = new ArrayList<>();
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < 1 + rng.nextInt(6); i++) {
        long key = rng.nextInt(60);
        deleted.add(key);
        if (rng.nextInt(4) != 0 && rows.stream().noneMatch(r -> r.key() == key)) {
          rows.add(new Row(key, nextTag++, rng.nextInt(100)));
        }
      }
      synchronized (truth) {
        HybridTs tick =
            shard.append(deleted, open.get(rng.nextInt(open.size())), rows.toArray(new Row[0]));
        deleted.forEach(key -> truth.remove(key, tick.value()));
        rows.forEach(row -> truth.put(row.key(), row.tag(), tick.value()));
        acknowledged = tick;
      }
    }

    /// Seals a growing segment and stores it; it joins the view later.
    @Nullable SegmentMeta flush() {
      long id = open.remove(0);
      open.add(nextSegment++);
      if (!shard.growing.containsKey(new SegmentId(id))) {
        return null;
      }
      SegmentMeta meta = shard.flush(id);
      sealedRows.put(id, Objects.requireNonNull(shard.growing.remove(new SegmentId(id))));
      sealedTs.put(id, Objects.requireNonNull(shard.growingTs.remove(new SegmentId(id))));
      return meta;
    }

    /// Writes some sealed segments as one, in the view's place of them.
    @Nullable SegmentMeta compact() {
      if (shard.viewSegments.size() < 2) {
        return null;
      }
      List<Row> rows = new ArrayList<>();
      List<Long> ts = new ArrayList<>();
      List<ViewSegment> inputs = new ArrayList<>(shard.viewSegments.subList(0, 2));
      for (ViewSegment input : inputs) {
        rows.addAll(Objects.requireNonNull(sealedRows.get(input.segment().value())));
        ts.addAll(Objects.requireNonNull(sealedTs.get(input.segment().value())));
      }
      long id = 1_000_000 + nextSegment++;
      sealedRows.put(id, rows);
      sealedTs.put(id, ts);
      shard.viewSegments.removeAll(inputs);
      inputs.forEach(input -> shard.replaced.add(input.segment()));
      return shard.write(id, rows, ts);
    }

    void join(SegmentMeta meta) {
      shard.viewSegments.add(new ViewSegment(meta.id(), TestShard.NODE));
    }
  }

  private static void check(Actor actor, ReadReply reply) {
    long readTs = reply.cost().readTs().value();
    if (reply instanceof ReadReply.Counted counted) {
      // Counts don't merge rows of one key, so they tell a row that is there twice.
      assertThat(counted.rows()).isEqualTo(actor.truth.at(readTs).size());
    } else {
      assertThat(TestShard.rowsOf(reply)).isEqualTo(actor.truth.at(readTs));
    }
  }

  private static CompletableFuture<ReadReply> anyRead(Actor actor, Rng rng) {
    HybridTs acknowledged = actor.acknowledged;
    HybridTs fixed =
        rng.nextInt(4) == 0 ? new HybridTs(acknowledged.value() - rng.nextInt(30)) : null;
    HybridTs guarantee = rng.nextInt(3) == 0 ? new HybridTs(1) : acknowledged;
    return rng.nextInt(3) == 0
        ? actor.shard.count(guarantee)
        : actor.shard.query("", guarantee, fixed, Deadline.NONE);
  }

  @Test
  void everyInterleavingOfOneSeedShowsEachRowOnce() {
    Seeds.forEach("hand-over", 60, HandOverHammerTest::runInterleaved);
  }

  private static void runInterleaved(Rng rng) {
    TestThreads threads = new TestThreads(rng.split("threads"));
    Actor actor = new Actor(new TestShard(threads), rng);
    TestShard shard = actor.shard;
    threads.await(shard.watch(new MessageId(0)));
    List<CompletableFuture<ReadReply>> reads = new ArrayList<>();
    for (int step = 0; step < 150; step++) {
      switch (rng.nextInt(12)) {
        case 0 -> {
          SegmentMeta meta = actor.flush();
          if (meta != null) {
            joinWithin(threads, actor, meta);
          }
        }
        case 1 -> {
          SegmentMeta meta = actor.compact();
          if (meta != null) {
            shard.storeDeletes();
            joinWithin(threads, actor, meta);
          }
        }
        case 2 -> {
          if (rng.nextInt(4) == 0) {
            threads.await(
                shard.delegators.unwatch(
                    CallContext.background("unwatch"), new UnwatchShard(TestShard.VCHANNEL)));
            threads.await(shard.watch(actor.checkpoint));
          }
        }
        case 3, 4, 5 -> reads.add(anyRead(actor, rng));
        default -> actor.write();
      }
      for (int i = rng.nextInt(6); i > 0; i--) {
        threads.step();
      }
    }
    threads.pump();
    for (CompletableFuture<ReadReply> read : reads) {
      // Reads that a restart refused are the caller's to repeat.
      if (!read.isCompletedExceptionally()) {
        check(actor, threads.await(read));
      }
    }
    check(actor, threads.await(shard.query(actor.acknowledged)));
    threads.close();
  }

  /// Loads a segment and switches to a view with it, writing and reading meanwhile.
  private static void joinWithin(TestThreads threads, Actor actor, SegmentMeta meta) {
    CompletableFuture<?> loaded = actor.shard.load(TestShard.NODE, meta);
    while (!loaded.isDone()) {
      if (actor.rng.nextInt(3) == 0) {
        actor.write();
      }
      threads.step();
    }
    loaded.join();
    actor.join(meta);
    CompletableFuture<?> updated = actor.shard.updateView();
    for (int i = actor.rng.nextInt(4); i > 0; i--) {
      threads.step();
      actor.write();
    }
    threads.await(updated);
    if (actor.rng.nextInt(2) == 0) {
      threads.await(actor.shard.query(actor.acknowledged));
    }
  }

  @Test
  void concurrentReadsSeeEachRowOnceWhileSegmentsChangeHands() throws Exception {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger reads = new AtomicInteger();
    try (Threads threads =
        new SystemThreads("test", (component, fault) -> failure.compareAndSet(null, fault))) {
      Actor actor = new Actor(new TestShard(threads), new Rng(99));
      actor.shard.watch(new MessageId(0)).get(10, TimeUnit.SECONDS);
      List<Thread> readers = new ArrayList<>();
      for (int r = 0; r < 3; r++) {
        Rng rng = new Rng(r);
        Thread reader =
            new Thread(() -> {
              try {
                while (!stop.get() && failure.get() == null) {
                  check(actor, anyRead(actor, rng).get(10, TimeUnit.SECONDS));
                  reads.incrementAndGet();
                }
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              }
            });
        readers.add(reader);
        reader.start();
      }
      for (int step = 0; (step < 1500 || reads.get() < 300) && failure.get() == null; step++) {
        hammer(actor, step);
      }
      stop.set(true);
      for (Thread reader : readers) {
        reader.join();
      }
    }
    assertThat(failure.get()).isNull();
    assertThat(reads.get()).isGreaterThanOrEqualTo(300);
  }

  private static void hammer(Actor actor, int step) throws Exception {
    actor.write();
    SegmentMeta meta = null;
    if (step % 40 == 7) {
      meta = actor.flush();
    } else if (step % 90 == 11) {
      meta = actor.compact();
    }
    if (meta != null) {
      if (step % 2 == 0) {
        actor.shard.storeDeletes();
      }
      CompletableFuture<?> loaded = actor.shard.load(TestShard.NODE, meta);
      actor.write();
      loaded.get(10, TimeUnit.SECONDS);
      actor.join(meta);
      CompletableFuture<?> updated = actor.shard.updateView();
      actor.write();
      updated.get(10, TimeUnit.SECONDS);
    }
  }
}
