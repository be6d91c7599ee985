package io.elanus.role.streaming;

import static io.elanus.role.streaming.Samples.PCHANNEL;
import static io.elanus.role.streaming.Samples.broadcast;
import static io.elanus.role.streaming.Samples.delete;
import static io.elanus.role.streaming.Samples.drop;
import static io.elanus.role.streaming.Samples.insert;
import static io.elanus.role.streaming.Samples.manualFlush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.random.Rng;
import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.engine.log.WalReader;
import io.elanus.engine.log.WalRecord;
import io.elanus.role.streaming.recovery.LogReplay;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.testkit.Seeds;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageCodec;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.StreamingService.AppendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class RecoveryTest {
  private static List<byte[]> records(MemoryWal wal, long term) {
    WalLog log = wal.open(PCHANNEL, term, WalOpenOptions.DEFAULT).join();
    List<byte[]> records = new ArrayList<>();
    try (WalReader reader = log.read(MessageId.NONE)) {
      for (var batch = reader.readBatch(1 << 20);
          !batch.isEmpty();
          batch = reader.readBatch(1 << 20)) {
        for (WalRecord record : batch) {
          records.add(record.payload());
        }
      }
    }
    return records;
  }

  private static MemoryWal prefix(List<byte[]> records, int count) {
    MemoryWal wal = new MemoryWal();
    WalLog log = wal.open(PCHANNEL, 0, WalOpenOptions.DEFAULT).join();
    if (count > 0) {
      log.appendBytes(records.subList(0, count)).join();
    }
    return wal;
  }

  private static ChannelState replay(MemoryWal wal, ChannelState.Snapshot from) {
    return LogReplay.run(from, wal.open(PCHANNEL, 1, WalOpenOptions.DEFAULT).join());
  }

  private static String json(ChannelState state) {
    return new String(WireJson.write(state.snapshot()), java.nio.charset.StandardCharsets.UTF_8);
  }

  private static void randomWork(Harness h, Rng rng, int count) {
    TreeSet<Long> alive = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      long c = 1L + rng.nextInt(3);
      if (alive.add(c)) {
        h.appendOne(broadcast(1000L + i, Samples.create(Samples.collection(c))));
        continue;
      }
      switch (rng.nextInt(12)) {
        case 0 -> {
          h.appendOne(broadcast(1000L + i, drop(c)));
          alive.remove(c);
        }
        case 1 -> h.appendOne(manualFlush(c));
        case 2, 3, 4 ->
            h.appendTxn(
                delete(c, i),
                insert(c, 100L * i, 1),
                insert(c, Samples.OTHER_PARTITION, 1, 100L * i + 1, 1));
        case 5 -> h.appendOne(delete(c, i));
        default -> h.appendOne(insert(c, 100L * i, 1 + rng.nextInt(3)));
      }
    }
  }

  @Test
  void recordOfANewerVersionIsRefusedForGoodAndNamed() {
    MemoryWal written = new MemoryWal();
    try (Harness h = new Harness(written, null)) {
      h.open();
      h.appendOne(broadcast(1000L, Samples.create(Samples.collection(1))));
      h.appendOne(insert(1, 100L, 1));
    }
    List<byte[]> records = records(written, 99);
    int last = records.size() - 1;
    byte[] newer = records.get(last).clone();
    newer[0] = 3;
    records.set(last, newer);
    MemoryWal wal = prefix(records, records.size());

    assertThatThrownBy(() -> replay(wal, ChannelState.Snapshot.EMPTY))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.OPERATION_UNSUPPORTED);
              assertThat(e.isRetriable()).isFalse();
            })
        .hasMessageContainingAll(
            "record " + last, PCHANNEL.name(), "format version 3", "reads up to 1");
  }

  /// For every crash point: the stored state plus the rest of the log is the fold of the whole log.
  @Test
  void recoveryEqualsTheReplayOfThePrefix() {
    Seeds.forEach(
        "recovery",
        3,
        rng -> {
          MemoryWal wal = new MemoryWal();
          List<byte[]> records;
          try (Harness h = new Harness(wal, null)) {
            h.open();
            randomWork(h, rng, 60);
            records = records(wal, 50);
          }
          ChannelState.Snapshot stored = ChannelState.Snapshot.EMPTY;
          for (int end = 0; end <= records.size(); end++) {
            ChannelState whole = replay(prefix(records, end), ChannelState.Snapshot.EMPTY);
            ChannelState recovered = replay(prefix(records, end), stored);
            assertThat(json(recovered)).isEqualTo(json(whole));
            assertThat(json(ChannelState.of(whole.snapshot()))).isEqualTo(json(whole));
            if (endsAUnit(records, end) && rng.nextInt(4) == 0) {
              stored = whole.snapshot();
            }
          }
        });
  }

  private static boolean endsAUnit(List<byte[]> records, int end) {
    if (end == 0) {
      return false;
    }
    WalMessage last = MessageCodec.decode(records.get(end - 1));
    return last.header().txnId() == 0 || last.body() instanceof Message.CommitTxn;
  }

  /// A log that is cut anywhere, a transaction's middle included, shows whole transactions only,
  /// and takes new ones.
  @Test
  void aTransactionCutByACrashIsNeverSeen() {
    MemoryWal wal = new MemoryWal();
    List<byte[]> records;
    try (Harness h = new Harness(wal, null)) {
      h.open().createCollection(1);
      h.appendOne(insert(1, 1, 1));
      h.appendTxn(insert(1, 2, 1), insert(1, 3, 1), insert(1, 4, 1));
      h.appendOne(insert(1, 5, 1));
      records = records(wal, 50);
    }
    List<List<Long>> seen = new ArrayList<>();
    for (int end = 2; end <= records.size(); end++) {
      try (Harness h = new Harness(prefix(records, end), null)) {
        h.term = 60;
        h.threads.clock().advance(Duration.ofSeconds(10));
        h.open();
        h.appendOne(insert(1, 9, 1));
        List<Long> keys = h.readAll(1).insertedKeys();
        assertThat(keys).endsWith(9L);
        seen.add(keys.subList(0, keys.size() - 1));
      }
    }
    assertThat(new ArrayList<>(new java.util.LinkedHashSet<>(seen)))
        .containsExactly(
            List.of(), List.of(1L), List.of(1L, 2L, 3L, 4L), List.of(1L, 2L, 3L, 4L, 5L));
  }

  @Test
  void acknowledgedWritesSurviveAnyNumberOfCrashes() {
    Seeds.forEach(
        "crashes",
        10,
        rng -> {
          try (Harness h = new Harness(new MemoryWal(), rng.split("threads"))) {
            h.open().createCollection(1);
            List<Long> acknowledged = new ArrayList<>();
            for (long i = 0; i < 60; i++) {
              h.appendTxn(insert(1, 2 * i, 1), insert(1, 2 * i + 1, 1));
              acknowledged.add(2 * i);
              acknowledged.add(2 * i + 1);
              switch (rng.nextInt(6)) {
                case 0 -> h.crash();
                case 1 -> h.threads.advance(Duration.ofSeconds(rng.nextInt(15)));
                default -> {}
              }
            }
            assertThat(h.readAll(1).insertedKeys()).isEqualTo(acknowledged);
            AppendResult flush = h.appendOne(manualFlush(1));
            h.threads.advance(Duration.ofMinutes(2));
            assertThat(h.coord.segment(flush.sealed().getFirst()).stats().rows()).isEqualTo(120);
          }
        });
  }

  @Test
  void ticksGoOnAboveEverythingTheLogHolds() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      AppendResult before = h.appendOne(insert(1, 1, 1));
      h.crash();
      AppendResult after = h.appendOne(insert(1, 2, 1));

      assertThat(after.timeTick()).isGreaterThan(before.timeTick());
    }
  }

  @Test
  void aLogThatLostRecordsIsAnErrorAndNotAShorterLog() {
    MemoryWal wal = new MemoryWal();
    Harness h = new Harness(wal, null).open();
    h.createCollection(1);
    h.appendOne(insert(1, 1, 1));
    h.threads.advance(Duration.ofSeconds(15));
    List<byte[]> records = records(wal, 50);
    StreamingNode node =
        new StreamingNode(
            new StreamingDeps(
                new StreamingDeps.Engines(prefix(records, 1), h.meta, h.objects),
                new StreamingDeps.Coordinator(h.tso, h.coord),
                new StreamingDeps.Process(
                    h.threads,
                    new Rng(1),
                    (_, _) -> {},
                    new io.micrometer.core.instrument.simple.SimpleMeterRegistry()),
                StreamingConfig.defaults()));

    assertThatThrownBy(() ->
            h.threads.await(
                node.open(
                    Harness.CALL,
                    new io.elanus.wire.service.StreamingService.OpenChannel(PCHANNEL, 70))))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY));
  }

  @Test
  void aFailedOpeningCanBeTriedAgainAtTheSameTerm() {
    try (Harness h = new Harness()) {
      MemoryWal other = new MemoryWal();
      other.close();
      Harness broken = new Harness(other, null);
      assertThatThrownBy(broken::open).isInstanceOf(DbException.class);
      assertThatThrownBy(() ->
              broken.threads.await(
                  broken.node.open(
                      Harness.CALL,
                      new io.elanus.wire.service.StreamingService.OpenChannel(
                          PCHANNEL, broken.term))))
          .isInstanceOf(DbException.class);
      assertThat(h.open().term).isEqualTo(1);
    }
  }
}
