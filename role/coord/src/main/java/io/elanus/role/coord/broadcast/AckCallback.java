package io.elanus.role.coord.broadcast;

import io.elanus.engine.storage.meta.Txn;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// What a broadcast does to the catalog. Must be idempotent: it is run again after a failure or a
/// restart.
///
/// Called on the broadcaster's loop; must not block.
@FunctionalInterface
public interface AckCallback {
  /// The effect of the broadcast on the catalog as it is now. What it throws is retried.
  Effect apply(Acked broadcast);

  /// A change in two steps: `changes` are written in one transaction with the task's tombstone,
  /// under the coordinator's term; then `afterDurable` runs on the loop: it makes the change
  /// visible and tells who has to know. The broadcast is done when its future completes; a failure
  /// makes it run again.
  record Effect(Txn.Builder changes, Supplier<CompletableFuture<Void>> afterDurable) {
    /// Nothing to change.
    public static Effect none() {
      return new Effect(Txn.builder(), () -> CompletableFuture.completedFuture(null));
    }
  }
}
