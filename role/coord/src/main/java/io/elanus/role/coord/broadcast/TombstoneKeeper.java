package io.elanus.role.coord.broadcast;

import io.elanus.base.id.BroadcastId;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.Timers;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.role.coord.part.Waits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes tombstones by age and by number, whichever comes first (rule B-15). When there are too
/// many, those without an idempotency key go first, the oldest of them, some at a time. The age of
/// a recovered tombstone starts anew (rule B-25).
///
/// Owned by: the broadcaster's loop.
final class TombstoneKeeper {
  private static final Logger log = LoggerFactory.getLogger(TombstoneKeeper.class);

  /// Removed with one transaction; etcd takes 128 operations.
  private static final int BATCH = 100;

  private record Tombstone(BroadcastId id, long sinceNanos) {}

  private final BroadcasterDeps deps;
  private final CoordConfig.Broadcasts config;
  private final Loop loop;
  private final ArrayDeque<Tombstone> plain = new ArrayDeque<>();
  private final ArrayDeque<Tombstone> keyed = new ArrayDeque<>();
  private final ArrayDeque<BroadcastId> leaving = new ArrayDeque<>();
  private Timers.@Nullable Cancellable timer;
  private final Consumer<BroadcastId> leaves;
  private boolean removing;

  /// `leaves` hears of each keyed one as soon as it no longer answers retries.
  TombstoneKeeper(
      BroadcasterDeps deps,
      CoordConfig.Broadcasts config,
      Loop loop,
      Consumer<BroadcastId> leaves) {
    this.leaves = leaves;
    this.deps = deps;
    this.config = config;
    this.loop = loop;
  }

  void start() {
    timer =
        deps.threads()
            .timers()
            .every(config.tombstoneCheckInterval(), Waits.unlessClosed(loop), this::removeAged);
  }

  void stop() {
    Timers.Cancellable running = timer;
    if (running != null) {
      running.cancel();
    }
    plain.clear();
    keyed.clear();
    leaving.clear();
  }

  int size() {
    return plain.size() + keyed.size();
  }

  void add(BroadcastId id, boolean hasKey) {
    (hasKey ? keyed : plain).add(new Tombstone(id, deps.threads().clock().nanoTime()));
    if (size() > config.tombstoneMaxCount()) {
      removeExcess();
    }
    removeAged();
  }

  /// Plain ones leave a batch at a time, so that a steady flow costs few transactions.
  private void removeExcess() {
    int batch = Math.min(BATCH, Math.max(1, config.tombstoneMaxCount() / 16));
    for (int i = 0; i < batch && !plain.isEmpty(); i++) {
      leaving.add(plain.poll().id());
    }
    while (size() > config.tombstoneMaxCount()) {
      Tombstone oldest = plain.isEmpty() ? keyed.poll() : plain.poll();
      if (oldest == null) {
        break;
      }
      leave(oldest);
    }
    removeLeaving();
  }

  private void leave(Tombstone tombstone) {
    leaving.add(tombstone.id());
    leaves.accept(tombstone.id());
  }

  private void removeAged() {
    long now = deps.threads().clock().nanoTime();
    removeAged(plain, now);
    removeAged(keyed, now);
    removeLeaving();
  }

  private void removeAged(ArrayDeque<Tombstone> tombstones, long now) {
    long lifetime = config.tombstoneMaxLifetime().toNanos();
    for (Tombstone oldest = tombstones.peek();
        oldest != null && now - oldest.sinceNanos() >= lifetime;
        oldest = tombstones.peek()) {
      leave(oldest);
      tombstones.poll();
    }
  }

  private void removeLeaving() {
    if (removing || leaving.isEmpty()) {
      return;
    }
    removing = true;
    List<BroadcastId> batch = new ArrayList<>(BATCH);
    Txn.Builder txn = Txn.builder();
    while (batch.size() < BATCH && !leaving.isEmpty()) {
      BroadcastId id = leaving.poll();
      batch.add(id);
      txn.delete(TaskCodec.key(id));
    }
    deps.store()
        .commit(txn)
        .whenCompleteAsync(
            (_, failure) -> {
              removing = false;
              if (failure == null) {
                removeLeaving();
              } else {
                // Kept for the next check; removing one late harms nobody.
                leaving.addAll(batch);
                log.atWarn().setCause(failure).log("tombstones not removed");
              }
            },
            loop);
  }
}
