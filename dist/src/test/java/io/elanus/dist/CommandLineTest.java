package io.elanus.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.server.node.StandaloneNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What cannot start says so in one line and answers a code other than zero.
class CommandLineTest {
  @TempDir Path folder = Path.of("unset");

  private record Outcome(int code, String err) {}

  private static Outcome run(String... args) {
    PrintStream before = System.err;
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      return new Outcome(Main.run(args), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(before);
    }
  }

  private Outcome standalone(String... more) {
    String[] args = new String[more.length + 5];
    args[0] = "standalone";
    args[1] = "--data";
    args[2] = folder.resolve("data").toString();
    args[3] = "--management-port";
    args[4] = "-1";
    System.arraycopy(more, 0, args, 5, more.length);
    return run(args);
  }

  private static void assertOneLine(Outcome outcome, String... parts) {
    assertThat(outcome.code()).isNotZero();
    assertThat(outcome.err().strip().lines()).hasSize(1);
    assertThat(outcome.err()).startsWith("elanus: ").contains(parts);
  }

  @Test
  void unknownOptionIsRefused() {
    assertOneLine(run("standalone", "--no-such-option"), "--no-such-option", "--help");
  }

  @Test
  void unknownSettingOnTheCommandLineIsRefused() {
    assertOneLine(standalone("--set", "no.such.key=1"), "no.such.key", "docs/settings.md");
  }

  @Test
  void badValueOfASettingIsRefused() {
    assertOneLine(standalone("--set", "proxy.port=many"), "proxy.port", "many");
  }

  @Test
  void portInUseIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertOneLine(
          standalone("--port", Integer.toString(taken.getLocalPort())),
          Integer.toString(taken.getLocalPort()),
          "--port");
    }
  }

  @Test
  void foreignFolderIsLeftAlone() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.writeString(data.resolve("letter.txt"), "dear all");

    assertOneLine(standalone("--port", "0"), "not empty", "--data");
    assertThat(data.resolve("letter.txt")).hasContent("dear all");
  }

  @Test
  void newerFormatIsRefused() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.writeString(data.resolve("FORMAT"), "999\n");

    assertOneLine(standalone("--port", "0"), "format 999", "newer version");
    assertThat(data.resolve("FORMAT")).hasContent("999\n");
  }

  @Test
  void missingConfigFileIsNamed() {
    assertOneLine(standalone("--config", folder.resolve("none.yaml").toString()), "none.yaml");
  }

  @Test
  void refusalsLeaveNoTrace() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(standalone("--port", Integer.toString(taken.getLocalPort())).code()).isEqualTo(1);
    }
    assertThat(standalone("--set", "proxy.port=many").code()).isEqualTo(1);
    assertThat(standalone("--config", folder.resolve("none.yaml").toString()).code()).isEqualTo(1);
    assertThat(standalone("--port", "0", "--bind", "300.1.1.1").code()).isEqualTo(1);

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aServerThatIsRefusedWritesNothingIntoTheRunningOnesLog() throws Exception {
    Path data = folder.resolve("data");
    StandaloneOptions options =
        StandaloneOptions.parse(
                List.of("--data", data.toString(), "--port", "0", "--management-port", "-1"))
            .orElseThrow();
    try (StandaloneNode running = StandaloneCommand.start(options)) {
      assertThat(running.port()).isPositive();
      Path log = data.resolve("logs").resolve("elanus.log");
      String before = Files.readString(log);

      assertOneLine(standalone("--port", "0"), "in use by another server", "--data");

      assertThat(before).contains("serving");
      assertThat(Files.readString(log)).startsWith(before).doesNotContain("stopped");
    }
  }

  @Test
  void anAddressThatIsNoneIsNotCalledATakenPort() {
    assertOneLine(standalone("--port", "0", "--bind", "300.1.1.1"), "300.1.1.1", "--bind");
    assertOneLine(standalone("--port", "0", "--bind", "192.0.2.1"), "192.0.2.1", "this machine");
    assertOneLine(standalone("--port", "0", "--bind", ""), "--bind");
  }

  @Test
  void onePortForTwoPurposesIsRefused() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    String port = Integer.toString(free);

    assertOneLine(
        run(
            "standalone",
            "--data",
            folder.resolve("d").toString(),
            "--port",
            port,
            "--management-port",
            port),
        "both " + port);
  }

  @Test
  void brokenYamlIsNamedWithLineAndColumn() throws IOException {
    Path config = Files.writeString(folder.resolve("c.yaml"), "proxy:\n  port: [1\n  x: 2\n");

    assertOneLine(standalone("--config", config.toString()), "c.yaml", "line 3", "column");
  }

  @Test
  void settingsOfTheFileThatHaveNoEffectAreNamed() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("c.yaml"), "proxy: {port: many}\nminio.ssl: true\npulsar.port: 1\n");

    Outcome outcome = standalone("--config", config.toString());

    assertThat(outcome.err()).contains("minio.ssl").contains("pulsar.port").contains("many");
  }
}
