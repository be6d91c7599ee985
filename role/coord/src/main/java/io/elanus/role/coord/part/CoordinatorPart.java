package io.elanus.role.coord.part;

import java.util.concurrent.CompletableFuture;

/// A part of the coordinator that follows the catalog: segments and indexes, loads. Constructed
/// with a [PartContext]; started when TSO, catalog, channels and broadcaster serve.
///
/// Thread-safe.
public interface CoordinatorPart extends CatalogListener, AutoCloseable {
  /// Reads the part's own state from the store and reconciles it with the catalog. Catalog events
  /// may arrive from before the call on.
  CompletableFuture<Void> start();

  /// Stops all work; idempotent.
  @Override
  void close();
}
