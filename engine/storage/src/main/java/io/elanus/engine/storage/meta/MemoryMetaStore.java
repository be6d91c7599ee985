package io.elanus.engine.storage.meta;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A [MetaStore] that keeps nothing beyond its own life; for tests and throw-away databases.
/// Futures complete before the call returns.
///
/// Thread-safe: guarded by `lock`.
public final class MemoryMetaStore implements MetaStore {
  private final Object lock = new Object();
  private final LeaseTable leases;
  private final WatchHub watches = new WatchHub(0);

  @GuardedBy("lock")
  private final TreeMap<String, KeyValue> entries = new TreeMap<>(Keys::compare);

  @GuardedBy("lock")
  private final MetaCore core;

  @GuardedBy("lock")
  private boolean closed;

  /// `clock` and `timers` drive the leases.
  public MemoryMetaStore(Clock clock, Timers timers) {
    this.leases = new LeaseTable(clock, timers, this::revokeLease);
    this.core = new MetaCore(new TreeBacking(), leases, watches, 0);
  }

  /// Entries in the map; called by the core, always under `lock`.
  @SuppressWarnings("GuardedBy")
  private final class TreeBacking implements Backing {
    @Override
    public @Nullable KeyValue get(String key) {
      return entries.get(key);
    }

    @Override
    public List<KeyValue> range(KeyRange range, int limit) {
      List<KeyValue> found = new ArrayList<>();
      for (KeyValue entry : entries.tailMap(range.from()).values()) {
        if (found.size() >= limit || !range.contains(entry.key())) {
          break;
        }
        found.add(entry);
      }
      return found;
    }

    @Override
    public void write(SortedMap<String, Overlay.Change> changes, long revision) {
      changes.forEach((key, change) -> {
        KeyValue entry = change.entry();
        if (entry == null) {
          entries.remove(key);
        } else {
          entries.put(key, entry);
        }
      });
    }
  }

  @GuardedBy("lock")
  private void checkOpen() {
    if (closed) {
      throw DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "metadata store is closed");
    }
  }

  @Override
  public CompletableFuture<Optional<KeyValue>> get(String key) {
    return Futures.of(() -> {
      synchronized (lock) {
        checkOpen();
        return Optional.ofNullable(entries.get(Keys.valid(key)));
      }
    });
  }

  @Override
  public CompletableFuture<RangeResult> range(KeyRange range, int limit) {
    return Futures.of(() -> {
      synchronized (lock) {
        checkOpen();
        int wanted = limit == Integer.MAX_VALUE ? limit : limit + 1;
        List<KeyValue> found = new TreeBacking().range(range, wanted);
        boolean more = found.size() > limit;
        return new RangeResult(more ? found.subList(0, limit) : found, core.revision(), more);
      }
    });
  }

  @Override
  public CompletableFuture<TxnResult> txn(Txn txn) {
    CompletableFuture<TxnResult> future = new CompletableFuture<>();
    return run(new MetaCore.TxnOp(txn, future));
  }

  private CompletableFuture<TxnResult> run(MetaCore.Op op) {
    List<Runnable> answers;
    synchronized (lock) {
      if (closed) {
        return Futures.failed(
            DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "metadata store is closed"));
      }
      answers = core.commit(List.of(op));
    }
    answers.forEach(Runnable::run);
    return op.future();
  }

  @Override
  public CompletableFuture<Watch> watch(String prefix, Executor executor, WatchListener listener) {
    return Futures.of(() -> watches.add(prefix, executor, listener));
  }

  @Override
  public CompletableFuture<LeaseId> grantLease(Duration ttl) {
    return Futures.of(() -> leases.grant(ttl));
  }

  @Override
  public CompletableFuture<Void> keepAlive(LeaseId lease) {
    return Futures.run(() -> leases.keepAlive(lease));
  }

  @Override
  public CompletableFuture<Void> revokeLease(LeaseId lease) {
    return run(new MetaCore.RevokeOp(lease, new CompletableFuture<>())).thenAccept(_ -> {});
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    leases.close();
  }
}
