package io.elanus.engine.storage.meta;

import io.elanus.base.error.DbException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Turns calls that are answered at once into futures.
///
/// Thread-safe: stateless.
final class Futures {
  private Futures() {}

  static <T> CompletableFuture<T> of(Supplier<T> call) {
    try {
      return CompletableFuture.completedFuture(call.get());
    } catch (DbException e) {
      return failed(e);
    }
  }

  static CompletableFuture<Void> run(Runnable call) {
    try {
      call.run();
    } catch (DbException e) {
      return failed(e);
    }
    return done();
  }

  private static CompletableFuture<Void> done() {
    CompletableFuture<@Nullable Void> done = CompletableFuture.completedFuture(null);
    return done.thenAccept(_ -> {});
  }

  static <T> CompletableFuture<T> failed(DbException error) {
    return CompletableFuture.failedFuture(error);
  }
}
