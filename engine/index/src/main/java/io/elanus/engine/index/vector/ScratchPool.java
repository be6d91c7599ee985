package io.elanus.engine.index.vector;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A small pool of reusable scratch objects, at most [#SLOTS] kept. A thread that finds none makes
/// one; a thread that finds no free slot drops its own.
///
/// Thread-safe: slots are taken and returned atomically.
final class ScratchPool<T> {
  private static final int SLOTS = 64;

  private final AtomicReferenceArray<@Nullable T> slots = new AtomicReferenceArray<>(SLOTS);
  private final Supplier<T> maker;

  ScratchPool(Supplier<T> maker) {
    this.maker = maker;
  }

  T take() {
    for (int i = 0; i < SLOTS; i++) {
      if (slots.getPlain(i) != null) {
        T found = slots.getAndSet(i, null);
        if (found != null) {
          return found;
        }
      }
    }
    return maker.get();
  }

  void give(T scratch) {
    for (int i = 0; i < SLOTS; i++) {
      if (slots.getPlain(i) == null && slots.compareAndSet(i, null, scratch)) {
        return;
      }
    }
  }
}
