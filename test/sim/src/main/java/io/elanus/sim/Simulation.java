package io.elanus.sim;

import io.elanus.base.random.Rng;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.wire.service.DdlRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/// One run of one seed: a cluster starts, clients work while things go wrong, things are mended,
/// and everything must be as it was acknowledged and work again.
///
/// ```sh
/// mvn -q -pl test/sim test -Dtest=SimulationTest -Delanus.sim.seed=42
/// ```
///
/// Thread-safe: each call has a world of its own.
public final class Simulation {
  private static final int CLIENTS = 4;
  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final Duration TROUBLE = Duration.ofSeconds(15);
  private static final Duration MEND_WITHIN = Duration.ofSeconds(90);

  /// What a run showed.
  ///
  /// @param violations empty when all rules held
  /// @param traceHash equal for equal runs
  public record Outcome(
      long seed,
      List<String> violations,
      long traceHash,
      long steps,
      long operations,
      long failures,
      int faults,
      Map<String, Integer> starts) {
    public Outcome {
      violations = List.copyOf(violations);
      starts = Map.copyOf(starts);
    }
  }

  private final long seed;
  private final Violations violations = new Violations();
  private final SimScheduler scheduler;
  private final SimCluster cluster;
  private final Faults faults;
  private final List<Client> clients = new ArrayList<>();

  private Simulation(long seed, Mutation mutation) {
    this.seed = seed;
    Rng rng = new Rng(seed);
    this.scheduler = new SimScheduler(rng.split("schedule"));
    SimNetwork network = new SimNetwork(scheduler, rng.split("network"), mutation);
    this.cluster = new SimCluster(scheduler, network, rng.split("cluster"), violations, mutation);
    this.faults = new Faults(scheduler, network, cluster, rng.split("faults"));
    Client.World world = new Client.World(scheduler, network, cluster, violations, clients);
    for (int i = 0; i < CLIENTS; i++) {
      SimMachine machine =
          new SimMachine(scheduler, rng.split("client-" + i), "client-" + i, violations::fault);
      clients.add(new Client(i, world, machine, rng.split("client-" + i + "/choices")));
    }
  }

  /// Runs `seed` to its end.
  public static Outcome run(long seed) {
    return run(seed, Mutation.NONE);
  }

  /// The same with a rule broken on purpose.
  static Outcome run(long seed, Mutation mutation) {
    Simulation simulation = new Simulation(seed, mutation);
    simulation.run();
    long operations = simulation.clients.stream().mapToLong(Client::operations).sum();
    long failures = simulation.clients.stream().mapToLong(Client::failures).sum();
    return new Outcome(
        seed,
        simulation.violations.all(),
        simulation.scheduler.traceHash(),
        simulation.scheduler.steps(),
        operations,
        failures,
        simulation.faults.injected(),
        simulation.cluster.starts());
  }

  private void run() {
    if (!reach("the start", START_WITHIN, this::setUp)) {
      return;
    }
    faults.start();
    long until = scheduler.nowNanos() + TROUBLE.toNanos();
    clients.forEach(client -> client.runUntil(until));
    scheduler.run(TROUBLE, () -> !violations.isEmpty());
    if (!violations.isEmpty()) {
      return;
    }
    faults.stop();
    // What was under way ends first: a client judges only what it knows the end of.
    scheduler.run(Duration.ofSeconds(12), () -> !violations.isEmpty());
    for (Client client : clients) {
      if (!reach("the end", MEND_WITHIN, (_, _) -> client.settle())) {
        return;
      }
    }
  }

  /// Tries `step` until it succeeds; a violation when it doesn't in time.
  private boolean reach(
      String goal, Duration within, BiFunction<Client, ProxyApi, CompletableFuture<?>> step) {
    long until = scheduler.nowNanos() + within.toNanos();
    Throwable last = null;
    while (violations.isEmpty() && scheduler.nowNanos() < until) {
      Client client = clients.getFirst();
      CompletableFuture<?> tried = step.apply(client, client.proxy());
      scheduler.run(Duration.ofSeconds(10), () -> tried.isDone() || !violations.isEmpty());
      if (tried.isDone() && !tried.isCompletedExceptionally()) {
        return violations.isEmpty();
      }
      if (tried.isDone()) {
        last = tried.exceptionNow();
      }
      scheduler.run(Duration.ofMillis(200), () -> !violations.isEmpty());
    }
    if (violations.isEmpty()) {
      violations.report(
          goal + " was not reached within " + within.toSeconds() + " s of calm: " + last);
    }
    return false;
  }

  private CompletableFuture<?> setUp(Client client, ProxyApi proxy) {
    String database = Client.DATABASE;
    String name = Client.COLLECTION;
    Map<String, String> index =
        Map.of("index_type", "HNSW", "metric_type", "L2", "M", "8", "efConstruction", "40");
    return proxy
        .ddl(client.context(), NameHistory.creation(name))
        .thenCompose(_ ->
            proxy.ddl(
                client.context(),
                new DdlRequest.CreateIndex(database, name, "v", "", index, Map.of())))
        .thenCompose(_ ->
            proxy.ddl(
                client.context(), new DdlRequest.Load(database, name, List.of(), 0, List.of())))
        .thenCompose(_ -> client.readAll());
  }

  @Override
  public String toString() {
    return "simulation of seed " + seed;
  }
}
