package io.elanus.dist;

import io.elanus.server.node.StandaloneNode;
import io.elanus.server.node.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A short life of a server, over REST and gRPC: run once when the distribution is made, so that
/// the JVM's class archive holds the classes and lambdas that a start and the first requests need.
///
/// Confined to the main thread.
final class TrainCommand {
  private TrainCommand() {}

  static void run() throws Exception {
    Path folder = Files.createTempDirectory("elanus-train");
    try {
      List<String> args =
          List.of("--data", folder.toString(), "--port", "0", "--management-port", "0");
      for (int start = 0; start < 2; start++) {
        StandaloneOptions options = StandaloneOptions.parse(args).orElseThrow();
        try (StandaloneNode node = StandaloneCommand.start(options)) {
          TrainingRun.exercise(node);
        }
      }
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
