package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.loop.SystemThreads;
import io.elanus.engine.log.EmbeddedWal;
import io.elanus.engine.log.EmbeddedWalOptions;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.engine.log.WalReader;
import io.elanus.engine.log.WalRecord;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.RocksMetaStore;
import io.elanus.engine.storage.meta.Txn;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process that appends and stores is killed; what it was told to be durable is there.
@Timeout(120)
class ProcessKillIT {
  private static final PChannel CHANNEL = new PChannel("p");

  @TempDir Path folder;

  /// The process that is killed: prints the number of each append and transaction that was
  /// answered.
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) throws Exception {
      Path root = Path.of(args[0]);
      SystemThreads threads = new SystemThreads("w", (_, fault) -> fault.printStackTrace());
      MetaStore meta = RocksMetaStore.open(root.resolve("meta"), threads);
      EmbeddedWal wal =
          new EmbeddedWal(
              root.resolve("wal"), threads, EmbeddedWalOptions.DEFAULT.withSegmentBytes(20_000));
      WalLog log = wal.open(CHANNEL, 1, WalOpenOptions.DEFAULT).get();
      for (int i = 0; ; i++) {
        byte[] text = ("record " + i).getBytes(StandardCharsets.UTF_8);
        log.appendBytes(List.of(text, new byte[500])).get();
        meta.txn(Txn.put("last", text)).get();
        System.out.println(i);
      }
    }
  }

  private int runAndKill(int enough) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    int answered = -1;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        answered = Integer.parseInt(line);
        if (answered == enough) {
          // By its handle: the process object would close the stream with the last answers.
          process.toHandle().destroyForcibly();
        }
      }
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return answered;
  }

  @Test
  void answeredWritesSurviveTheKill() throws Exception {
    int answered = runAndKill(150);

    assertThat(answered).isGreaterThanOrEqualTo(150);
    try (SystemThreads threads = new SystemThreads("r", (_, fault) -> fault.printStackTrace());
        MetaStore meta = RocksMetaStore.open(folder.resolve("meta"), threads);
        EmbeddedWal wal =
            new EmbeddedWal(folder.resolve("wal"), threads, EmbeddedWalOptions.DEFAULT)) {
      WalLog log = wal.open(CHANNEL, 2, new WalOpenOptions(new MessageId(2L * answered + 1))).get();
      assertThat(countRecords(log)).isGreaterThanOrEqualTo(2 * (answered + 1));
      byte[] stored = meta.get("last").get().orElseThrow().value();
      String last = new String(stored, StandardCharsets.UTF_8);
      assertThat(Integer.parseInt(last.substring("record ".length())))
          .isBetween(answered, answered + 1);
    }
  }

  private static int countRecords(WalLog log) {
    int count = 0;
    try (WalReader reader = log.read(MessageId.NONE)) {
      for (List<WalRecord> batch = reader.readBatch(1 << 20);
          !batch.isEmpty();
          batch = reader.readBatch(1 << 20)) {
        for (WalRecord record : batch) {
          if (count % 2 == 0) {
            assertThat(new String(record.payload(), StandardCharsets.UTF_8))
                .isEqualTo("record " + count / 2);
          }
          count++;
        }
      }
    }
    return count;
  }
}
