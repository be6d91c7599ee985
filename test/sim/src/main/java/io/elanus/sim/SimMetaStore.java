package io.elanus.sim;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.Loop;
import io.elanus.engine.storage.meta.KeyRange;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.LeaseId;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.RangeResult;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.engine.storage.meta.TxnResult;
import io.elanus.engine.storage.meta.Watch;
import io.elanus.engine.storage.meta.WatchListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// One machine's connection to the metadata store: requests arrive in the order of their sending,
/// later than that; one into a cut fails, and whether it was carried out is not known.
///
/// Confined to the thread of the simulation.
final class SimMetaStore implements MetaStore {
  /// The store's name in the network.
  static final String HOST = "meta";

  private static final Duration GIVE_UP = Duration.ofSeconds(2);

  private final MetaStore store;
  private final SimScheduler scheduler;
  private final SimNetwork network;
  private final SimMachine machine;
  private final Mutation mutation;
  private final Loop replies;
  private long lastArrivalNanos;

  SimMetaStore(
      MetaStore store,
      SimScheduler scheduler,
      SimNetwork network,
      SimMachine machine,
      Mutation mutation) {
    this.mutation = mutation;
    this.store = store;
    this.scheduler = scheduler;
    this.network = network;
    this.machine = machine;
    this.replies = machine.loop("meta", Integer.MAX_VALUE);
  }

  private boolean isCut() {
    return network.isCut(machine.name(), HOST);
  }

  private <T> CompletableFuture<T> send(Supplier<CompletableFuture<T>> request) {
    CompletableFuture<T> reply = new CompletableFuture<>();
    if (isCut()) {
      fail(reply);
      return reply;
    }
    lastArrivalNanos =
        Math.max(lastArrivalNanos + 1, scheduler.nowNanos() + network.storeLatency());
    scheduler.after(
        lastArrivalNanos - scheduler.nowNanos(),
        () -> {
          if (isCut()) {
            fail(reply);
            return;
          }
          request
              .get()
              .whenComplete((value, failure) -> {
                if (isCut()) {
                  fail(reply);
                  return;
                }
                scheduler.after(
                    network.latency(),
                    () ->
                        replies.execute(() -> {
                          if (failure == null) {
                            reply.complete(value);
                          } else {
                            reply.completeExceptionally(failure);
                          }
                        }));
              });
        });
    return reply;
  }

  private void fail(CompletableFuture<?> reply) {
    scheduler.after(
        GIVE_UP.toNanos(),
        () ->
            replies.execute(() ->
                reply.completeExceptionally(
                    DbException.described(
                        ErrorCode.IO_FAILED, "the metadata store can't be reached"))));
  }

  @Override
  public CompletableFuture<Optional<KeyValue>> get(String key) {
    return send(() -> store.get(key));
  }

  @Override
  public CompletableFuture<RangeResult> range(KeyRange range, int limit) {
    return send(() -> store.range(range, limit));
  }

  @Override
  public CompletableFuture<TxnResult> txn(Txn txn) {
    return send(() -> store.txn(mutation.txn(txn)));
  }

  /// Events keep their order and come later; a watch isn't cut, it is late.
  @Override
  public CompletableFuture<Watch> watch(String prefix, Executor executor, WatchListener listener) {
    long[] last = {0};
    Executor late = task -> deliver(prefix, last, executor, task);
    return send(() -> store.watch(prefix, late, listener));
  }

  private boolean isUnheard(String prefix) {
    return mutation == Mutation.MOVES_ARE_NOT_HEARD_OF && prefix.startsWith("balance/");
  }

  private void deliver(String prefix, long[] last, Executor executor, Runnable task) {
    last[0] = Math.max(last[0] + 1, scheduler.nowNanos() + network.latency());
    scheduler.after(last[0] - scheduler.nowNanos(), () -> arrive(prefix, last, executor, task));
  }

  private void arrive(String prefix, long[] last, Executor executor, Runnable task) {
    if (machine.isDead() || isUnheard(prefix)) {
      return;
    }
    if (isCut()) {
      last[0] = Math.max(last[0], scheduler.nowNanos() + GIVE_UP.toNanos());
      scheduler.after(GIVE_UP.toNanos(), () -> arrive(prefix, last, executor, task));
      return;
    }
    executor.execute(task);
  }

  @Override
  public CompletableFuture<LeaseId> grantLease(Duration ttl) {
    Duration asked = mutation == Mutation.LEASES_NEVER_END ? Duration.ofDays(1) : ttl;
    return send(() -> store.grantLease(asked));
  }

  @Override
  public CompletableFuture<Void> keepAlive(LeaseId lease) {
    return send(() -> store.keepAlive(lease));
  }

  @Override
  public CompletableFuture<Void> revokeLease(LeaseId lease) {
    return send(() -> store.revokeLease(lease));
  }

  @Override
  public void close() {}
}
