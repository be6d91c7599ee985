package io.elanus.it;

import io.elanus.base.config.Settings;
import io.elanus.server.node.StandaloneNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A server in a JVM of its own, which can be killed.
final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  private ServerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /// Starts a server on `folder` and waits until it says that it is ready.
  static ServerProcess start(Path folder, List<String> jvmFlags) throws IOException {
    return start(folder, jvmFlags, List.of());
  }

  /// The same below a command that becomes what it is told to run, like `nsenter`.
  static ServerProcess start(Path folder, List<String> jvmFlags, List<String> wrapper)
      throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags);
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ServerProcess.class.getName(), folder.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("ready ")) {
        drain(out);
        return new ServerProcess(process, Integer.parseInt(line.substring(6).strip()));
      }
      said.append(line).append('\n');
    }
    process.destroyForcibly();
    throw new IOException("the server did not start:\n" + said);
  }

  private static void drain(BufferedReader out) {
    Thread.ofVirtual()
        .start(() -> {
          try (out) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
              System.out.println("server: " + line);
            }
          } catch (IOException e) {
            System.out.println("server: output ended: " + e.getMessage());
          }
        });
  }

  String uri() {
    return "http://127.0.0.1:" + port;
  }

  /// kill -9.
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// SIGTERM; answers the exit code.
  int stop() throws InterruptedException {
    // By its handle, for Process.destroy would close the pipe that its last words come through.
    process.toHandle().destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the server did not stop on SIGTERM");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    kill();
  }

  /// The child's main: serves until it is killed.
  public static void main(String[] args) throws Exception {
    StandaloneNode node =
        StandaloneNode.start(
            Path.of(args[0]),
            Settings.of(Map.of("proxy.port", "0", "common.http.managementPort", "-1")));
    Runtime.getRuntime().addShutdownHook(new Thread(node::close));
    System.out.println("ready " + node.port());
    System.out.flush();
    Thread.currentThread().join();
  }
}
