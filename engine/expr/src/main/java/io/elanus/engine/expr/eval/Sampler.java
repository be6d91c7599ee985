package io.elanus.engine.expr.eval;

/// Thins out the rows that pass a filter to a share of them. The passing rows are cut into runs of
/// about `1 / factor`, and each run gives one row at a place that a hash decides; so `n` rows give
/// `n × factor` of them, rounded up or down, spread evenly. The same rows give the same sample.
///
/// Confined to the caller.
final class Sampler {
  private final double factor;
  private long salt;
  private long passed;
  private long run = -1;
  private long pick;

  Sampler(double factor, long salt) {
    this.factor = factor;
    this.salt = salt;
  }

  private static long mix(long x) {
    long z = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /// Clears the bits of rows that are not in the sample.
  void thin(long[] bits, int words) {
    for (int w = 0; w < words; w++) {
      long kept = 0;
      for (long left = bits[w]; left != 0; left &= left - 1) {
        if (takesNext()) {
          kept |= left & -left;
        }
      }
      bits[w] = kept;
    }
  }

  private boolean takesNext() {
    long at = passed++;
    long current = (long) (at * factor);
    if (current != run) {
      run = current;
      long next = (long) Math.ceil((current + 1) / factor);
      salt = mix(salt + 0x9e3779b97f4a7c15L);
      pick = at + (long) ((salt >>> 11) * 0x1p-53 * (next - at));
    }
    return at == pick;
  }
}
