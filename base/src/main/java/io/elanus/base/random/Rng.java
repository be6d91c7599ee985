package io.elanus.base.random;

import java.util.SplittableRandom;

/// Seeded randomness. `split(name)` gives a stream that depends only on the seed and the name, so a
/// component's draws don't move when another component draws more.
///
/// Thread-safe: draws are serialised.
public final class Rng {
  private final long seed;
  private final SplittableRandom random;

  public Rng(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
  }

  public Rng split(String name) {
    long h = seed ^ 0x9E3779B97F4A7C15L;
    for (int i = 0; i < name.length(); i++) {
      h = (h ^ name.charAt(i)) * 0x100000001B3L;
      h ^= h >>> 29;
    }
    return new Rng(h);
  }

  public synchronized long nextLong() {
    return random.nextLong();
  }

  /// Uniform in `[0, bound)`.
  public synchronized int nextInt(int bound) {
    return random.nextInt(bound);
  }

  /// Uniform in `[0, 1)`.
  public synchronized double nextDouble() {
    return random.nextDouble();
  }
}
