package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// The embedded log on a disk that fills up, fails, loses, tears and flips.
class EmbeddedWalFaultTest {
  private static final PChannel CHANNEL = new PChannel("p");
  private static final String FIRST = "p/00000000000000000000.wal";
  private static final String MARK = "p/durable.mark";

  private final FaultyFiles disk = new FaultyFiles();
  private final Rng rng = new Rng(11);
  private TestThreads threads = new TestThreads();
  private EmbeddedWal wal = open(EmbeddedWalOptions.DEFAULT);

  private EmbeddedWal open(EmbeddedWalOptions options) {
    return new EmbeddedWal(disk, threads, options);
  }

  private void crash(Crash how) {
    disk.crash(how, rng);
    threads = new TestThreads();
    wal = open(EmbeddedWalOptions.DEFAULT);
  }

  private WalLog log(long term) {
    return threads.await(wal.open(CHANNEL, term, WalOpenOptions.DEFAULT));
  }

  private CompletableFuture<List<MessageId>> append(WalLog log, String... texts) {
    List<byte[]> records = new ArrayList<>();
    for (String text : texts) {
      records.add(text.getBytes(StandardCharsets.UTF_8));
    }
    return log.appendBytes(records);
  }

  private MessageId appendDurably(WalLog log, String... texts) {
    return threads.await(append(log, texts)).getLast();
  }

  private static List<String> readAll(WalLog log) {
    List<String> texts = new ArrayList<>();
    try (WalReader reader = log.read(MessageId.NONE)) {
      for (List<WalRecord> batch = reader.readBatch(1 << 20);
          !batch.isEmpty();
          batch = reader.readBatch(1 << 20)) {
        batch.forEach(record -> texts.add(new String(record.payload(), StandardCharsets.UTF_8)));
      }
    }
    return texts;
  }

  private void assertDamaged(String file) {
    var opening = wal.open(CHANNEL, 9, WalOpenOptions.DEFAULT);
    assertThatThrownBy(() -> threads.await(opening))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY))
        .hasMessageContaining(file)
        .hasMessageContaining("offset")
        .hasMessageContaining("restore");
  }

  private void assertIoFailed(CompletableFuture<?> future) {
    assertThatThrownBy(() -> threads.await(future))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.IO_FAILED);
              assertThat(e.isRetriable()).isTrue();
            });
  }

  @Test
  void answeredRecordsSurviveAPowerCut() {
    WalLog log = log(1);
    appendDurably(log, "a", "b");
    appendDurably(log, "c");

    crash(Crash.LOSE_UNSYNCED);

    assertThat(readAll(log(2))).containsExactly("a", "b", "c");
  }

  @Test
  void concurrentAppendsShareOneSync() {
    WalLog log = log(1);
    int before = disk.forceCount();
    for (int i = 0; i < 100; i++) {
      append(log, "r" + i);
    }
    threads.pump();

    assertThat(disk.forceCount() - before).isEqualTo(1);
    assertThat(readAll(log)).hasSize(100);
  }

  @Test
  void appendIsNotAnsweredBeforeItsSync() {
    WalLog log = log(1);
    int before = disk.forceCount();
    var future = append(log, "a");
    int[] forcesAtAnswer = new int[1];
    future.thenAccept(_ -> forcesAtAnswer[0] = disk.forceCount() - before);

    threads.pump();

    assertThat(forcesAtAnswer[0]).isEqualTo(1);
  }

  @Test
  void tornTailIsCutSilently() {
    WalLog log = log(1);
    appendDurably(log, "a", "b");
    byte[] content = disk.content(FIRST);
    appendDurably(log, "this one is torn");
    byte[] longer = disk.content(FIRST);
    byte[] mark = disk.content(MARK);
    for (int size = content.length + 1; size < longer.length; size++) {
      disk.setContent(FIRST, java.util.Arrays.copyOf(longer, size));
      forgetMark(mark, 1);

      crash(Crash.PROCESS);

      WalLog again = log(1);
      assertThat(readAll(again)).containsExactly("a", "b");
      appendDurably(again, "after " + size);
      assertThat(readAll(again)).containsExactly("a", "b", "after " + size);
    }
  }

  /// Puts the mark back to `durable`, as if the later slots had never reached the disk.
  private void forgetMark(byte[] ignored, long durable) {
    java.nio.ByteBuffer slots =
        java.nio.ByteBuffer.allocate(4096 + 48).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    slots.put(0, "ELANMARK".getBytes(StandardCharsets.US_ASCII));
    slots.putLong(8, 2).putLong(16, durable).putLong(24, 0).putLong(32, 1);
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(slots.array(), 0, 44);
    slots.putInt(44, (int) crc.getValue());
    disk.setContent(MARK, slots.array());
    assertThat(ignored).isNotEmpty();
  }

  @Test
  void flippedBitBelowTheMarkIsDamage() {
    WalLog log = log(1);
    appendDurably(log, "a");
    int end = disk.content(FIRST).length;
    appendDurably(log, "b");
    int length = disk.content(FIRST).length;
    for (int offset = end; offset < length; offset++) {
      disk.flipBit(FIRST, offset, offset % 8);
      crash(Crash.PROCESS);

      assertDamaged(FIRST);

      disk.flipBit(FIRST, offset, offset % 8);
    }
    crash(Crash.PROCESS);
    assertThat(readAll(log(1))).containsExactly("a", "b");
  }

  @Test
  void flippedBitBeforeALaterGroupIsDamageWithoutTheMark() {
    WalLog log = log(1);
    appendDurably(log, "a");
    int offset = disk.content(FIRST).length;
    appendDurably(log, "b");
    appendDurably(log, "c");
    for (int at = offset; at < offset + 25; at++) {
      disk.flipBit(FIRST, at, at % 8);
      forgetMark(disk.content(MARK), 0);
      crash(Crash.PROCESS);

      assertDamaged(FIRST);

      disk.flipBit(FIRST, at, at % 8);
    }
  }

  @Test
  void laterRecordOfTheSameGroupDoesNotProveDurability() {
    WalLog log = log(1);
    appendDurably(log, "a");
    int offset = disk.content(FIRST).length;
    appendDurably(log, "b", "c");
    disk.flipBit(FIRST, offset + 24, 0);
    forgetMark(disk.content(MARK), 0);

    crash(Crash.PROCESS);

    assertThat(readAll(log(1))).containsExactly("a");
  }

  /// Puts another format version into a segment's header, with the checksum that fits.
  private void setVersion(String file, int version) {
    byte[] content = disk.content(file);
    java.nio.ByteBuffer header =
        java.nio.ByteBuffer.wrap(content).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    int length = header.getInt(12);
    header.putInt(8, version);
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(content, 0, length - 4);
    header.putInt(length - 4, (int) crc.getValue());
    disk.setContent(file, content);
  }

  private void assertRefused(ErrorCode code, String... texts) {
    assertThatThrownBy(() -> threads.await(wal.open(CHANNEL, 9, WalOpenOptions.DEFAULT)))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.isRetriable()).isFalse();
              assertThat(e).hasMessageContainingAll(texts);
              assertThat(e.getMessage()).doesNotContain("\n");
            });
  }

  @Test
  void segmentOfANewerVersionIsRefusedForGood() {
    WalLog log = log(1);
    appendDurably(log, "a");
    setVersion(FIRST, 7);
    byte[] written = disk.content(FIRST);

    crash(Crash.PROCESS);

    assertRefused(
        ErrorCode.OPERATION_UNSUPPORTED,
        FIRST,
        "format version 7",
        "reads up to 1",
        "start it with the newer version");
    assertThat(disk.content(FIRST)).isEqualTo(written);
  }

  @Test
  void segmentThatANewerVersionHadJustBegunIsRefusedNotDropped() {
    log(1);
    setVersion(FIRST, 2);
    byte[] written = disk.content(FIRST);

    crash(Crash.PROCESS);

    assertRefused(ErrorCode.OPERATION_UNSUPPORTED, FIRST, "format version 2");
    assertThat(disk.content(FIRST)).isEqualTo(written);
  }

  @Test
  void segmentOfAVersionThatNeverWasIsDamage() {
    WalLog log = log(1);
    appendDurably(log, "a");
    setVersion(FIRST, 0);

    crash(Crash.PROCESS);

    assertRefused(ErrorCode.DATA_INTEGRITY, FIRST);
  }

  @Test
  void logThatEndsBeforeTheMarkIsDamage() {
    WalLog log = log(1);
    appendDurably(log, "a");
    int length = disk.content(FIRST).length;
    appendDurably(log, "b");
    disk.cut(FIRST, length);

    crash(Crash.PROCESS);

    assertDamaged(FIRST);
  }

  @Test
  void highWaterOfTheCallerFindsALossThatTheMarkForgot() {
    WalLog log = log(1);
    appendDurably(log, "a");
    int length = disk.content(FIRST).length;
    MessageId last = appendDurably(log, "b");
    disk.cut(FIRST, length);
    forgetMark(disk.content(MARK), 0);
    crash(Crash.PROCESS);

    var opening = wal.open(CHANNEL, 2, new WalOpenOptions(last));

    assertThatThrownBy(() -> threads.await(opening))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY));
  }

  @Test
  void persistedHighWaterSurvivesAPowerCut() {
    WalLog log = log(1);
    appendDurably(log, "a");
    int length = disk.content(FIRST).length;
    appendDurably(log, "b");
    threads.await(log.persistHighWater());
    crash(Crash.LOSE_UNSYNCED);
    disk.cut(FIRST, length);

    assertDamaged(FIRST);
  }

  @Test
  void missingMarkIsDamage() {
    appendDurably(log(1), "a");
    disk.remove(MARK);
    crash(Crash.PROCESS);

    assertDamaged(MARK);
  }

  @Test
  void oneBrokenSlotOfTheMarkIsToleratedTwoAreDamage() {
    WalLog log = log(1);
    appendDurably(log, "a");
    appendDurably(log, "b");
    disk.flipBit(MARK, 17, 3);
    crash(Crash.PROCESS);
    assertThat(readAll(log(1))).containsExactly("a", "b");
    wal.close();

    disk.flipBit(MARK, 17, 3);
    disk.flipBit(MARK, 4096 + 17, 3);
    crash(Crash.PROCESS);
    assertDamaged(MARK);
  }

  private void fillSegments() {
    wal = open(EmbeddedWalOptions.DEFAULT.withSegmentBytes(200));
    WalLog log = log(1);
    for (int i = 0; i < 20; i++) {
      appendDurably(log, "record " + i);
    }
    assertThat(disk.paths()).hasSizeGreaterThan(5);
  }

  private String segment(int index) {
    return disk.paths().stream().filter(path -> path.endsWith(".wal")).toList().get(index);
  }

  @Test
  void missingFirstMiddleOrLastSegmentIsDamage() {
    fillSegments();
    int count = (int) disk.paths().stream().filter(path -> path.endsWith(".wal")).count();
    for (int index : new int[] {0, 1, 2, count - 1}) {
      String name = segment(index);
      byte[] content = disk.content(name);
      disk.remove(name);
      crash(Crash.PROCESS);

      var opening = wal.open(CHANNEL, 9, WalOpenOptions.DEFAULT);
      assertThatThrownBy(() -> threads.await(opening))
          .isInstanceOfSatisfying(
              DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY));

      create(name, content);
    }
    crash(Crash.PROCESS);
    assertThat(readAll(log(1))).hasSize(20);
  }

  private void create(String path, byte[] content) {
    try (var file = disk.create(path)) {
      assertThat(file.size()).isZero();
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
    disk.setContent(path, content);
    disk.folder("p");
  }

  @Test
  void shortMiddleSegmentIsDamage() {
    fillSegments();
    String name = segment(2);
    disk.cut(name, disk.content(name).length - 5);
    crash(Crash.PROCESS);

    assertDamaged(name);
  }

  @Test
  void brokenSegmentHeaderIsDamage() {
    fillSegments();
    String name = segment(2);
    disk.flipBit(name, 20, 1);
    crash(Crash.PROCESS);

    assertDamaged(name);
  }

  @Test
  void flippedBitInAnOldSegmentIsFoundWhenItIsRead() {
    fillSegments();
    String name = segment(1);
    disk.flipBit(name, disk.content(name).length - 3, 1);
    crash(Crash.PROCESS);
    WalLog log = log(1);

    assertThatThrownBy(() -> readAll(log))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY))
        .hasMessageContaining(name);
  }

  @Test
  void fullDiskFailsTheAppendAndLaterOnesWorkAgain() {
    WalLog log = log(1);
    appendDurably(log, "a");
    disk.leaveRoomFor(30);
    assertIoFailed(append(log, "b".repeat(100)));
    assertIoFailed(append(log, "c".repeat(100)));
    assertThat(readAll(log)).containsExactly("a");

    disk.makeRoom();
    appendDurably(log, "d");

    assertThat(readAll(log)).containsExactly("a", "d");
    crash(Crash.LOSE_UNSYNCED);
    assertThat(readAll(log(1))).containsExactly("a", "d");
  }

  @Test
  void partOfARefusedAppendIsGoneAfterACrash() {
    WalLog log = log(1);
    appendDurably(log, "a");
    disk.leaveRoomFor(60);
    assertIoFailed(append(log, "b", "c", "d".repeat(100)));

    crash(Crash.PROCESS);

    assertThat(readAll(log(1))).containsExactly("a");
  }

  @Test
  void failedSyncFailsTheAppendAndMovesToANewSegment() {
    WalLog log = log(1);
    appendDurably(log, "a");
    disk.failForces(1);
    assertIoFailed(append(log, "b"));

    appendDurably(log, "c");

    assertThat(disk.paths()).filteredOn(path -> path.endsWith(".wal")).hasSize(2);
    assertThat(readAll(log)).containsExactly("a", "c");
    crash(Crash.LOSE_UNSYNCED);
    assertThat(readAll(log(1))).containsExactly("a", "c");
  }

  @Test
  void failedSyncOfAnEmptySegmentIsRepairedInPlace() {
    WalLog log = log(1);
    disk.failForces(1);
    assertIoFailed(append(log, "b"));

    appendDurably(log, "c");

    assertThat(readAll(log)).containsExactly("c");
    crash(Crash.LOSE_UNSYNCED);
    assertThat(readAll(log(1))).containsExactly("c");
  }

  @Test
  void logThatCantBeRepairedRefusesAppendsUntilItCan() {
    WalLog log = log(1);
    appendDurably(log, "a");
    disk.leaveRoomFor(10);
    disk.failTruncates(2);
    assertIoFailed(append(log, "b"));
    disk.makeRoom();
    assertIoFailed(append(log, "c"));

    appendDurably(log, "d");

    assertThat(readAll(log)).containsExactly("a", "d");
    crash(Crash.PROCESS);
    assertThat(readAll(log(1))).containsExactly("a", "d");
  }

  @Test
  void segmentThatCantBeCreatedFailsTheAppendOnly() {
    wal = open(EmbeddedWalOptions.DEFAULT.withSegmentBytes(100));
    WalLog log = log(1);
    appendDurably(log, "a".repeat(50));
    disk.failCreates(1);
    assertIoFailed(append(log, "b".repeat(50)));
    disk.leaveRoomFor(10);
    assertIoFailed(append(log, "c".repeat(50)));
    disk.makeRoom();

    appendDurably(log, "d");

    assertThat(readAll(log)).containsExactly("a".repeat(50), "d");
    crash(Crash.LOSE_UNSYNCED);
    assertThat(readAll(log(1))).containsExactly("a".repeat(50), "d");
  }

  @Test
  void recordAboveTheLimitIsRefused() {
    wal = open(new EmbeddedWalOptions(1 << 20, 1 << 20, 1 << 20, 100, false));
    WalLog log = log(1);

    var future = log.appendBytes(List.of(new byte[101]));

    assertThatThrownBy(() -> threads.await(future))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAMETER_TOO_LARGE));
    appendDurably(log, "a");
  }

  @Test
  void tooMuchInFlightIsRefusedUntilItIsWritten() {
    wal = open(new EmbeddedWalOptions(1 << 20, 1 << 20, 500, 1000, false));
    WalLog log = log(1);
    var first = append(log, "a".repeat(400));
    var second = append(log, "b".repeat(400));

    assertThatThrownBy(() -> threads.await(second))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
    assertThat(threads.await(first)).hasSize(1);
    appendDurably(log, "c".repeat(400));
  }

  @Test
  void truncationDeletesWholeSegmentsAndSurvivesACrashInTheMiddle() {
    fillSegments();
    WalLog log = log(1);
    String first = segment(0);
    byte[] content = disk.content(first);

    threads.await(log.truncate(new MessageId(10)));

    assertThat(disk.paths()).doesNotContain(first);
    assertThat(log.firstId().value()).isBetween(5L, 10L);
    create(first, content);
    crash(Crash.PROCESS);
    WalLog again = log(1);
    assertThat(disk.paths()).doesNotContain(first);
    assertThat(readAll(again)).endsWith("record 18", "record 19").doesNotContain("record 0");
  }

  @Test
  void readerOfATruncatedSegmentIsToldSo() {
    fillSegments();
    WalLog log = log(1);
    try (WalReader reader = log.read(MessageId.NONE)) {
      threads.await(log.truncate(new MessageId(19)));

      assertThatThrownBy(
              () -> {
                List<WalRecord> batch;
                do {
                  batch = reader.readBatch(1);
                } while (!batch.isEmpty());
              })
          .isInstanceOfSatisfying(
              DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_KEY_NOT_FOUND));
    }
  }

  @Test
  void unsafeModeAnswersWithoutSync() {
    wal = open(EmbeddedWalOptions.DEFAULT.withUnsafeNoFsync(true));
    WalLog log = log(1);
    int before = disk.forceCount();

    appendDurably(log, "a");

    assertThat(disk.forceCount()).isEqualTo(before);
  }

  @Test
  void folderOfAnotherChannelIsRefused() {
    appendDurably(log(1), "a");
    wal.close();
    byte[] segment = disk.content(FIRST);
    byte[] mark = disk.content(MARK);
    create("q/00000000000000000000.wal", segment);
    create("q/durable.mark", mark);
    threads = new TestThreads();
    wal = open(EmbeddedWalOptions.DEFAULT);

    var opening = wal.open(new PChannel("q"), 1, WalOpenOptions.DEFAULT);

    assertThatThrownBy(() -> threads.await(opening)).hasMessageContaining("belongs to p");
  }
}
