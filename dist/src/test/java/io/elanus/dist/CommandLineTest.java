package io.elanus.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
