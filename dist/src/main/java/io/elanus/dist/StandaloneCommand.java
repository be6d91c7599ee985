package io.elanus.dist;

import io.elanus.base.config.Settings;
import io.elanus.base.error.DbException;
import io.elanus.server.node.ConfigFile;
import io.elanus.server.node.StandaloneNode;
import io.elanus.server.node.StartupException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `elanus standalone`: one process with every role, until SIGTERM.
///
/// Confined to the main thread.
@Command(
    name = "standalone",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Runs a whole server in one process; stops cleanly on SIGTERM or Ctrl-C.")
final class StandaloneCommand implements Callable<Integer> {
  private static final int EXIT_CANNOT_START = 1;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      defaultValue = "./elanus-data",
      description = "Where everything is stored (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("elanus-data");

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Client port, gRPC and REST (default: 19530; 0 takes a free one).")
  private @Nullable Integer port;

  @Option(
      names = "--management-port",
      paramLabel = "N",
      description = "Health, metrics and status page (default: 9091; 0 a free one, -1 none).")
  private @Nullable Integer managementPort;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: 127.0.0.1).")
  private @Nullable String bind;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings in YAML, as in milvus.yaml; keys that are not known only warn.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One setting; wins over the file. May be given more than once.")
  private Map<String, String> set = new LinkedHashMap<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    Logging.configure(data);
    StandaloneNode node;
    try {
      Settings settings = settings();
      node = StandaloneNode.start(data, settings);
    } catch (StartupException e) {
      say(String.valueOf(e.getMessage()));
      return EXIT_CANNOT_START;
    } catch (DbException e) {
      say(String.valueOf(e.getMessage()));
      return EXIT_CANNOT_START;
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
    spec.commandLine().getOut().println(readyLine(node));
    spec.commandLine().getOut().flush();
    stopped.await();
    return 0;
  }

  private Settings settings() throws StartupException {
    Set<String> known = StandaloneNode.knownKeys();
    Map<String, String> wanted = new LinkedHashMap<>(set);
    Set<String> unknown = Settings.of(wanted).unknownKeys(known);
    if (!unknown.isEmpty()) {
      throw new StartupException(
          "unknown setting "
              + String.join(", ", unknown)
              + " in --set; docs/settings.md lists them",
          null);
    }
    put(wanted, "proxy.port", port);
    put(wanted, "common.http.managementPort", managementPort);
    put(wanted, "proxy.bind", bind);
    Settings fromFile = Settings.EMPTY;
    if (config != null) {
      fromFile = ConfigFile.read(config);
      Set<String> strange = fromFile.unknownKeys(known);
      if (!strange.isEmpty()) {
        say(
            "warning: "
                + config
                + " holds "
                + strange.size()
                + " settings that are not known here"
                + " and have no effect, for example "
                + strange.iterator().next());
      }
    }
    Settings settings = fromFile.with(wanted);
    warnWhenOpen(settings);
    return settings;
  }

  private static void put(Map<String, String> settings, String key, @Nullable Object value) {
    if (value != null) {
      settings.put(key, value.toString());
    }
  }

  private void warnWhenOpen(Settings settings) {
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

  private void say(String line) {
    spec.commandLine().getErr().println("elanus: " + line);
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
