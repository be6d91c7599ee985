package io.elanus.engine.storage.meta;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// SPI of the metadata store: ordered keys with compare-and-set transactions.
///
/// Reads see every transaction whose future has completed (linearizable). A future may complete on
/// a thread of the store: continuations must not block, and hand over to their own loop.
///
/// Errors: IO_FAILED when the disk or the connection failed; the embedded engine then refuses every
/// further write until it is opened again, because it can't know what the disk holds.
/// SERVICE_UNAVAILABLE after close, TOO_MANY_REQUESTS when too many transactions are waiting,
/// PARAMETER_INVALID for malformed keys, IO_KEY_NOT_FOUND for unknown leases.
///
/// Thread-safe: callable from any thread.
public interface MetaStore extends AutoCloseable {
  /// The entry of `key`, if it exists.
  CompletableFuture<Optional<KeyValue>> get(String key);

  /// At most `limit` entries of `range` in key order, all read at one revision.
  CompletableFuture<RangeResult> range(KeyRange range, int limit);

  /// Every entry of `range`.
  default CompletableFuture<RangeResult> range(KeyRange range) {
    return range(range, Integer.MAX_VALUE);
  }

  /// Evaluates and applies `txn` atomically; completes when it is durable. Transactions are applied
  /// in the order of the calls of one thread.
  CompletableFuture<TxnResult> txn(Txn txn);

  /// Delivers every change under `prefix` from now on.
  CompletableFuture<Watch> watch(String prefix, Executor executor, WatchListener listener);

  /// A lease that ends `ttl` after its last keepalive; the keys attached to it are then deleted.
  /// Engines inside a process end all leases with that process: keys with a lease that are found
  /// when the store is opened are deleted.
  CompletableFuture<LeaseId> grantLease(Duration ttl);

  /// Starts the lease's time anew; fails with IO_KEY_NOT_FOUND when it has ended.
  CompletableFuture<Void> keepAlive(LeaseId lease);

  /// Ends the lease now and deletes its keys; no error when it has ended before.
  CompletableFuture<Void> revokeLease(LeaseId lease);

  /// Waits for accepted transactions, then refuses all use. Idempotent.
  @Override
  void close();
}
