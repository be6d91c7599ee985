package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.WorkPool;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.cache.CollectionCache;
import io.elanus.role.proxy.cache.RouteCache;
import io.elanus.role.proxy.consistency.GuaranteeTs;
import io.elanus.wire.service.CallContext;
import java.util.concurrent.CompletableFuture;

/// What the tasks of one proxy share.
///
/// Immutable.
record Parts(
    ProxyServices services,
    Caches caches,
    TimestampBatcher timestamps,
    Retry retry,
    GuaranteeTs guarantees,
    ProxyConfig config,
    WorkPool heavyWork) {

  record Caches(CollectionCache collections, RouteCache routes) {}

  /// The collection of a name or alias; a missing name blames the caller, who wrote it.
  CompletableFuture<CachedCollection> collection(
      CallContext context, String database, String name) {
    CompletableFuture<CachedCollection> found =
        caches.collections().byName(context, database, name);
    return found.isDone() && !found.isCompletedExceptionally()
        ? found
        : found.exceptionally(failure -> {
          throw named(failure);
        });
  }

  /// Marks errors about a name that the caller gave as the caller's.
  static DbException named(Throwable failure) {
    DbException error = io.elanus.wire.status.WireStatus.classify(failure);
    ErrorCode code = error.code();
    boolean aboutName =
        code == ErrorCode.COLLECTION_NOT_FOUND
            || code == ErrorCode.DATABASE_NOT_FOUND
            || code == ErrorCode.ALIAS_NOT_FOUND
            || code == ErrorCode.PARTITION_NOT_FOUND;
    return aboutName ? error.asInput() : error;
  }
}
