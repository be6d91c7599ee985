package io.elanus.bench.index;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Another engine in a process of its own: it prints `ready ...` once, then answers each line
/// `param` with `recall qps`, both measured over the same queries.
///
/// Confined to the caller.
final class PeerProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter questions;

  PeerProcess(String command) throws IOException {
    process =
        new ProcessBuilder(List.of(command.split(" ", -1)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    answers = process.inputReader(StandardCharsets.UTF_8);
    questions = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    System.out.println("peer: " + answers.readLine());
  }

  VectorIndexBench.Point measure(int param) throws IOException {
    questions.println(param);
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("peer ended");
    }
    String[] parts = line.split(" ", -1);
    return new VectorIndexBench.Point(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
  }

  @Override
  public void close() {
    questions.close();
    process.destroy();
  }
}
