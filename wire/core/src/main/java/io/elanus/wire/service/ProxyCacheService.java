package io.elanus.wire.service;

import io.elanus.base.id.CollectionId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// What the coordinator asks of every proxy.
///
/// Thread-safe.
public interface ProxyCacheService {
  /// Forgets what is cached of the collection and names; answers when no request that starts later
  /// can use it (rule R-11).
  CompletableFuture<Done> invalidate(CallContext context, InvalidateCache request);

  /// `names` may be collection names and aliases of `database`.
  record InvalidateCache(String database, List<String> names, CollectionId collectionId) {}
}
