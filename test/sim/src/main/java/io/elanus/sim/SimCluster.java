package io.elanus.sim;

import io.elanus.base.config.Settings;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PChannel;
import io.elanus.base.random.Rng;
import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.log.WalBackend;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.role.proxy.task.ProxyNode;
import io.elanus.server.cluster.AliveOnly;
import io.elanus.server.cluster.Role;
import io.elanus.server.cluster.Session;
import io.elanus.server.cluster.Session.Member;
import io.elanus.server.node.ClusterProcess;
import io.elanus.server.node.Engines;
import io.elanus.server.node.NodeSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Processes of every role over shared stores. A process that ends, by itself or by a fault, is
/// started again under a new id.
///
/// Confined to the thread of the simulation.
final class SimCluster {
  static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration RESTART_AFTER = Duration.ofMillis(500);

  private static final Map<String, String> SETTINGS =
      Map.of(
          "rootCoord.dmlChannelNum", "2",
          "indexCoord.segment.minSegmentNumRowsToEnableIndex", "4",
          "dataCoord.compaction.checkDelay", "50ms",
          "dataCoord.compaction.min.segment", "2",
          "dataCoord.gc.dropTolerance", "5s",
          "dataCoord.gc.interval", "20s",
          "streaming.walRecovery.persistInterval", "2s",
          "dataNode.channel.updateChannelCheckpointInterval", "2s");

  /// A place for a process: what it runs, and its present incarnation.
  private static final class Slot {
    final String name;
    final List<Role> roles;
    int starts;
    long clockOffsetMs;
    @Nullable SimMachine machine;
    @Nullable ClusterProcess process;

    Slot(String name, Role... roles) {
      this.name = name;
      this.roles = List.of(roles);
    }
  }

  private final SimScheduler scheduler;
  private final SimNetwork network;
  private final Rng rng;
  private final Violations violations;
  private final MetaStore meta;
  private final WalBackend wal;
  private final Mutation mutation;
  private final ObjectStore objects;
  private final Map<PChannel, WalLog> newestWriters = new TreeMap<>();
  private final NodeSettings settings = NodeSettings.bind(Settings.of(SETTINGS));
  private final Map<String, Slot> slots = new LinkedHashMap<>();

  SimCluster(
      SimScheduler scheduler,
      SimNetwork network,
      Rng rng,
      Violations violations,
      Mutation mutation) {
    this.mutation = mutation;
    this.objects = mutation == Mutation.OBJECTS_ARE_LOST ? forgetful() : new MemoryObjectStore();
    this.scheduler = scheduler;
    this.network = network;
    this.rng = rng;
    this.violations = violations;
    SimMachine stores = new SimMachine(scheduler, rng.split("stores"), "stores", violations::fault);
    this.meta = new MemoryMetaStore(stores.clock(), stores.timers());
    this.wal = new MemoryWal();
    add(new Slot("coord-a", Role.COORDINATOR));
    add(new Slot("coord-b", Role.COORDINATOR));
    add(new Slot("stream-a", Role.STREAMING_NODE));
    add(new Slot("stream-b", Role.STREAMING_NODE));
    add(new Slot("query-a", Role.QUERY_NODE));
    add(new Slot("query-b", Role.QUERY_NODE));
    add(new Slot("data-a", Role.DATA_NODE));
    add(new Slot("proxy-a", Role.PROXY));
    add(new Slot("proxy-b", Role.PROXY));
  }

  /// Every seventh object that is put is not kept.
  private static ObjectStore forgetful() {
    ObjectStore objects = new MemoryObjectStore();
    int[] puts = {0};
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (_, method, arguments) -> {
              Object answer;
              try {
                answer = method.invoke(objects, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
              if (method.getName().equals("put") && ++puts[0] % 7 == 0) {
                objects.delete((String) arguments[0]);
              }
              return answer;
            });
  }

  private void add(Slot slot) {
    slot.clockOffsetMs = rng.nextInt(1_000) - 500L;
    slots.put(slot.name, slot);
    start(slot);
  }

  private void start(Slot slot) {
    slot.starts++;
    String name = slot.name + "-" + slot.starts;
    SimMachine machine = new SimMachine(scheduler, rng.split(name), name, violations::fault);
    machine.jumpClock(slot.clockOffsetMs);
    slot.machine = machine;
    SimMetaStore connection = new SimMetaStore(meta, scheduler, network, machine, mutation);
    Session.newNodeId(connection)
        .whenComplete((id, failure) -> {
          if (failure == null) {
            run(slot, machine, connection, id);
          } else {
            end(slot, machine);
          }
        });
  }

  private void run(Slot slot, SimMachine machine, MetaStore connection, NodeId id) {
    Rng own = rng.split(machine.name() + "/roles");
    Engines engines =
        new Engines(
            connection,
            new SimWal(
                wal,
                scheduler,
                network,
                machine,
                rng.split(machine.name() + "/wal"),
                mutation,
                newestWriters),
            objects);
    ClusterProcess process =
        new ClusterProcess(
            new ClusterProcess.Host(
                machine,
                own,
                (component, fault) -> violations.fault(machine.name() + " " + component, fault),
                new SimpleMeterRegistry()),
            engines,
            settings,
            new Member(id, slot.roles, machine.name()),
            network.connectorOf(machine),
            TTL);
    slot.process = process;
    Map<Class<?>, Object> services = new LinkedHashMap<>(process.services());
    ProxyNode proxy = process.proxyNode();
    if (proxy != null) {
      services.put(
          ProxyApi.class,
          goesOn(slot) ? proxy : AliveOnly.guard(ProxyApi.class, proxy, process::isAlive));
    }
    network.serve(machine, services);
    process
        .lost()
        .whenComplete((_, _) -> {
          if (!goesOn(slot)) {
            end(slot, machine);
          }
        });
    process
        .start()
        .whenComplete((_, failure) -> {
          if (failure != null) {
            end(slot, machine);
          }
        });
  }

  private boolean goesOn(Slot slot) {
    return mutation == Mutation.LOST_PROXIES_GO_ON && slot.roles.contains(Role.PROXY);
  }

  /// Ends a process at once, as kill −9 does; another takes its place a while later.
  private void end(Slot slot, SimMachine machine) {
    if (machine.isDead()) {
      return;
    }
    machine.kill();
    network.ended(machine);
    slot.process = null;
    scheduler.after(RESTART_AFTER.toNanos() + rng.nextInt(3_000) * 1_000_000L, () -> start(slot));
  }

  /// Names of the places, in order.
  List<String> places() {
    return List.copyOf(slots.keySet());
  }

  void crash(String place) {
    Slot slot = slot(place);
    if (slot.machine != null) {
      end(slot, slot.machine);
    }
  }

  /// Moves the clock of a computer: it stays so for whatever runs there.
  void jumpClock(String place, long byMs) {
    Slot slot = slot(place);
    slot.clockOffsetMs += byMs;
    if (slot.machine != null) {
      slot.machine.jumpClock(byMs);
    }
  }

  /// The machine in a place now; null while it is being replaced.
  @Nullable SimMachine machine(String place) {
    SimMachine machine = slot(place).machine;
    return machine == null || machine.isDead() ? null : machine;
  }

  private Slot slot(String place) {
    Slot slot = slots.get(place);
    if (slot == null) {
      throw new IllegalArgumentException("no place " + place);
    }
    return slot;
  }

  /// Addresses of proxies that are up.
  List<String> proxies() {
    List<String> up = new ArrayList<>();
    for (Slot slot : slots.values()) {
      if (slot.roles.contains(Role.PROXY) && slot.process != null && slot.machine != null) {
        up.add(slot.machine.name());
      }
    }
    return up;
  }

  /// How often each place was started.
  Map<String, Integer> starts() {
    Map<String, Integer> starts = new TreeMap<>();
    slots.values().forEach(slot -> starts.put(slot.name, slot.starts));
    return starts;
  }
}
