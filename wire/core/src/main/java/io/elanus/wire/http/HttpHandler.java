package io.elanus.wire.http;

import java.util.concurrent.CompletableFuture;

/// Answers HTTP calls. Called on an event loop: must not block. A failed future is answered with
/// status 500.
///
/// Thread-safe.
@FunctionalInterface
public interface HttpHandler {
  CompletableFuture<HttpReply> handle(HttpCall call);
}
