package io.elanus.server.node;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Settings;
import io.elanus.base.loop.SystemThreads;
import io.elanus.base.random.Rng;
import io.elanus.base.time.SystemClock;
import io.elanus.role.proxy.grpc.CallContextInterceptor;
import io.elanus.role.proxy.grpc.MilvusServiceHandler;
import io.elanus.role.proxy.grpc.NodeFacts;
import io.elanus.role.proxy.rest.RestHandler;
import io.elanus.server.health.ManagementHandler;
import io.elanus.server.rpc.EventLoops;
import io.elanus.server.rpc.HttpPort;
import io.elanus.server.rpc.PortConfig;
import io.elanus.server.rpc.PortServer;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A whole server in one process: engines, roles, ports. Started, it serves; closed, it leaves
/// nothing behind but its data.
///
/// Thread-safe.
public final class StandaloneNode implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StandaloneNode.class);
  private static final long START_LIMIT_S = 600;

  /// What the contract's clients see as the server's version.
  private static final String CONTRACT_VERSION = "v2.6.17";

  private final String data;
  private final NodeSettings settings;
  private final ListenAddress clients;
  private final ListenAddress management;
  private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final PrometheusMeterRegistry metrics =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private int port;
  private int managementPort = -1;
  private long startedInMs;
  private boolean serving;

  private StandaloneNode(String data, NodeSettings settings) {
    this.data = data;
    this.settings = settings;
    PortConfig config = settings.edge().port();
    this.clients = new ListenAddress("client", config.bind(), config.port(), "--port");
    this.management =
        new ListenAddress(
            "management",
            config.bind(),
            settings.edge().server().managementPort(),
            "--management-port");
  }

  /// All keys that the process knows.
  public static Set<String> knownKeys() {
    return ConfigBinder.knownKeys(NodeSettings.records());
  }

  /// Starts a server on a data folder and answers when it serves.
  ///
  /// @throws StartupException when it can't; nothing is left running then
  public static StandaloneNode start(Path folder, Settings settings) throws StartupException {
    return start(folder, settings, () -> {});
  }

  /// The same; `whenClaimed` runs as soon as the folder is this server's alone, before anything in
  /// it is read: a log file there may be opened then and not earlier.
  public static StandaloneNode start(Path folder, Settings settings, Runnable whenClaimed)
      throws StartupException {
    StandaloneNode node = new StandaloneNode(folder.toString(), NodeSettings.bind(settings));
    node.startOrClose(folder, whenClaimed);
    return node;
  }

  /// The same with everything in memory.
  public static StandaloneNode startInMemory(Settings settings) throws StartupException {
    StandaloneNode node = new StandaloneNode("memory", NodeSettings.bind(settings));
    node.startOrClose(null, () -> {});
    return node;
  }

  private void startOrClose(@Nullable Path path, Runnable whenClaimed) throws StartupException {
    long began = SystemClock.INSTANCE.nanoTime();
    try {
      checkAddresses();
      DataFolder folder = path == null ? null : keep(DataFolder.open(path));
      whenClaimed.run();
      start(folder);
    } catch (StartupException | RuntimeException e) {
      close();
      throw e;
    }
    startedInMs = (SystemClock.INSTANCE.nanoTime() - began) / 1_000_000;
    serving = true;
    log.atInfo()
        .addKeyValue("port", port)
        .addKeyValue("data", data)
        .addKeyValue("ms", startedInMs)
        .log("serving");
  }

  private void checkAddresses() throws StartupException {
    clients.check();
    if (management.port() < 0) {
      return;
    }
    if (management.port() > 0 && management.port() == clients.port()) {
      throw new StartupException(
          "client and management port are both "
              + clients.port()
              + "; choose another with --port or --management-port",
          null);
    }
    management.check();
  }

  private void start(@Nullable DataFolder folder) throws StartupException {
    PortConfig portConfig = settings.edge().port();
    SystemThreads threads = keep(new SystemThreads("elanus", this::onFault));
    Engines engines =
        keep(
            folder == null
                ? Engines.inMemory(threads)
                : Engines.embedded(folder, threads, settings.edge().server()));
    Rng rng = new Rng(SystemClock.INSTANCE.nanoTime() ^ SystemClock.INSTANCE.wallMs() << 20);
    Roles roles =
        keep(new Roles(new Roles.Host(threads, rng, this::onFault, metrics), engines, settings));
    await(roles);

    EventLoops loops = keep(new EventLoops("elanus", netThreads(portConfig)));
    Executor large = threads.pool("proxy/large", 2, 1024);
    HealthStatusManager health = new HealthStatusManager();
    health.setStatus("", ServingStatus.SERVING);
    NodeFacts facts =
        new NodeFacts(
            CONTRACT_VERSION,
            BuildVersion.PRODUCT,
            "STANDALONE",
            Roles.NODE.value(),
            portConfig.bind(),
            this::health);
    ServerServiceDefinition milvus =
        ServerInterceptors.intercept(
            new MilvusServiceHandler(roles.proxy(), large, facts),
            new CallContextInterceptor(
                threads.clock(), rng, settings.edge().proxy().times().defaultTimeout()));
    try {
      PortServer server =
          keep(
              new PortServer(
                  portConfig,
                  loops,
                  List.of(milvus, health.getHealthService().bindService()),
                  new RestHandler(roles.proxy(), large),
                  threads.clock(),
                  rng));
      port = server.port();
    } catch (IOException e) {
      throw clients.refused(e);
    }
    openManagement(roles, threads, loops, rng);
  }

  private void openManagement(Roles roles, SystemThreads threads, EventLoops loops, Rng rng)
      throws StartupException {
    if (management.port() < 0) {
      return;
    }
    ManagementHandler handler =
        new ManagementHandler(
            new NodeStatus(this, roles, threads.clock()),
            metrics,
            threads.blocking("server/management"));
    try {
      HttpPort http =
          keep(
              new HttpPort(
                  management.host(), management.port(), loops, handler, threads.clock(), rng));
      managementPort = http.port();
    } catch (IOException e) {
      throw management.refused(e);
    }
  }

  private static int netThreads(PortConfig config) {
    return config.netThreads() > 0
        ? config.netThreads()
        : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  /// Waits until DDL would be served: services recovered, all channels open.
  private static void await(Roles roles) throws StartupException {
    CompletableFuture<Void> ready =
        roles.coordinator().start().thenCompose(_ -> roles.coordinator().whenChannelsReady());
    try {
      CompletableFuture.anyOf(ready, roles.damage().found()).get(START_LIMIT_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new StartupException("stored data can't be recovered: " + cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new StartupException(
          "stored data was not recovered within " + START_LIMIT_S + " s; see the log", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartupException("interrupted while starting", e);
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(resource);
    return resource;
  }

  private void onFault(String component, Throwable thrown) {
    fault.compareAndSet(null, thrown);
    log.atError().setCause(thrown).addKeyValue("component", component).log("component failed");
  }

  private NodeFacts.Health health() {
    Throwable found = fault.get();
    return found == null
        ? new NodeFacts.Health(true, List.of())
        : new NodeFacts.Health(false, List.of(String.valueOf(found.getMessage())));
  }

  /// Health and first fault, for the management port.
  Map.Entry<Boolean, String> healthLine() {
    NodeFacts.Health health = health();
    return Map.entry(health.healthy(), String.join(", ", health.reasons()));
  }

  /// The address listened on.
  public String address() {
    return settings.edge().port().bind();
  }

  /// The client port.
  public int port() {
    return port;
  }

  /// The management port, -1 when there is none.
  public int managementPort() {
    return managementPort;
  }

  public String dataFolder() {
    return data;
  }

  /// From the call to ready, milliseconds.
  public long startedInMs() {
    return startedInMs;
  }

  /// Stops taking requests, then everything behind, last opened first. Idempotent.
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    for (AutoCloseable resource : open.reversed()) {
      try {
        resource.close();
      } catch (Exception e) {
        // The next ones must be closed all the same: the folder's lock is the last.
        log.atWarn().setCause(e).log("a component did not close cleanly");
      }
    }
    metrics.close();
    if (serving) {
      log.atInfo().addKeyValue("data", data).log("stopped");
    }
  }
}
