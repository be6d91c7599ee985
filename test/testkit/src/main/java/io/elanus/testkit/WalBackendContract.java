package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.random.Rng;
import io.elanus.engine.log.WalBackend;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.engine.log.WalReader;
import io.elanus.engine.log.WalRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [WalBackend] has to do. Extend it and answer [#open]; engines with threads of their
/// own override [#await].
public abstract class WalBackendContract {
  protected static final PChannel CHANNEL = PChannel.of("by-dev-rootcoord-dml", 0);
  protected static final PChannel OTHER = PChannel.of("by-dev-rootcoord-dml", 1);

  protected final TestThreads threads = new TestThreads();

  /// The backend under test.
  protected WalBackend wal;

  /// Opens the backend; called again after a close, with the same data when [#isPersistent].
  protected abstract WalBackend open();

  /// Whether records outlive a close.
  protected abstract boolean isPersistent();

  protected <T> T await(CompletableFuture<T> future) {
    return threads.await(future);
  }

  @BeforeEach
  void openWal() {
    wal = open();
  }

  @AfterEach
  void closeWal() {
    wal.close();
  }

  /// Closes the backend and opens it again.
  protected final void reopen() {
    wal.close();
    wal = open();
  }

  protected final WalLog log(long term) {
    return log(CHANNEL, term);
  }

  protected final WalLog log(PChannel pchannel, long term) {
    return await(wal.open(pchannel, term, WalOpenOptions.DEFAULT));
  }

  protected static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Appends texts as one batch.
  protected final CompletableFuture<List<MessageId>> append(WalLog log, String... texts) {
    List<byte[]> records = new ArrayList<>();
    for (String text : texts) {
      records.add(bytes(text));
    }
    return log.appendBytes(records);
  }

  /// Every text from `from` on.
  protected static List<String> readAll(WalLog log, MessageId from) {
    List<String> texts = new ArrayList<>();
    try (WalReader reader = log.read(from)) {
      drain(reader, texts);
    }
    return texts;
  }

  private static void drain(WalReader reader, List<String> texts) {
    while (true) {
      List<WalRecord> batch = reader.readBatch(1000);
      if (batch.isEmpty()) {
        return;
      }
      batch.forEach(record -> texts.add(new String(record.payload(), StandardCharsets.UTF_8)));
    }
  }

  protected final void assertFails(CompletableFuture<?> future, ErrorCode code) {
    assertThatThrownBy(() -> await(future))
        .isInstanceOfSatisfying(DbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void newLogIsEmpty() {
    WalLog log = log(1);

    assertThat(log.firstId()).isEqualTo(MessageId.NONE);
    assertThat(log.lastId()).isEqualTo(MessageId.NONE);
    assertThat(log.pchannel()).isEqualTo(CHANNEL);
    assertThat(log.term()).isEqualTo(1);
    assertThat(readAll(log, MessageId.NONE)).isEmpty();
  }

  @Test
  void appendedRecordsAreReadInOrder() {
    WalLog log = log(1);

    List<MessageId> first = await(append(log, "a", "", "c"));
    List<MessageId> second = await(append(log, "d"));

    assertThat(first).hasSize(3).isSorted().doesNotHaveDuplicates();
    assertThat(second.getFirst().isAfter(first.getLast())).isTrue();
    assertThat(readAll(log, MessageId.NONE)).containsExactly("a", "", "c", "d");
    assertThat(log.firstId()).isEqualTo(first.getFirst());
    assertThat(log.lastId()).isEqualTo(second.getFirst());
  }

  @Test
  void readRecordsCarryTheIdsOfTheirAppend() {
    WalLog log = log(1);
    List<MessageId> ids = await(append(log, "a", "b", "c"));

    try (WalReader reader = log.read(MessageId.NONE)) {
      List<WalRecord> records = reader.readBatch(1 << 20);

      assertThat(records).extracting(WalRecord::id).isEqualTo(ids);
      assertThat(records.get(1).view()).isEqualTo(ByteBuffer.wrap(bytes("b")));
      assertThat(reader.position().isAfter(ids.getLast())).isTrue();
    }
  }

  @Test
  void emptyBatchIsAnsweredWithNoIds() {
    WalLog log = log(1);

    assertThat(await(log.append(List.of()))).isEmpty();
    assertThat(log.lastId()).isEqualTo(MessageId.NONE);
  }

  @Test
  void appendTakesTheRemainingBytesAndLeavesThePosition() {
    WalLog log = log(1);
    ByteBuffer slice = ByteBuffer.wrap(bytes("0123456789")).position(2).limit(5);
    ByteBuffer direct = ByteBuffer.allocateDirect(4).put(bytes("wxyz")).flip().position(1);

    await(log.append(List.of(slice, direct, slice.asReadOnlyBuffer())));

    assertThat(readAll(log, MessageId.NONE)).containsExactly("234", "xyz", "234");
    assertThat(slice.position()).isEqualTo(2);
    assertThat(direct.position()).isEqualTo(1);
  }

  @Test
  void batchesInFlightAreAnsweredInOrder() {
    WalLog log = log(1);
    List<Integer> answered = new ArrayList<>();
    List<CompletableFuture<List<MessageId>>> futures = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      futures.add(append(log, "r" + i));
      futures.getLast().thenAccept(_ -> answered.add(number));
    }

    List<MessageId> ids = new ArrayList<>();
    futures.forEach(future -> ids.addAll(await(future)));

    assertThat(answered).hasSize(20).isSorted();
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(readAll(log, MessageId.NONE)).hasSize(20).startsWith("r0", "r1");
  }

  @Test
  void readerStartsAtTheGivenRecord() {
    WalLog log = log(1);
    List<MessageId> ids = await(append(log, "a", "b", "c", "d"));

    assertThat(readAll(log, ids.get(2))).containsExactly("c", "d");
    assertThat(readAll(log, ids.get(3).next())).isEmpty();
  }

  @Test
  void readerSeesLaterAppends() {
    WalLog log = log(1);
    List<MessageId> ids = await(append(log, "a"));
    List<String> seen = new ArrayList<>();

    try (WalReader reader = log.read(MessageId.NONE);
        WalReader ahead = log.read(ids.getFirst().next())) {
      drain(reader, seen);
      await(append(log, "b"));
      drain(reader, seen);
      await(append(log, "c"));
      drain(reader, seen);

      List<String> later = new ArrayList<>();
      drain(ahead, later);
      assertThat(later).containsExactly("b", "c");
    }

    assertThat(seen).containsExactly("a", "b", "c");
  }

  @Test
  void recordsOfManySizesAreReadBack() {
    WalLog log = log(1);
    Rng rng = new Rng(7);
    List<byte[]> payloads = new ArrayList<>();
    for (int size : new int[] {0, 1, 23, 24, 25, 1000, 65_536, 262_120, 262_144, 1_000_000}) {
      payloads.add(Seeds.bytes(rng, size));
    }
    await(log.appendBytes(payloads));
    ByteBuffer direct = ByteBuffer.allocateDirect(700_000).put(payloads.getLast(), 0, 700_000);
    await(log.append(List.of(ByteBuffer.wrap(bytes("x")), direct.flip())));

    List<WalRecord> found = new ArrayList<>();
    try (WalReader reader = log.read(MessageId.NONE)) {
      for (List<WalRecord> batch = reader.readBatch(10); !batch.isEmpty(); ) {
        found.addAll(batch);
        batch = reader.readBatch(100_000);
      }
    }

    assertThat(found).hasSize(payloads.size() + 2);
    for (int i = 0; i < payloads.size(); i++) {
      assertThat(found.get(i).payload()).isEqualTo(payloads.get(i));
    }
    assertThat(ByteBuffer.wrap(found.getLast().payload()))
        .isEqualTo(ByteBuffer.wrap(payloads.getLast(), 0, 700_000));
  }

  @Test
  void batchSizeIsRespectedButNeverStarves() {
    WalLog log = log(1);
    byte[] large = new byte[400_000];
    await(log.appendBytes(List.of(large, large, large, large)));

    try (WalReader reader = log.read(MessageId.NONE)) {
      assertThat(reader.readBatch(1)).hasSize(1);
      assertThat(reader.readBatch(900_000)).hasSizeBetween(1, 2);
    }
  }

  @Test
  void logsOfChannelsAreIndependent() {
    WalLog one = log(CHANNEL, 1);
    WalLog two = log(OTHER, 5);

    await(append(one, "a"));
    await(append(two, "x", "y"));

    assertThat(readAll(one, MessageId.NONE)).containsExactly("a");
    assertThat(readAll(two, MessageId.NONE)).containsExactly("x", "y");
  }

  @Test
  void higherTermFencesTheLowerOne() {
    WalLog old = log(1);
    await(append(old, "a"));

    WalLog young = log(2);

    assertFails(append(old, "late"), ErrorCode.CHANNEL_NOT_AVAILABLE);
    assertFails(old.truncate(new MessageId(100)), ErrorCode.CHANNEL_NOT_AVAILABLE);
    await(append(young, "b"));
    assertThat(readAll(young, MessageId.NONE)).containsExactly("a", "b");
  }

  @Test
  void appendsInFlightAtAFenceAreWhollyBeforeItOrRefused() {
    WalLog old = log(1);
    var first = append(old, "a");
    var opening = wal.open(CHANNEL, 2, WalOpenOptions.DEFAULT);
    var second = append(old, "b");

    WalLog young = await(opening);
    await(append(young, "c"));

    List<String> expected = new ArrayList<>();
    if (!first.isCompletedExceptionally()) {
      expected.add("a");
    }
    threads.pump();
    if (!second.isCompletedExceptionally()) {
      expected.add("b");
    }
    expected.add("c");
    assertThat(first).isDone();
    assertThat(second).isDone();
    assertThat(readAll(young, MessageId.NONE)).isEqualTo(expected);
  }

  @Test
  void lowerTermCantOpen() {
    WalLog log = log(5);

    assertFails(wal.open(CHANNEL, 4, WalOpenOptions.DEFAULT), ErrorCode.CHANNEL_NOT_AVAILABLE);
    await(append(log, "still the owner"));
  }

  @Test
  void openingTheSameTermAgainTakesOver() {
    WalLog first = log(3);
    await(append(first, "a"));

    WalLog second = log(3);

    assertFails(append(first, "late"), ErrorCode.CHANNEL_NOT_AVAILABLE);
    await(append(second, "b"));
    assertThat(readAll(second, MessageId.NONE)).containsExactly("a", "b");
  }

  @Test
  void closedLogRefusesAppends() {
    WalLog log = log(1);
    var accepted = append(log, "a");

    log.close();
    log.close();

    assertThat(await(accepted)).hasSize(1);
    assertFails(append(log, "late"), ErrorCode.CHANNEL_NOT_AVAILABLE);
    assertThat(readAll(log(1), MessageId.NONE)).containsExactly("a");
  }

  @Test
  void closedBackendRefusesUse() {
    WalLog log = log(1);
    var accepted = append(log, "a");

    wal.close();
    wal.close();

    assertThat(await(accepted)).hasSize(1);
    assertFails(append(log, "late"), ErrorCode.CHANNEL_NOT_AVAILABLE);
    assertFails(wal.open(CHANNEL, 2, WalOpenOptions.DEFAULT), ErrorCode.CHANNEL_NOT_AVAILABLE);
  }

  @Test
  void truncationKeepsEverythingFromThePosition() {
    WalLog log = log(1);
    List<MessageId> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ids.addAll(await(append(log, "r" + i)));
    }

    await(log.truncate(ids.get(30)));

    assertThat(readAll(log, ids.get(30))).hasSize(20).startsWith("r30");
    assertThat(log.firstId().isAfter(ids.get(30))).isFalse();
    assertThat(log.lastId()).isEqualTo(ids.getLast());
    if (log.firstId().isAfter(ids.getFirst())) {
      assertThatThrownBy(() -> log.read(ids.getFirst()))
          .isInstanceOfSatisfying(
              DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_KEY_NOT_FOUND));
    }
    await(append(log, "more"));
    assertThat(readAll(log, ids.getLast())).containsExactly("r49", "more");
  }

  @Test
  void truncationBeyondTheEndKeepsTheOrderOfIds() {
    WalLog log = log(1);
    List<MessageId> ids = await(append(log, "a", "b"));

    await(log.truncate(ids.getLast().next()));
    List<MessageId> more = await(append(log, "c"));

    assertThat(more.getFirst().isAfter(ids.getLast())).isTrue();
    assertThat(readAll(log, more.getFirst())).containsExactly("c");
  }

  @Test
  void truncatingTwiceOrBackwardsIsHarmless() {
    WalLog log = log(1);
    List<MessageId> ids = await(append(log, "a", "b", "c"));

    await(log.truncate(ids.get(1)));
    await(log.truncate(ids.get(1)));
    await(log.truncate(MessageId.NONE));

    assertThat(readAll(log, ids.get(1))).containsExactly("b", "c");
  }

  @Test
  void highWaterIsTheLastDurableRecord() {
    WalLog log = log(1);
    var appended = append(log, "a", "b");
    var highWater = log.persistHighWater();

    assertThat(await(highWater)).isEqualTo(await(appended).getLast());
  }

  @Test
  void logThatEndsBeforeTheHighWaterIsDamaged() {
    WalLog log = log(1);
    MessageId last = await(append(log, "a")).getLast();

    assertFails(wal.open(CHANNEL, 2, new WalOpenOptions(last.next())), ErrorCode.DATA_INTEGRITY);
    await(wal.open(CHANNEL, 2, new WalOpenOptions(last)));
  }

  @Test
  void recordsOutliveAClose() {
    assumeThat(isPersistent()).isTrue();
    WalLog log = log(1);
    List<MessageId> ids = await(append(log, "a", "b"));

    reopen();
    WalLog again = await(wal.open(CHANNEL, 2, new WalOpenOptions(ids.getLast())));

    assertThat(again.firstId()).isEqualTo(ids.getFirst());
    assertThat(again.lastId()).isEqualTo(ids.getLast());
    assertThat(readAll(again, MessageId.NONE)).containsExactly("a", "b");
    assertThat(await(append(again, "c")).getFirst().isAfter(ids.getLast())).isTrue();
  }

  @Test
  void fenceOutlivesAClose() {
    assumeThat(isPersistent()).isTrue();
    log(7);

    reopen();

    assertFails(wal.open(CHANNEL, 6, WalOpenOptions.DEFAULT), ErrorCode.CHANNEL_NOT_AVAILABLE);
    log(7);
  }

  @Test
  void truncationOutlivesAClose() {
    assumeThat(isPersistent()).isTrue();
    WalLog log = log(1);
    List<MessageId> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ids.addAll(await(append(log, "r" + i)));
    }
    await(log.truncate(ids.get(30)));
    MessageId first = log.firstId();

    reopen();
    WalLog again = log(2);

    assertThat(again.firstId()).isEqualTo(first);
    assertThat(again.lastId()).isEqualTo(ids.getLast());
    assertThat(readAll(again, ids.get(30))).hasSize(20).startsWith("r30");
  }
}
