package io.elanus.role.streaming;

import static io.elanus.role.streaming.Samples.PCHANNEL;
import static io.elanus.role.streaming.Samples.insert;
import static io.elanus.role.streaming.Samples.manualFlush;
import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.id.SegmentId;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.engine.storage.object.ObjectStat;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node that writes transactions of two rows, seals segments now and then and stores its state
/// all the time is killed again and again: every acknowledged transaction is there, whole, exactly
/// once.
@Timeout(300)
final class StreamingKillIT {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "streaming.walRecovery.persistInterval", "30ms",
          "dataNode.channel.updateChannelCheckpointInterval", "50ms");

  @TempDir Path folder;

  /// The process that is killed: prints a line for each transaction that was acknowledged.
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) throws Exception {
      RealNode node = new RealNode(Path.of(args[0]), SETTINGS);
      long term = Long.parseLong(args[1]);
      node.coord.add(Samples.collection(1));
      node.open(PCHANNEL, term).get(30, TimeUnit.SECONDS);
      if (term == 1) {
        node.append(false, Samples.create(Samples.collection(1))).get(30, TimeUnit.SECONDS);
      }
      System.out.println("open");
      for (int i = 0; ; i++) {
        node.append(true, insert(1, 2L * i, 1), insert(1, 2L * i + 1, 1)).get(30, TimeUnit.SECONDS);
        System.out.println("ack");
        if (i % 25 == 24) {
          node.append(false, manualFlush(1)).get(30, TimeUnit.SECONDS);
        }
      }
    }
  }

  private int runAndKill(long term, int enough) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                folder.toString(),
                Long.toString(term))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    int acknowledged = 0;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        acknowledged += line.equals("ack") ? 1 : 0;
        if (acknowledged == enough) {
          process.toHandle().destroyForcibly();
        }
      }
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return acknowledged;
  }

  @Test
  void acknowledgedTransactionsSurviveKillsWholeAndOnce() throws Exception {
    int kills = 3;
    int acknowledged = 0;
    for (int term = 1; term <= kills; term++) {
      acknowledged += runAndKill(term, 40 + 17 * term);
    }

    try (RealNode node = new RealNode(folder, SETTINGS)) {
      node.coord.add(Samples.collection(1));
      node.open(PCHANNEL, 100).get(30, TimeUnit.SECONDS);
      node.append(false, insert(1, 1, 2)).get(30, TimeUnit.SECONDS);
      SegmentId last =
          node.append(false, manualFlush(1))
              .get(30, TimeUnit.SECONDS)
              .results()
              .getFirst()
              .sealed()
              .getFirst();
      while (!node.coord.isStored(last)) {
        node.append(false, insert(1, 1, 0)).handle((_, _) -> true).get(30, TimeUnit.SECONDS);
      }
      TreeSet<String> folders = new TreeSet<>();
      for (ObjectStat stat : node.objects.list("segments/")) {
        folders.add(stat.key().substring(0, stat.key().lastIndexOf('/')));
      }
      int rows = 0;
      for (String path : folders) {
        rows += SealedSegment.open(node.objects, path).rows();
      }
      assertThat(rows % 2).isZero();
      assertThat(rows / 2 - 1).isBetween(acknowledged, acknowledged + kills);
    }
  }
}
