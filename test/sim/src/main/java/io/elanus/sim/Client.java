package io.elanus.sim;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.Consistency;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.role.proxy.api.QueryReply;
import io.elanus.role.proxy.api.QueryRequest;
import io.elanus.role.proxy.api.ReadTarget;
import io.elanus.role.proxy.api.WriteReply;
import io.elanus.role.proxy.api.WriteRequest;
import io.elanus.sim.KeyHistory.Level;
import io.elanus.sim.KeyHistory.Read;
import io.elanus.wire.service.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// A client program: one operation after another, each through some proxy, each checked.
///
/// Confined to the thread of the simulation.
final class Client {
  static final String COLLECTION = "c";
  static final String DATABASE = "default";
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final int KEYS = 6;
  private static final int KEY_SPACE = 1_000_000;

  private final int number;
  private final World world;
  private final SimMachine machine;
  private final Rng rng;
  private final TreeMap<Long, KeyHistory> keys = new TreeMap<>();
  private final NameHistory names;
  private long nextKey;
  private long nextValue = 1;
  private long lastWriteTs = 1;
  private long operations;
  private long failures;

  /// What a client lives in.
  record World(
      SimScheduler scheduler,
      SimNetwork network,
      SimCluster cluster,
      Violations violations,
      List<Client> clients) {}

  Client(int number, World world, SimMachine machine, Rng rng) {
    this.number = number;
    this.world = world;
    this.machine = machine;
    this.rng = rng;
    this.nextKey = (long) (number + 1) * KEY_SPACE;
    this.names = new NameHistory("n" + number, world.violations());
  }

  long operations() {
    return operations;
  }

  long failures() {
    return failures;
  }

  CallContext context() {
    return new CallContext(Deadline.after(machine.clock(), PATIENCE), "client-" + number);
  }

  /// A proxy that is up, or was a moment ago.
  ProxyApi proxy() {
    List<String> up = world.cluster().proxies();
    String address = up.isEmpty() ? "nobody" : up.get(rng.nextInt(up.size()));
    return world.network().client(machine, address, ProxyApi.class);
  }

  private long now() {
    return world.scheduler().nowNanos();
  }

  /// Does one thing after another until `until`.
  void runUntil(long until) {
    if (now() >= until) {
      return;
    }
    operations++;
    operation()
        .whenComplete((_, failure) -> {
          if (failure != null) {
            failures++;
          }
          machine
              .timers()
              .after(
                  Duration.ofNanos(200_000 + rng.nextInt(40_000_000)),
                  machine.net(),
                  () -> runUntil(until));
        });
  }

  private CompletableFuture<?> operation() {
    int draw = rng.nextInt(100);
    if (draw < 40) {
      return write(rng.nextInt(4) == 0);
    }
    if (draw < 60) {
      return readOne(world.clients().get(rng.nextInt(world.clients().size())), Level.STRONG);
    }
    if (draw < 70) {
      return readOne(this, Level.SESSION);
    }
    if (draw < 80) {
      return readOne(
          world.clients().get(rng.nextInt(world.clients().size())),
          rng.nextInt(2) == 0 ? Level.BOUNDED : Level.EVENTUALLY);
    }
    if (draw < 92) {
      return readAll();
    }
    if (draw < 94) {
      return proxy().flush(context(), DATABASE, COLLECTION);
    }
    return names.operate(this, rng);
  }

  private CompletableFuture<?> write(boolean delete) {
    KeyHistory history = writable();
    boolean deletes = delete && history.last() != KeyHistory.NONE;
    long value = deletes ? KeyHistory.NONE : nextValue++;
    history.invoked(value);
    CompletableFuture<WriteReply> reply =
        deletes ? delete(history.key()) : upsert(history.key(), value);
    return reply.thenAccept(written -> {
      history.acked(now());
      lastWriteTs = Math.max(lastWriteTs, written.timestamp().value());
    });
  }

  private KeyHistory writable() {
    List<KeyHistory> certain = keys.values().stream().filter(KeyHistory::isCertain).toList();
    if (certain.size() < KEYS) {
      KeyHistory fresh = new KeyHistory(nextKey++);
      keys.put(fresh.key(), fresh);
      return fresh;
    }
    return certain.get(rng.nextInt(certain.size()));
  }

  private CompletableFuture<WriteReply> upsert(long key, long value) {
    List<NamedColumn> columns = List.of(integers("id", key), integers("value", value), vector(key));
    return proxy()
        .upsert(
            context(),
            new WriteRequest.Upsert(
                DATABASE, COLLECTION, "", columns, 1, new WriteRequest.Upsert.Options(0, false)));
  }

  private CompletableFuture<WriteReply> delete(long key) {
    return proxy()
        .delete(
            context(),
            new WriteRequest.Delete(DATABASE, COLLECTION, "", "id in [" + key + "]", Map.of()));
  }

  private static NamedColumn integers(String name, long value) {
    ColumnBuilder column = new ColumnBuilder(DataType.INT64, 0, 1);
    column.addInteger(value);
    return new NamedColumn(name, false, column.build());
  }

  private static NamedColumn vector(long key) {
    ColumnBuilder column = new ColumnBuilder(DataType.FLOAT_VECTOR, 2, 1);
    column.addFloatVector(new float[] {key, 0}, 0);
    return new NamedColumn("v", false, column.build());
  }

  private CompletableFuture<?> readOne(Client owner, Level level) {
    if (owner.keys.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    List<KeyHistory> histories = List.copyOf(owner.keys.values());
    KeyHistory history = histories.get(rng.nextInt(histories.size()));
    Read read = new Read(now(), level, owner == this);
    return query("id in [" + history.key() + "]", level)
        .thenAccept(
            rows -> check(history, read, rows.getOrDefault(history.key(), KeyHistory.NONE)));
  }

  /// Every key of this client, in one read: each right, none twice, no stranger.
  CompletableFuture<?> readAll() {
    long first = (long) (number + 1) * KEY_SPACE;
    Read read = new Read(now(), Level.STRONG, true);
    return query("id >= " + first + " and id < " + (first + KEY_SPACE), Level.STRONG)
        .thenAccept(rows -> {
          TreeSet<Long> strangers = new TreeSet<>(rows.keySet());
          strangers.removeAll(keys.keySet());
          if (!strangers.isEmpty()) {
            world
                .violations()
                .report("client " + number + " read keys never written: " + strangers);
          }
          keys.values()
              .forEach(history ->
                  check(history, read, rows.getOrDefault(history.key(), KeyHistory.NONE)));
        });
  }

  private void check(KeyHistory history, Read read, long value) {
    String wrong = history.check(read, value, now());
    if (!wrong.isEmpty()) {
      world.violations().report("client " + number + ", at " + now() / 1_000_000 + " ms, " + wrong);
    }
  }

  private CompletableFuture<Map<Long, Long>> query(String filter, Level level) {
    return proxy()
        .query(
            context(),
            new QueryRequest(
                new ReadTarget(
                    DATABASE, COLLECTION, List.of(), filter, Map.of(), List.of("id", "value")),
                Map.of(),
                consistency(level)))
        .thenApply(this::rows);
  }

  private Consistency consistency(Level level) {
    return switch (level) {
      case STRONG -> new Consistency(false, ConsistencyLevel.STRONG, 0);
      case SESSION -> new Consistency(false, ConsistencyLevel.SESSION, lastWriteTs);
      case BOUNDED -> new Consistency(false, ConsistencyLevel.BOUNDED, 0);
      case EVENTUALLY -> new Consistency(false, ConsistencyLevel.EVENTUALLY, 0);
    };
  }

  private Map<Long, Long> rows(QueryReply reply) {
    TreeMap<Long, Long> rows = new TreeMap<>();
    Column ids = column(reply, "id");
    Column values = column(reply, "value");
    List<Long> twice = new ArrayList<>();
    for (int i = 0; i < ids.rows(); i++) {
      if (rows.put(ids.longAt(i), values.longAt(i)) != null) {
        twice.add(ids.longAt(i));
      }
    }
    if (!twice.isEmpty()) {
      world.violations().report("client " + number + " read keys twice: " + twice);
    }
    return rows;
  }

  private static Column column(QueryReply reply, String name) {
    for (NamedColumn column : reply.columns()) {
      if (column.name().equals(name)) {
        return column.column();
      }
    }
    throw new IllegalStateException("no column " + name + " in the answer");
  }

  /// After the faults: everything is as it was acknowledged.
  CompletableFuture<?> settle() {
    return readAll().thenCompose(_ -> names.settle(this));
  }

  /// The largest timestamp that a write of this client was given.
  HybridTs lastWrite() {
    return new HybridTs(lastWriteTs);
  }
}
