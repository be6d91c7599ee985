package io.elanus.base.time;

/// A hybrid timestamp: the high 46 bits are UTC milliseconds, the low 18 bits a logical counter
/// (rule T-01). Ordered as an unsigned number. It says order, not time of day (rule T-04).
///
/// Immutable.
public record HybridTs(long value) implements Comparable<HybridTs> {
  public static final int LOGICAL_BITS = 18;
  public static final long LOGICAL_MASK = (1L << LOGICAL_BITS) - 1;
  public static final HybridTs ZERO = new HybridTs(0);
  public static final HybridTs MAX = new HybridTs(-1L);

  public static HybridTs of(long physicalMs, long logical) {
    return new HybridTs((physicalMs << LOGICAL_BITS) | (logical & LOGICAL_MASK));
  }

  public long physicalMs() {
    return value >>> LOGICAL_BITS;
  }

  public long logical() {
    return value & LOGICAL_MASK;
  }

  /// This timestamp moved back by `ms` physical milliseconds, not below zero.
  public HybridTs minusMs(long ms) {
    return of(Math.max(0, physicalMs() - ms), logical());
  }

  public HybridTs plus(long ticks) {
    return new HybridTs(value + ticks);
  }

  public boolean isAfter(HybridTs other) {
    return Long.compareUnsigned(value, other.value) > 0;
  }

  public boolean isAtLeast(HybridTs other) {
    return Long.compareUnsigned(value, other.value) >= 0;
  }

  public static HybridTs max(HybridTs a, HybridTs b) {
    return a.isAfter(b) ? a : b;
  }

  public static HybridTs min(HybridTs a, HybridTs b) {
    return a.isAfter(b) ? b : a;
  }

  @Override
  public int compareTo(HybridTs other) {
    return Long.compareUnsigned(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(value);
  }
}
