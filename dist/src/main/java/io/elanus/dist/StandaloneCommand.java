package io.elanus.dist;

import io.elanus.base.config.Settings;
import io.elanus.base.error.DbException;
import io.elanus.server.node.ConfigFile;
import io.elanus.server.node.StandaloneNode;
import io.elanus.server.node.StartupException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/// `elanus standalone`: one process with every role, until SIGTERM.
///
/// Confined to the main thread.
final class StandaloneCommand {
  private StandaloneCommand() {}

  /// Runs until the process is told to stop; answers the exit code.
  static int run(List<String> args) throws UsageException, InterruptedException {
    Optional<StandaloneOptions> options = StandaloneOptions.parse(args);
    if (options.isEmpty()) {
      StandaloneOptions.printHelp();
      return 0;
    }
    StandaloneNode node;
    try {
      node = start(options.get());
    } catch (StartupException | DbException e) {
      say(String.valueOf(e.getMessage()));
      return 1;
    }
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("shutdown")
                .unstarted(() -> {
                  node.close();
                  stopped.countDown();
                }));
    System.out.println(readyLine(node));
    stopped.await();
    return 0;
  }

  /// Sets up logs and starts a server.
  static StandaloneNode start(StandaloneOptions options) throws StartupException {
    Logging.configure(options.data());
    return StandaloneNode.start(options.data(), settings(options));
  }

  private static Settings settings(StandaloneOptions options) throws StartupException {
    Set<String> known = StandaloneNode.knownKeys();
    Set<String> unknown = Settings.of(options.set()).unknownKeys(known);
    if (!unknown.isEmpty()) {
      throw new StartupException(
          "unknown setting "
              + String.join(", ", unknown)
              + " in --set; docs/settings.md lists them",
          null);
    }
    Settings fromFile = Settings.EMPTY;
    if (options.config() != null) {
      fromFile = ConfigFile.read(options.config());
      Set<String> strange = fromFile.unknownKeys(known);
      if (!strange.isEmpty()) {
        say(
            "warning: "
                + options.config()
                + " holds "
                + strange.size()
                + " settings that are not known here"
                + " and have no effect, for example "
                + strange.iterator().next());
      }
    }
    Settings settings = fromFile.with(options.set());
    warnWhenOpen(settings);
    return settings;
  }

  private static void warnWhenOpen(Settings settings) {
    String address = settings.get("proxy.bind");
    if (address == null) {
      return;
    }
    try {
      if (!InetAddress.getByName(address).isLoopbackAddress()) {
        say(
            "warning: listening on "
                + address
                + " while authorization is off: whoever reaches this"
                + " port can read and change everything");
      }
    } catch (UnknownHostException e) {
      say("warning: " + address + " can't be resolved");
    }
  }

  private static void say(String line) {
    System.err.println("elanus: " + line);
  }

  private static String readyLine(StandaloneNode node) {
    String management =
        node.managementPort() < 0
            ? "no management port"
            : "http://" + node.address() + ":" + node.managementPort() + " (status, metrics)";
    return "elanus ready: http://"
        + node.address()
        + ":"
        + node.port()
        + " (gRPC and REST), "
        + management
        + ", data in "
        + node.dataFolder()
        + ", "
        + node.startedInMs()
        + " ms";
  }
}
