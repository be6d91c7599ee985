package io.elanus.engine.segment;

import java.util.concurrent.atomic.AtomicInteger;

/// A count of holders; the last one to let go runs the closer.
///
/// Thread-safe: by the atomic count.
final class Pins {
  private final AtomicInteger holders = new AtomicInteger(1);
  private final Runnable closer;

  Pins(Runnable closer) {
    this.closer = closer;
  }

  boolean retain() {
    while (true) {
      int now = holders.get();
      if (now == 0) {
        return false;
      }
      if (holders.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  void release() {
    int left = holders.decrementAndGet();
    io.elanus.base.error.Invariant.check(left >= 0, "segment released too often");
    if (left == 0) {
      closer.run();
    }
  }
}
