package io.elanus.role.streaming;

import static io.elanus.role.streaming.Samples.PCHANNEL;
import static io.elanus.role.streaming.Samples.delete;
import static io.elanus.role.streaming.Samples.drop;
import static io.elanus.role.streaming.Samples.insert;
import static io.elanus.role.streaming.Samples.manualFlush;
import static io.elanus.role.streaming.Samples.vchannel;
import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.SegmentId;
import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.engine.segment.DeltaLog;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.engine.storage.object.ObjectStat;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.engine.storage.object.ObjectWriter;
import io.elanus.testkit.Seeds;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import io.elanus.wire.service.StreamingService.AppendResult;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FlushTest {
  /// An object store whose puts fail while it is told so.
  private static final class FullDisk implements ObjectStore {
    private final MemoryObjectStore store = new MemoryObjectStore();
    private boolean full;
    private int puts;

    private void check() {
      puts++;
      if (full) {
        throw DbException.of(ErrorCode.IO_FAILED, "no space left");
      }
    }

    @Override
    public void put(String key, ByteBuffer content) {
      check();
      store.put(key, content);
    }

    @Override
    public void put(String key, ObjectWriter writer) {
      check();
      store.put(key, writer);
    }

    @Override
    public boolean putIfAbsent(String key, ByteBuffer content) {
      check();
      return store.putIfAbsent(key, content);
    }

    @Override
    public byte[] get(String key) {
      return store.get(key);
    }

    @Override
    public byte[] getRange(String key, long offset, int length) {
      return store.getRange(key, offset, length);
    }

    @Override
    public void readInto(String key, long offset, MemorySegment target) {
      store.readInto(key, offset, target);
    }

    @Override
    public MemorySegment map(String key, Arena arena) {
      return store.map(key, arena);
    }

    @Override
    public boolean mapsInPlace() {
      return store.mapsInPlace();
    }

    @Override
    public List<ObjectStat> list(String prefix) {
      return store.list(prefix);
    }

    @Override
    public boolean delete(String key) {
      return store.delete(key);
    }

    @Override
    public OptionalLong size(String key) {
      return store.size(key);
    }

    @Override
    public void close() {}
  }

  @Test
  void manualFlushStoresRowsDeletesAndMovesTheCheckpoint() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      AppendResult first = h.appendOne(insert(1, 1, 3));
      AppendResult last = h.appendOne(insert(1, 4, 2));
      h.appendOne(delete(1, 2, 3));
      AppendResult flush = h.appendOne(manualFlush(1));
      h.threads.pump();

      SegmentMeta segment = h.coord.segment(flush.sealed().getFirst());
      assertThat(segment.stats().rows()).isEqualTo(5);
      assertThat(segment.stats().minTs()).isEqualTo(first.timeTick());
      assertThat(segment.stats().maxTs()).isEqualTo(last.timeTick());
      assertThat(SealedSegment.open(h.objects, segment.path()).rows()).isEqualTo(5);
      DeltaLogMeta delta = h.coord.deltas.firstEntry().getValue();
      assertThat(DeltaLog.read(h.objects, delta.path()).keys()).isEqualTo(PrimaryKeys.of(2L, 3L));
      ChannelCheckpoint checkpoint = h.coord.checkpoint(vchannel(1));
      assertThat(checkpoint.tick().isAtLeast(flush.timeTick())).isTrue();
      assertThat(checkpoint.position()).isGreaterThan(flush.id());
    }
  }

  @Test
  void theCheckpointStaysBeforeRowsThatStillGrow() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      AppendResult old = h.appendOne(insert(1, Samples.OTHER_PARTITION, 1, 1, 1));
      h.appendOne(delete(1, 9));
      h.threads.advance(Duration.ofMinutes(15));

      ChannelCheckpoint checkpoint = h.coord.checkpoint(vchannel(1));
      assertThat(checkpoint.position()).isEqualTo(old.id());
      assertThat(checkpoint.tick().isAtLeast(old.timeTick())).isFalse();
      assertThat(h.coord.deltas).hasSize(1);
    }
  }

  @Test
  void theLogIsCutBelowWhatIsStored() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      for (int i = 0; i < 10; i++) {
        h.appendOne(insert(1, i, 1));
      }
      AppendResult flush = h.appendOne(manualFlush(1));
      h.threads.advance(Duration.ofSeconds(90));

      var log = h.wal.open(PCHANNEL, 99, WalOpenOptions.DEFAULT).join();
      assertThat(log.firstId().isNone() || log.firstId().isAfter(flush.id())).isTrue();
    }
  }

  @Test
  void afterACrashNothingStoredIsStoredAgain() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      h.appendOne(insert(1, Samples.OTHER_PARTITION, 1, 1, 1));
      h.appendOne(insert(1, 2, 1));
      h.appendOne(delete(1, 7));
      h.appendOne(manualFlush(1));
      h.appendOne(insert(1, 3, 1));
      h.threads.pump();
      List<SegmentId> reports = List.copyOf(h.coord.flushReports);
      int deltas = h.coord.deltas.size();

      h.crash();
      h.threads.advance(Duration.ofMinutes(20));
      assertThat(h.coord.flushReports).isEqualTo(reports);
      assertThat(h.coord.deltas).hasSize(deltas);

      AppendResult flush = h.appendOne(manualFlush(1));
      h.threads.pump();
      assertThat(flush.sealed()).hasSize(1);
      assertThat(h.coord.segment(flush.sealed().getFirst()).stats().rows()).isEqualTo(1);
      assertThat(h.coord.segments).hasSize(3);
    }
  }

  @Test
  void rowsThatGrewBeforeACrashAreStoredAfterIt() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      h.appendTxn(delete(1, 1), insert(1, 1, 2));
      h.appendOne(insert(1, 3, 1));
      h.crash();
      h.appendOne(insert(1, 4, 1));

      AppendResult flush = h.appendOne(manualFlush(1));
      h.threads.pump();

      assertThat(flush.sealed()).hasSize(1);
      assertThat(h.coord.segment(flush.sealed().getFirst()).stats().rows()).isEqualTo(4);
    }
  }

  @Test
  void aSegmentSealedBeforeACrashIsStoredAfterIt() {
    FullDisk disk = new FullDisk();
    try (Harness h = new Harness().withObjects(disk).open()) {
      h.createCollection(1);
      h.appendOne(insert(1, 1, 2));
      disk.full = true;
      AppendResult flush = h.appendOne(manualFlush(1));
      h.threads.pump();
      disk.full = false;

      h.crash();
      h.threads.pump();

      assertThat(h.coord.segment(flush.sealed().getFirst()).stats().rows()).isEqualTo(2);
    }
  }

  @Test
  void aFullDiskIsTriedUntilItHasRoomAndHoldsTheCheckpoint() {
    FullDisk disk = new FullDisk();
    try (Harness h = new Harness().withObjects(disk).open()) {
      h.createCollection(1);
      h.threads.pump();
      @Nullable ChannelCheckpoint before = h.coord.checkpoints.get(vchannel(1));
      AppendResult row = h.appendOne(insert(1, 1, 2));
      disk.full = true;
      AppendResult flush = h.appendOne(manualFlush(1));
      h.threads.advance(Duration.ofMinutes(3));
      assertThat(disk.puts).isGreaterThan(5);
      assertThat(h.coord.checkpoints.get(vchannel(1))).isEqualTo(before);
      assertThat(h.read(1, row.id())).isNotNull();
      h.appendOne(insert(1, 3, 1));

      disk.full = false;
      h.threads.advance(Duration.ofMinutes(1));

      assertThat(h.coord.segments).containsKey(flush.sealed().getFirst());
      assertThat(h.coord.checkpoint(vchannel(1)).tick().isAtLeast(flush.timeTick())).isTrue();
    }
  }

  @Test
  void aCoordinatorThatIsAwayIsAskedAgain() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      h.appendOne(insert(1, 1, 2));
      h.appendOne(delete(1, 1));
      h.coord.failNext(7);
      AppendResult flush = h.appendOne(manualFlush(1));
      h.threads.advance(Duration.ofMinutes(2));

      assertThat(h.coord.segments).containsKey(flush.sealed().getFirst());
      assertThat(h.coord.deltas).hasSize(1);
      assertThat(h.coord.checkpoint(vchannel(1)).tick().isAtLeast(flush.timeTick())).isTrue();
    }
  }

  @Test
  void rowsThatMemoryCannotHoldAreReadFromTheLog() {
    try (Harness h = new Harness().with("elanus.streaming.flushBufferMb", "0").open()) {
      h.createCollection(1);
      h.createCollection(2);
      for (int i = 0; i < 20; i++) {
        h.appendOne(insert(1, 10L * i, 3));
        h.appendTxn(insert(2, i, 1), insert(2, 100 + i, 1));
      }
      AppendResult flush = h.appendOne(manualFlush(1));
      h.threads.pump();

      assertThat(h.coord.segment(flush.sealed().getFirst()).stats().rows()).isEqualTo(60);
    }
  }

  @Test
  void whatIsDroppedIsNotStored() {
    try (Harness h = new Harness().open()) {
      CollectionMeta collection = h.createCollection(1);
      h.appendOne(insert(1, 1, 2));
      h.appendOne(drop(1));
      h.coord.remove(collection);
      h.threads.advance(Duration.ofMinutes(2));
      assertThat(h.coord.segments).isEmpty();

      h.crash();
      h.createCollection(2);
      h.appendOne(insert(2, 1, 1));
      AppendResult flush = h.appendOne(manualFlush(2));
      h.threads.advance(Duration.ofMinutes(2));

      assertThat(h.coord.segments.keySet()).containsExactly(flush.sealed().getFirst());
    }
  }

  @Test
  void aSchemaChangeSealsAndLaterRowsUseTheNewSchema() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      h.appendOne(insert(1, 1, 2));
      h.appendOne(
          WalMessage.of(
              vchannel(1), new Message.AlterCollection(Samples.collection(1, 2), "c1", true)));
      h.crash();
      h.appendOne(insert(1, Samples.PARTITION, 2, 3, 4));
      h.appendOne(manualFlush(1));
      h.threads.pump();

      assertThat(h.coord.segments.values())
          .extracting(s -> s.stats().rows(), s -> s.stats().schemaVersion())
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple(2, 1), org.assertj.core.groups.Tuple.tuple(4, 2));
    }
  }

  @Test
  void segmentsAreSealedBySizeIdlenessAndAge() {
    try (Harness h =
        new Harness()
            .with("dataCoord.segment.maxSize", "1")
            .with("dataCoord.segment.minSizeFromIdleToSealed", "0")
            .open()) {
      h.createCollection(1);
      h.appendOne(insert(1, 0, 50_000));
      h.threads.pump();
      assertThat(h.coord.segments).hasSize(1);

      h.appendOne(insert(1, 50_000, 1));
      h.threads.advance(Duration.ofSeconds(620));
      assertThat(h.coord.segments).hasSize(2);
    }
    try (Harness h =
        new Harness()
            .with("dataCoord.segment.maxLife", "60")
            .with("dataCoord.segment.maxIdleTime", "100000")
            .open()) {
      h.createCollection(1);
      h.appendOne(insert(1, 0, 1));
      h.threads.advance(Duration.ofSeconds(80));
      assertThat(h.coord.segments).hasSize(1);
      assertThat(h.coord.segments.firstEntry().getValue().place().collectionId())
          .isEqualTo(new CollectionId(1));
    }
  }

  @Test
  void aDropEndsTheAttemptsToStoreTheCollection() {
    FullDisk disk = new FullDisk();
    try (Harness h = new Harness().withObjects(disk).open()) {
      h.createCollection(1);
      h.createCollection(2);
      h.appendOne(insert(1, 1, 2));
      h.appendOne(delete(1, 1));
      h.appendOne(insert(2, 1, 2));
      disk.full = true;
      h.appendOne(manualFlush(1));
      h.threads.advance(Duration.ofMinutes(1));
      h.appendOne(drop(1));
      h.threads.advance(Duration.ofMinutes(1));
      int puts = disk.puts;
      h.threads.advance(Duration.ofMinutes(1));
      assertThat(disk.puts).isEqualTo(puts);

      disk.full = false;
      AppendResult flush = h.appendOne(manualFlush(2));
      h.threads.pump();
      assertThat(h.coord.segments.keySet()).containsExactly(flush.sealed().getFirst());
    }
  }

  @Test
  void theLargestSegmentsAreSealedWhenGrowingRowsTakeTooMuch() {
    try (Harness h =
        new Harness()
            .with("elanus.streaming.growingHighMb", "40")
            .with("elanus.streaming.growingLowMb", "25")
            .open()) {
      h.createCollection(1);
      h.createCollection(2);
      for (int i = 0; i < 4; i++) {
        h.appendOne(insert(1, 400_000L * i, 400_000));
      }
      h.appendOne(insert(2, 1, 300_000));
      h.threads.advance(Duration.ofSeconds(12));

      assertThat(h.coord.segments.values())
          .extracting(s -> s.place().collectionId())
          .contains(new CollectionId(1))
          .doesNotContain(new CollectionId(2));
      assertThat(h.appendOne(insert(1, 1, 1))).isNotNull();
    }
  }

  @Test
  void manySegmentsAreStoredWithOneManualFlush() {
    FullDisk disk = new FullDisk();
    try (Harness h = new Harness().withObjects(disk).open()) {
      List<io.elanus.wire.meta.PartitionMeta> partitions = new java.util.ArrayList<>();
      for (int i = 0; i < 20; i++) {
        partitions.add(
            new io.elanus.wire.meta.PartitionMeta(
                new io.elanus.base.id.PartitionId(20 + i),
                "p" + i,
                io.elanus.base.time.HybridTs.ZERO));
      }
      CollectionMeta collection = Samples.collection(1).withPartitions(partitions);
      h.appendOne(Samples.create(collection));
      h.coord.add(collection);
      for (var partition : partitions) {
        h.appendOne(insert(1, partition.id(), 1, 1, 3));
      }
      disk.full = true;
      AppendResult flush = h.appendOne(manualFlush(1));
      h.threads.advance(Duration.ofSeconds(5));
      disk.full = false;
      h.threads.advance(Duration.ofSeconds(30));

      assertThat(flush.sealed()).hasSize(20);
      assertThat(h.coord.segments.keySet()).containsExactlyElementsOf(flush.sealed());
      assertThat(h.coord.checkpoint(vchannel(1)).tick().isAtLeast(flush.timeTick())).isTrue();
    }
  }

  /// Rows and deletes of a random history of flushes, crashes and full disks are stored, rows once.
  @Test
  void everyRowIsStoredOnceThroughCrashesAndFullDisks() {
    Seeds.forEach(
        "flush",
        25,
        rng -> {
          FullDisk disk = new FullDisk();
          try (Harness h = new Harness(new MemoryWal(), rng.split("threads")).withObjects(disk)) {
            h.open().createCollection(1);
            int rows = 0;
            TreeSet<Long> deleted = new TreeSet<>();
            for (int i = 0; i < 60; i++) {
              switch (rng.nextInt(10)) {
                case 0 -> h.crash();
                case 1 -> disk.full = !disk.full;
                case 2 -> h.append(false, manualFlush(1));
                case 3 -> h.threads.advance(Duration.ofSeconds(rng.nextInt(90)));
                case 4 -> {
                  h.appendOne(delete(1, i));
                  deleted.add((long) i);
                }
                case 5 -> {
                  h.appendTxn(insert(1, i, 2), insert(1, Samples.OTHER_PARTITION, 1, 1000 + i, 1));
                  rows += 3;
                }
                default -> {
                  h.appendOne(insert(1, 2000 + i, 1));
                  rows++;
                }
              }
            }
            disk.full = false;
            h.appendOne(manualFlush(1));
            h.threads.advance(Duration.ofMinutes(3));

            int stored = 0;
            for (SegmentMeta segment : h.coord.segments.values()) {
              stored += SealedSegment.open(h.objects, segment.path()).rows();
            }
            assertThat(stored).isEqualTo(rows);
            TreeSet<Long> storedDeletes = new TreeSet<>();
            for (DeltaLogMeta delta : h.coord.deltas.values()) {
              PrimaryKeys keys = DeltaLog.read(h.objects, delta.path()).keys();
              for (int k = 0; k < keys.size(); k++) {
                storedDeletes.add((Long) keys.keyAt(k));
              }
            }
            assertThat(storedDeletes).isEqualTo(deleted);
          }
        });
  }
}
