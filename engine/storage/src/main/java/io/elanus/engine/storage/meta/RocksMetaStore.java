package io.elanus.engine.storage.meta;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.Threads;
import io.elanus.base.loop.WorkPool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/// The embedded [MetaStore]: RocksDB in one folder. A committer takes all transactions that wait,
/// evaluates their compares in order and writes them as one batch with one fsync, so concurrent
/// callers share it. Reads come from RocksDB's memory or files.
///
/// The folder holds the database (`rocks`), [RevisionMark] and the unpacked native library
/// (`native`, which may be deleted). One process may use a folder (RocksDB locks it). Values are
/// read whole; keep them below a few megabytes.
///
/// Thread-safe: the queue is guarded by `queueLock`, everything else belongs to the committer.
public final class RocksMetaStore implements MetaStore {
  private static final int MAX_GROUP = 1024;

  private final RocksFiles files;
  private final LeaseTable leases;
  private final WatchHub watches;
  private final MetaCore core;
  private final WorkPool committer;
  private final int maxPending;
  private final Object queueLock = new Object();

  @GuardedBy("queueLock")
  private List<MetaCore.Op> queue = new ArrayList<>();

  @GuardedBy("queueLock")
  private boolean scheduled;

  @GuardedBy("queueLock")
  private boolean closed;

  private RocksMetaStore(RocksFiles files, Threads threads, RocksOptions options) {
    this.files = files;
    this.maxPending = options.maxPendingTxns();
    this.leases = new LeaseTable(threads.clock(), threads.timers(), this::revokeLease);
    long revision = files.revision();
    this.watches = new WatchHub(revision);
    this.core = new MetaCore(files, leases, watches, revision);
    // A thread of its own: a native call would hold on to the carrier of a virtual one.
    this.committer = threads.pool("meta/committer", 1, 16);
  }

  /// Opens or creates the store in `folder`. IO_FAILED when it can't be opened, DATA_INTEGRITY when
  /// its files are damaged, OPERATION_UNSUPPORTED when a newer version wrote it.
  public static RocksMetaStore open(Path folder, Threads threads, RocksOptions options) {
    RocksFiles files = RocksFiles.open(folder, options);
    try {
      files.dropLeasedKeys();
      return new RocksMetaStore(files, threads, options);
    } catch (RuntimeException e) {
      files.close();
      throw e;
    }
  }

  public static RocksMetaStore open(Path folder, Threads threads) {
    return open(folder, threads, RocksOptions.DEFAULT);
  }

  @Override
  public CompletableFuture<Optional<KeyValue>> get(String key) {
    return Futures.of(() -> Optional.ofNullable(files.get(Keys.valid(key))));
  }

  @Override
  public CompletableFuture<RangeResult> range(KeyRange range, int limit) {
    return Futures.of(() -> files.rangeAtRevision(range, limit));
  }

  @Override
  public CompletableFuture<TxnResult> txn(Txn txn) {
    return submit(new MetaCore.TxnOp(txn, new CompletableFuture<>()), maxPending);
  }

  private CompletableFuture<TxnResult> submit(MetaCore.Op op, int bound) {
    synchronized (queueLock) {
      if (closed) {
        return Futures.failed(
            DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "metadata store is closed"));
      }
      if (queue.size() >= bound) {
        return Futures.failed(DbException.of(ErrorCode.TOO_MANY_REQUESTS, "metadata transactions"));
      }
      queue.add(op);
      if (scheduled) {
        return op.future();
      }
      scheduled = true;
    }
    try {
      committer.execute(this::drain);
    } catch (RejectedExecutionException e) {
      failQueued(e);
    }
    return op.future();
  }

  private void failQueued(RejectedExecutionException cause) {
    List<MetaCore.Op> refused;
    synchronized (queueLock) {
      refused = queue;
      queue = new ArrayList<>();
      scheduled = false;
    }
    DbException error =
        DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "metadata store is closing")
            .causedBy(cause);
    refused.forEach(op -> op.future().completeExceptionally(error));
  }

  private void drain() {
    while (true) {
      List<MetaCore.Op> group;
      synchronized (queueLock) {
        if (queue.isEmpty()) {
          scheduled = false;
          return;
        }
        if (queue.size() <= MAX_GROUP) {
          group = queue;
          queue = new ArrayList<>();
        } else {
          group = List.copyOf(queue.subList(0, MAX_GROUP));
          queue.subList(0, MAX_GROUP).clear();
        }
      }
      core.commit(group).forEach(Runnable::run);
    }
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
    // Not refused when the queue is full: nobody would end the lease otherwise.
    MetaCore.Op op = new MetaCore.RevokeOp(lease, new CompletableFuture<>());
    return submit(op, Integer.MAX_VALUE).thenAccept(_ -> {});
  }

  @Override
  public void close() {
    synchronized (queueLock) {
      if (closed) {
        return;
      }
      closed = true;
    }
    leases.close();
    committer.close();
    files.close();
  }
}
