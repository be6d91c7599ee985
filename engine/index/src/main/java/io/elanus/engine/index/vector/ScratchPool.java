package io.elanus.engine.index.vector;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/// A small pool of reusable scratch objects, at most [#SLOTS] kept. A thread that finds none makes one;
/// a thread that finds no free slot drops its own.
///
/// Thread-safe: slots are taken and returned atomically.
final class ScratchPool<T> {
  private static final int SLOTS = 64;
  private static final int PROBES = 8;

  private final AtomicReferenceArray<T> slots = new AtomicReferenceArray<>(SLOTS);
  private final Supplier<T> maker;

  ScratchPool(Supplier<T> maker) {
    this.maker = maker;
  }

  private static int home() {
    return (int) Thread.currentThread().threadId();
  }

  T take() {
    int home = home();
    for (int i = 0; i < PROBES; i++) {
      T found = slots.getAndSet((home + i) & (SLOTS - 1), null);
      if (found != null) {
        return found;
      }
    }
    return maker.get();
  }

  void give(T scratch) {
    int home = home();
    for (int i = 0; i < PROBES; i++) {
      if (slots.compareAndSet((home + i) & (SLOTS - 1), null, scratch)) {
        return;
      }
    }
  }
}
