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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `elanus standalone`: one process with every role, until SIGTERM.
///
/// Confined to the main thread.
final class StandaloneCommand {
  private static final Logger log = LoggerFactory.getLogger(StandaloneCommand.class);

  /// A whole milvus.yaml would fill the screen.
  private static final int SHOWN_KEYS = 10;

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
    ShutdownSignal signal = ShutdownSignal.closing(node);
    System.out.println(readyLine(node));
    signal.await();
    return 0;
  }

  /// Sets up logs and starts a server.
  static StandaloneNode start(StandaloneOptions options) throws StartupException {
    Logging.toConsole();
    Settings fromFile =
        options.config() == null ? Settings.EMPTY : ConfigFile.read(options.config());
    Set<String> ignored = unknown(options, fromFile);
    Settings settings = fromFile.with(options.set());
    return StandaloneNode.start(
        options.data(),
        settings,
        () -> {
          Logging.toFile(options.data());
          warnWhenOpen(settings);
          if (!ignored.isEmpty()) {
            log.atInfo().addKeyValue("keys", ignored).log("settings without effect");
          }
        });
  }

  /// The file's keys that nothing here reads, for it may be another product's; on the command line
  /// such a key is a mistake.
  private static Set<String> unknown(StandaloneOptions options, Settings fromFile)
      throws StartupException {
    Set<String> known = StandaloneNode.knownKeys();
    Set<String> mistaken = Settings.of(options.set()).unknownKeys(known);
    if (!mistaken.isEmpty()) {
      throw new StartupException(
          "unknown setting "
              + String.join(", ", mistaken)
              + " in --set; docs/settings.md lists them",
          null);
    }
    Set<String> ignored = fromFile.unknownKeys(known);
    if (!ignored.isEmpty()) {
      List<String> shown = ignored.stream().limit(SHOWN_KEYS).toList();
      int more = ignored.size() - shown.size();
      say(
          "warning: "
              + options.config()
              + " holds settings that are not known here and have no effect: "
              + String.join(", ", shown)
              + (more > 0 ? " and " + more + " more (all are in the log)" : ""));
    }
    return ignored;
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
      return; // The start refuses it and says why.
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
