package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.random.Rng;
import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.meta.Txn;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The switches of the fakes.
class FakesTest {
  private final DbException failure = DbException.of(ErrorCode.IO_FAILED, "injected");

  private final TestThreads threads = new TestThreads();
  private final FaultyMetaStore meta =
      new FaultyMetaStore(new MemoryMetaStore(threads.clock(), threads.timers()));
  private final FaultyWal wal = new FaultyWal(new MemoryWal());

  private WalLog log() {
    return wal.open(new PChannel("p"), 1, WalOpenOptions.DEFAULT).join();
  }

  @Test
  void refusedTransactionsChangeNothing() {
    meta.failNext(1, failure);

    assertThatThrownBy(() -> threads.await(meta.txn(Txn.put("a", new byte[1])))).isSameAs(failure);
    assertThat(meta.get("a").join()).isEmpty();
    assertThat(meta.txn(Txn.put("b", new byte[1]))).isCompleted();
    assertThat(meta.txnCount()).isEqualTo(2);
  }

  @Test
  void transactionOfUnknownOutcomeIsApplied() {
    meta.failNextAfterApply(1, failure);

    assertThatThrownBy(() -> threads.await(meta.txn(Txn.put("a", new byte[1])))).isSameAs(failure);
    assertThat(meta.get("a").join()).isPresent();
  }

  @Test
  void heldTransactionsAreAppliedOnRelease() {
    meta.hold();
    var future = meta.txn(Txn.put("a", new byte[1]));

    assertThat(future).isNotDone();
    assertThat(meta.get("a").join()).isEmpty();
    meta.release();
    assertThat(future).isCompleted();
    assertThat(meta.get("a").join()).isPresent();
  }

  @Test
  void refusedAppendsWriteNothing() {
    WalLog log = log();
    wal.failNextAppends(1, failure);

    assertThatThrownBy(() -> threads.await(log.appendBytes(List.of(new byte[1]))))
        .isSameAs(failure);
    assertThat(log.lastId()).isEqualTo(MessageId.NONE);
    assertThat(log.appendBytes(List.of(new byte[1]))).isCompleted();
    assertThat(wal.appendCount()).isEqualTo(2);
  }

  @Test
  void heldAnswersComeInOrder() {
    WalLog log = log();
    wal.holdAnswers();
    var first = log.appendBytes(List.of(new byte[1]));
    var second = log.appendBytes(List.of(new byte[1]));

    assertThat(wal.heldCount()).isEqualTo(2);
    assertThat(wal.releaseOne()).isTrue();
    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    wal.release();
    assertThat(second).isCompleted();
    assertThat(wal.releaseOne()).isFalse();
  }

  @Test
  void failingSeedIsNamed() {
    List<Long> drawn = new ArrayList<>();

    assertThatThrownBy(() ->
            Seeds.forEach(
                "sample",
                3,
                rng -> {
                  drawn.add(rng.nextLong());
                  if (drawn.size() == 2) {
                    throw new AssertionError("broken");
                  }
                }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Delanus.seed=")
        .hasMessageContaining("broken");
    assertThat(drawn).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void seedsAreTheSameInEveryRun() {
    List<Long> first = new ArrayList<>();
    List<Long> second = new ArrayList<>();

    Seeds.forEach("sample", 3, rng -> first.add(rng.nextLong()));
    Seeds.forEach("sample", 3, rng -> second.add(rng.nextLong()));

    assertThat(first).isEqualTo(second);
    assertThat(Seeds.bytes(new Rng(1), 13)).hasSize(13).isEqualTo(Seeds.bytes(new Rng(1), 13));
  }
}
