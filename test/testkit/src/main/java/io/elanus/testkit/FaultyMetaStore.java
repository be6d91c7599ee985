package io.elanus.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A [MetaStore] in front of another one whose transactions can be refused, held back or cut off
/// after they were applied.
///
/// Thread-safe: guarded by `lock`; held transactions run on the thread that releases them.
public final class FaultyMetaStore implements MetaStore {
  private final MetaStore store;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<Runnable> held = new ArrayList<>();

  @GuardedBy("lock")
  private boolean holding;

  @GuardedBy("lock")
  private int failures;

  @GuardedBy("lock")
  private @Nullable DbException failure;

  @GuardedBy("lock")
  private boolean failAfterApply;

  @GuardedBy("lock")
  private int txns;

  public FaultyMetaStore(MetaStore store) {
    this.store = store;
  }

  /// The next `count` transactions fail with `error` and change nothing.
  public void failNext(int count, DbException error) {
    synchronized (lock) {
      failures = count;
      failure = error;
      failAfterApply = false;
    }
  }

  /// The next `count` transactions are applied, but answered with `error`: the unknown outcome.
  public void failNextAfterApply(int count, DbException error) {
    synchronized (lock) {
      failures = count;
      failure = error;
      failAfterApply = true;
    }
  }

  /// Transactions wait until [#release].
  public void hold() {
    synchronized (lock) {
      holding = true;
    }
  }

  /// Applies what waits, in order, and holds nothing back from then on.
  public void release() {
    List<Runnable> due;
    synchronized (lock) {
      holding = false;
      due = List.copyOf(held);
      held.clear();
    }
    due.forEach(Runnable::run);
  }

  /// Transactions asked for so far.
  public int txnCount() {
    synchronized (lock) {
      return txns;
    }
  }

  @Override
  public CompletableFuture<TxnResult> txn(Txn txn) {
    CompletableFuture<TxnResult> future = new CompletableFuture<>();
    DbException error = null;
    boolean after = false;
    synchronized (lock) {
      txns++;
      if (failures > 0) {
        failures--;
        error = failure;
        after = failAfterApply;
      }
      if (holding) {
        DbException heldError = error;
        boolean heldAfter = after;
        held.add(() -> run(txn, heldError, heldAfter, future));
        return future;
      }
    }
    run(txn, error, after, future);
    return future;
  }

  private void run(
      Txn txn, @Nullable DbException error, boolean after, CompletableFuture<TxnResult> future) {
    if (error != null && !after) {
      future.completeExceptionally(error);
      return;
    }
    store
        .txn(txn)
        .whenComplete((result, failed) -> {
          if (failed != null) {
            future.completeExceptionally(failed);
          } else if (error != null) {
            future.completeExceptionally(error);
          } else {
            future.complete(result);
          }
        });
  }

  @Override
  public CompletableFuture<Optional<KeyValue>> get(String key) {
    return store.get(key);
  }

  @Override
  public CompletableFuture<RangeResult> range(KeyRange range, int limit) {
    return store.range(range, limit);
  }

  @Override
  public CompletableFuture<Watch> watch(String prefix, Executor executor, WatchListener listener) {
    return store.watch(prefix, executor, listener);
  }

  @Override
  public CompletableFuture<LeaseId> grantLease(Duration ttl) {
    return store.grantLease(ttl);
  }

  @Override
  public CompletableFuture<Void> keepAlive(LeaseId lease) {
    return store.keepAlive(lease);
  }

  @Override
  public CompletableFuture<Void> revokeLease(LeaseId lease) {
    return store.revokeLease(lease);
  }

  @Override
  public void close() {
    store.close();
  }
}
