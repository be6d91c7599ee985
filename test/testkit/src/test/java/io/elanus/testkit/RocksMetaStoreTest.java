package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.SystemThreads;
import io.elanus.engine.storage.meta.KeyRange;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.RocksMetaStore;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.engine.storage.meta.TxnResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

class RocksMetaStoreTest extends MetaStoreContract {
  @TempDir Path folder;

  @Override
  protected MetaStore open() {
    return RocksMetaStore.open(folder.resolve("meta"), threads);
  }

  @Override
  protected boolean isPersistent() {
    return true;
  }

  private List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("meta/rocks"))) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      await(store.txn(Txn.put("key" + i, bytes("some value that makes the record longer"))));
    }
  }

  private void assertDamaged() {
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY))
        .hasMessageContaining("meta")
        .hasMessageContaining("restore");
  }

  @Test
  void logThatLostItsEndIsDamage() throws IOException {
    fill(20);
    store.close();
    Path log = logs().getLast();
    byte[] content = Files.readAllBytes(log);
    Files.write(log, java.util.Arrays.copyOf(content, content.length - 10));

    assertDamaged();
    assertDamaged();
  }

  @Test
  void formatOfANewerVersionIsRefusedForGood() throws RocksDBException {
    store.close();
    byte[] newer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(3).array();
    try (Options options = new Options();
        WriteOptions sync = new WriteOptions().setSync(true);
        RocksDB db = RocksDB.open(options, folder.resolve("meta/rocks").toString())) {
      db.put(sync, "m/format".getBytes(StandardCharsets.US_ASCII), newer);
    }

    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.OPERATION_UNSUPPORTED);
              assertThat(e.isRetriable()).isFalse();
            })
        .hasMessageContainingAll(
            folder.resolve("meta").toString(),
            "format version 3",
            "reads up to 1",
            "start it with the newer version");
  }

  @Test
  void flippedByteInTheLogIsDamage() throws IOException {
    fill(20);
    store.close();
    Path log = logs().getLast();
    byte[] content = Files.readAllBytes(log);
    content[content.length / 2] ^= 1;
    Files.write(log, content);

    assertDamaged();
    assertDamaged();
  }

  @Test
  void unfinishedRecordAtTheEndIsCutSilently() throws IOException {
    fill(5);
    store.close();
    Path log = logs().getLast();
    byte[] content = Files.readAllBytes(log);
    byte[] longer = java.util.Arrays.copyOf(content, content.length + 40);
    java.util.Arrays.fill(longer, content.length, longer.length, (byte) 0x5A);
    Files.write(log, longer);

    store = open();

    assertThat(await(store.range(KeyRange.ALL)).entries()).hasSize(5);
  }

  @Test
  void folderInUseCantBeOpenedAgain() {
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_FAILED));
  }

  @Test
  void logsDontPileUpOverRestarts() throws IOException {
    for (int i = 0; i < 40; i++) {
      fill(1);
      store.close();
      store = open();
    }

    assertThat(logs()).hasSizeLessThan(20);
    assertThat(await(store.range(KeyRange.ALL)).entries()).hasSize(1);
  }

  @Test
  void concurrentCompareAndSetsLoseNoUpdate() throws Exception {
    store.close();
    try (SystemThreads real = new SystemThreads("t", (_, fault) -> fault.printStackTrace());
        MetaStore shared = RocksMetaStore.open(folder.resolve("shared"), real);
        ExecutorService pool = Executors.newFixedThreadPool(4)) {
      Callable<Integer> adder =
          () -> {
            for (int done = 0; done < 50; ) {
              done += increment(shared) ? 1 : 0;
            }
            return 50;
          };
      List<Callable<Integer>> adders = new ArrayList<>(List.of(adder, adder, adder, adder));
      for (Future<Integer> result : pool.invokeAll(adders)) {
        assertThat(result.get()).isEqualTo(50);
      }
      assertThat(shared.get("counter").get().orElseThrow().value()[0] & 0xFF).isEqualTo(200);
    }
  }

  private static boolean increment(MetaStore shared) throws Exception {
    Optional<KeyValue> now = shared.get("counter").get();
    byte[] next = {(byte) (now.isEmpty() ? 1 : now.get().value()[0] + 1)};
    Txn.Builder txn = Txn.builder().put("counter", next);
    if (now.isEmpty()) {
      txn.ifAbsent("counter");
    } else {
      txn.ifModRevision("counter", now.get().modRevision());
    }
    TxnResult result = shared.txn(txn.build()).get();
    return result.succeeded();
  }
}
