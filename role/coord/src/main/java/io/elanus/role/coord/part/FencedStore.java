package io.elanus.role.coord.part;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.engine.storage.meta.KeyRange;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.RangeResult;
import io.elanus.engine.storage.meta.Txn;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// The metadata store as the active coordinator writes it: every transaction compares the
/// coordinator's term, so that a deposed one can't write (rules R-20, B-33).
///
/// Thread-safe: the term is taken once before use, `deposed` only turns true.
public final class FencedStore {
  static final String TERM_KEY = "coord/term";

  private final MetaStore store;
  private volatile long term;
  private volatile byte[] termValue = new byte[0];
  private volatile boolean deposed;

  public FencedStore(MetaStore store) {
    this.store = store;
  }

  /// Becomes the active coordinator under the next term; answers it. Every earlier one is deposed.
  public CompletableFuture<Long> takeTerm() {
    return store
        .get(TERM_KEY)
        .thenCompose(current -> {
          long next = current.map(FencedStore::termOf).orElse(0L) + 1;
          byte[] value = Long.toString(next).getBytes(StandardCharsets.UTF_8);
          Txn.Builder txn = Txn.builder().put(TERM_KEY, value);
          current.ifPresentOrElse(
              kv -> txn.ifModRevision(TERM_KEY, kv.modRevision()), () -> txn.ifAbsent(TERM_KEY));
          return store
              .txn(txn.build())
              .thenApply(result -> {
                if (!result.succeeded()) {
                  throw deposedError("another coordinator took term " + next);
                }
                term = next;
                termValue = value;
                return next;
              });
        });
  }

  private static long termOf(KeyValue entry) {
    return Long.parseLong(new String(entry.value(), StandardCharsets.UTF_8));
  }

  private static DbException deposedError(String detail) {
    return DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "coordinator deposed: " + detail);
  }

  public long term() {
    return term;
  }

  /// True once a write was refused because a later coordinator is active.
  public boolean isDeposed() {
    return deposed;
  }

  /// Applies `txn` under this coordinator's term; `txn` must not have compares of its own. Error 2
  /// (SERVICE_UNAVAILABLE) when deposed: then nothing was written and nothing will be.
  public CompletableFuture<Void> commit(Txn.Builder txn) {
    if (deposed || term == 0) {
      return CompletableFuture.failedFuture(
          deposedError(term == 0 ? "no term taken" : "term " + term + " is over"));
    }
    return store
        .txn(txn.ifValue(TERM_KEY, termValue).build())
        .thenAccept(result -> {
          if (!result.succeeded()) {
            deposed = true;
            throw new CompletionException(deposedError("term " + term + " is over"));
          }
        });
  }

  public CompletableFuture<Void> put(String key, byte[] value) {
    return commit(Txn.builder().put(key, value));
  }

  public CompletableFuture<Void> delete(String key) {
    return commit(Txn.builder().delete(key));
  }

  public CompletableFuture<Optional<KeyValue>> get(String key) {
    return store.get(key);
  }

  /// Every entry whose key starts with `prefix`, in key order.
  public CompletableFuture<RangeResult> prefix(String prefix) {
    return store.range(KeyRange.prefix(prefix));
  }
}
