package io.elanus.dist;

import io.elanus.server.node.StandaloneNode;
import java.util.concurrent.CountDownLatch;

/// The JVM's wish to end, on SIGTERM or Ctrl-C. The JVM wants a thread of its own for it, which is
/// why no injected one will do.
///
/// Thread-safe.
final class ShutdownSignal {
  private final CountDownLatch closed = new CountDownLatch(1);

  private ShutdownSignal() {}

  /// Closes the server when the signal comes; the JVM ends after that.
  static ShutdownSignal closing(StandaloneNode node) {
    ShutdownSignal signal = new ShutdownSignal();
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("shutdown")
                .unstarted(() -> {
                  node.close();
                  signal.closed.countDown();
                }));
    return signal;
  }

  /// Waits until the server is closed.
  void await() throws InterruptedException {
    closed.await();
  }
}
