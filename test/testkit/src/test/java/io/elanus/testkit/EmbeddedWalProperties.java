package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.random.Rng;
import io.elanus.engine.log.EmbeddedWal;
import io.elanus.engine.log.EmbeddedWalOptions;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.engine.log.WalReader;
import io.elanus.engine.log.WalRecord;
import io.elanus.testkit.FaultyFiles.Crash;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Random histories of appends, disk faults, truncations and crashes: no answered record is lost,
/// none that was refused is there while the log is open, what is there is in order, and a crash is
/// never taken for damage.
class EmbeddedWalProperties {
  private static final PChannel CHANNEL = new PChannel("p");

  @Test
  void answeredRecordsSurviveEveryCrash() {
    Seeds.forEach("wal-crash", 150, rng -> new History(rng).run(30));
  }

  private static final class History {
    private final Rng rng;
    private final FaultyFiles disk = new FaultyFiles();
    private final TreeMap<Long, byte[]> answered = new TreeMap<>();
    private final EmbeddedWalOptions options;
    private TestThreads threads;
    private WalLog log;
    private long term;
    private long highWater = -1;
    private long truncatedBefore;

    History(Rng rng) {
      this.rng = rng;
      this.options =
          new EmbeddedWalOptions(
              500 + rng.nextInt(5000), 1 + rng.nextInt(4000), 1 << 20, 1 << 20, false);
      this.threads = new TestThreads(rng.split("threads"));
      this.log = open();
    }

    private WalLog open() {
      threads = new TestThreads(rng.split("threads" + term));
      EmbeddedWal wal = new EmbeddedWal(disk, threads, options);
      term++;
      return threads.await(wal.open(CHANNEL, term, new WalOpenOptions(new MessageId(highWater))));
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        switch (rng.nextInt(8)) {
          case 0, 1, 2, 3 -> appendSome(1 + rng.nextInt(5));
          case 4 -> fault();
          case 5 -> truncate();
          case 6 -> highWater = threads.await(log.persistHighWater()).value();
          default -> crash();
        }
        check();
      }
    }

    private record InFlight(List<byte[]> records, CompletableFuture<List<MessageId>> future) {}

    private List<InFlight> submit(int batches) {
      List<InFlight> flying = new ArrayList<>();
      for (int i = 0; i < batches; i++) {
        List<byte[]> records = new ArrayList<>();
        for (int j = 1 + rng.nextInt(3); j > 0; j--) {
          records.add(Seeds.bytes(rng, rng.nextInt(Seeds.oneIn(rng, 5) ? 3000 : 100)));
        }
        flying.add(new InFlight(records, log.appendBytes(records)));
      }
      return flying;
    }

    private void settle(List<InFlight> flying) {
      for (InFlight one : flying) {
        if (!one.future().isDone() || one.future().isCompletedExceptionally()) {
          continue;
        }
        List<MessageId> ids = one.future().join();
        for (int i = 0; i < ids.size(); i++) {
          assertThat(answered.put(ids.get(i).value(), one.records().get(i))).isNull();
        }
      }
    }

    private void appendSome(int batches) {
      List<InFlight> flying = submit(batches);
      threads.pump();
      assertThat(flying).allMatch(one -> one.future().isDone());
      settle(flying);
    }

    private void fault() {
      switch (rng.nextInt(4)) {
        case 0 -> disk.leaveRoomFor(rng.nextInt(3000));
        case 1 -> disk.failForces(1 + rng.nextInt(2));
        case 2 -> disk.failTruncates(1);
        default -> disk.failCreates(1);
      }
      appendSome(2);
      check();
      disk.makeRoom();
      disk.failForces(0);
      disk.failTruncates(0);
      disk.failCreates(0);
    }

    private void truncate() {
      if (answered.isEmpty()) {
        return;
      }
      long before = answered.firstKey() + rng.nextInt(answered.size() + 1);
      threads.await(log.truncate(new MessageId(before)));
      truncatedBefore = Math.max(truncatedBefore, Math.min(before, log.lastId().value() + 1));
      answered.headMap(Math.max(0, log.firstId().value())).clear();
    }

    private void crash() {
      List<InFlight> flying = submit(rng.nextInt(4));
      for (int i = rng.nextInt(3); i > 0; i--) {
        threads.step();
      }
      settle(flying);
      boolean restart = Seeds.oneIn(rng, 4);
      if (restart) {
        return;
      }
      Crash[] kinds = Crash.values();
      // What the interrupted writer left half-written is on the disk, then the machine goes.
      disk.leaveRoomFor(rng.nextInt(2000));
      List<InFlight> more = Seeds.oneIn(rng, 2) ? submit(1) : List.of();
      disk.failTruncates(1);
      threads.pump();
      settle(flying.stream().filter(one -> !isSettled(one)).toList());
      settle(more);
      disk.crash(kinds[rng.nextInt(kinds.length)], rng);
      disk.makeRoom();
      log = open();
    }

    private boolean isSettled(InFlight one) {
      return one.future().isDone()
          && !one.future().isCompletedExceptionally()
          && (one.future().join().isEmpty()
              || answered.containsKey(one.future().join().getFirst().value()));
    }

    private void check() {
      TreeMap<Long, byte[]> found = new TreeMap<>();
      long last = -1;
      try (WalReader reader = log.read(MessageId.NONE)) {
        for (List<WalRecord> batch = reader.readBatch(1 + rng.nextInt(5000));
            !batch.isEmpty();
            batch = reader.readBatch(1 + rng.nextInt(5000))) {
          for (WalRecord record : batch) {
            assertThat(record.id().value()).isGreaterThan(last);
            last = record.id().value();
            found.put(last, record.payload());
          }
        }
      }
      assertThat(last).isEqualTo(found.isEmpty() ? -1 : log.lastId().value());
      assertThat(log.firstId().value()).isEqualTo(found.isEmpty() ? -1 : found.firstKey());
      answered
          .tailMap(truncatedBefore)
          .forEach((id, bytes) -> assertThat(found.get(id)).as("record %s", id).isEqualTo(bytes));
      // Whole records of an unanswered append that a crash left are part of the log from then on.
      found.forEach(answered::putIfAbsent);
    }
  }
}
