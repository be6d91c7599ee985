package io.elanus.role.streaming;

import static io.elanus.role.streaming.Samples.broadcast;
import static io.elanus.role.streaming.Samples.collection;
import static io.elanus.role.streaming.Samples.delete;
import static io.elanus.role.streaming.Samples.drop;
import static io.elanus.role.streaming.Samples.insert;
import static io.elanus.role.streaming.Samples.manualFlush;
import static io.elanus.role.streaming.Samples.vchannel;
import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.random.Rng;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.log.MemoryWal;
import io.elanus.testkit.Seeds;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.StreamingService.AppendReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class TickTest {
  @Test
  void aDemandedTickNeedsNoAppendAndNoInterval() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      Reader reader = h.readAll(1);
      int appends = h.log.appendCount();
      long nanos = h.threads.clock().nanoTime();
      HybridTs wanted = h.tso.now();

      h.node.demandTick(vchannel(1), wanted);
      h.threads.pump();

      assertThat(reader.tick).isGreaterThan(wanted);
      assertThat(h.log.appendCount()).isEqualTo(appends);
      assertThat(h.threads.clock().nanoTime()).isEqualTo(nanos);
    }
  }

  @Test
  void manyDemandsAtOnceCostOneGrant() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      Reader reader = h.readAll(1);
      int calls = h.tso.timestampCalls();
      HybridTs wanted = h.tso.now();

      for (int i = 0; i < 100; i++) {
        h.node.demandTick(vchannel(1), wanted);
      }
      h.threads.pump();

      assertThat(reader.tick).isGreaterThan(wanted);
      assertThat(h.tso.timestampCalls() - calls).isEqualTo(1);
    }
  }

  @Test
  void aDemandedTickWaitsForWhatIsInFlight() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      Reader reader = h.readAll(1);
      h.log.holdAnswers();
      h.append(false, insert(1, 1, 1));
      h.threads.pump();
      HybridTs wanted = h.tso.now();

      h.node.demandTick(vchannel(1), wanted);
      h.threads.pump();
      assertThat(reader.tick.isAtLeast(wanted)).isFalse();
      h.log.release();
      h.threads.pump();

      assertThat(reader.tick).isGreaterThan(wanted);
      assertThat(reader.insertedKeys()).containsExactly(1L);
    }
  }

  @Test
  void readersLearnTicksAtTheIntervalAndOnlyWhileThereAreSome() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      h.threads.advance(Duration.ofSeconds(2));
      int idle = h.tso.timestampCalls();
      h.threads.advance(Duration.ofSeconds(2));
      assertThat(h.tso.timestampCalls()).isEqualTo(idle);

      Reader reader = h.read(1, MessageId.NONE);
      h.threads.pump();
      HybridTs before = reader.tick;
      h.threads.advance(Duration.ofMillis(450));

      assertThat(reader.tick).isGreaterThan(before);
      assertThat(h.tso.timestampCalls() - idle).isBetween(1, 4);
    }
  }

  @Test
  void aDemandAheadOfTheClockIsMetByTheInterval() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      Reader reader = h.readAll(1);
      int calls = h.tso.timestampCalls();
      HybridTs future = HybridTs.of(h.threads.clock().wallMs() + 1000, 0);

      h.node.demandTick(vchannel(1), future);
      h.threads.pump();
      assertThat(h.tso.timestampCalls() - calls).isLessThanOrEqualTo(2);
      h.threads.advance(Duration.ofMillis(1500));

      assertThat(reader.tick).isGreaterThan(future);
    }
  }

  /// One random run: requests of all kinds on three collections, answers of the log held back at
  /// random, failing at times, under a random interleaving of all loops.
  @Test
  void ticksRiseAndEveryAcknowledgedMessageIsDeliveredOnce() {
    Seeds.forEach("ticks", 60, TickTest::randomRun);
  }

  private record Sent(WalMessage message, CompletableFuture<AppendReply> reply) {}

  private static void randomRun(Rng rng) {
    try (Harness h = new Harness(new MemoryWal(), rng.split("threads"))) {
      h.open();
      TreeMap<Long, Reader> readers = new TreeMap<>();
      List<Sent> sent = new ArrayList<>();
      for (long c = 1; c <= 3; c++) {
        h.createCollection(c);
        readers.put(c, h.read(c, MessageId.NONE));
      }
      h.log.holdAnswers();
      for (int i = 0; i < 120; i++) {
        act(h, rng, i, sent);
        int steps = rng.nextInt(12);
        while (steps > 0 && h.threads.step()) {
          steps--;
        }
      }
      h.log.release();
      h.threads.pump();
      assertThat(h.faults).isEmpty();
      assertThat(sent.stream().filter(s -> !s.reply().isDone()).count()).isZero();
      HybridTs now = h.tso.now();
      readers.keySet().forEach(c -> h.node.demandTick(vchannel(c), now));
      h.threads.pump();
      readers.forEach((c, reader) -> check(c, reader, sent, now));
    }
  }

  private static void act(Harness h, Rng rng, int i, List<Sent> sent) {
    long c = 1L + rng.nextInt(3);
    switch (rng.nextInt(14)) {
      case 0 -> h.node.demandTick(vchannel(c), h.tso.now());
      case 1, 2, 3 -> h.log.releaseOne();
      case 4 -> h.log.failNextAppends(1, DbException.of(ErrorCode.IO_FAILED, "disk").asRetriable());
      case 5 -> send(h, sent, false, manualFlush(c));
      case 6 ->
          send(h, sent, true, delete(c, i), insert(c, 1000L * i, 2), insert(c, 1000L * i + 2, 1));
      case 7 -> send(h, sent, false, delete(c, i, i + 1));
      case 8 -> h.threads.advance(Duration.ofMillis(rng.nextInt(250)));
      default -> send(h, sent, false, insert(c, 1000L * i, 1 + rng.nextInt(3)));
    }
  }

  private static void send(Harness h, List<Sent> sent, boolean atomic, WalMessage... messages) {
    CompletableFuture<AppendReply> reply = h.append(atomic, messages);
    for (WalMessage message : messages) {
      sent.add(new Sent(message, reply));
    }
  }

  private static void check(long c, Reader reader, List<Sent> sent, HybridTs now) {
    assertThat(reader.tick).isGreaterThan(now);
    List<Long> expected = new ArrayList<>();
    for (Sent each : sent) {
      boolean mine = each.message().vchannel().equals(vchannel(c));
      if (mine
          && !each.reply().isCompletedExceptionally()
          && each.message().body() instanceof Message.Insert insert) {
        var keys = java.util.Objects.requireNonNull(insert.rows().column(Samples.PK));
        for (int i = 0; i < keys.rows(); i++) {
          expected.add(keys.longAt(i));
        }
      }
    }
    assertThat(reader.insertedKeys()).containsExactlyElementsOf(expected);
    TreeSet<Long> open = new TreeSet<>();
    for (WalMessage message : reader.messages) {
      switch (message.body()) {
        case Message.CreateSegment create -> open.add(create.segmentId().value());
        case Message.Flush flush -> assertThat(open.remove(flush.segmentId().value())).isTrue();
        case Message.Insert insert -> assertThat(open).contains(insert.segmentId().value());
        default -> {}
      }
    }
  }

  @Test
  void aDroppedCollectionCanBeFollowedByOneOfAnotherId() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      h.appendOne(insert(1, 1, 1));
      h.appendOne(broadcast(5, drop(1)));
      h.appendOne(broadcast(6, Samples.create(collection(2))));
      h.appendOne(insert(2, 1, 1));

      assertThat(h.readAll(2).types())
          .containsExactly("CREATE_COLLECTION", "CREATE_SEGMENT", "INSERT");
    }
  }
}
