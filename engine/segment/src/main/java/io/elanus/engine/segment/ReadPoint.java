package io.elanus.engine.segment;

import io.elanus.base.time.HybridTs;

/// When a read looks: it sees rows with a timestamp in `(expired, readTs]` that are not deleted at
/// `readTs`. `expired` is zero where rows don't expire.
///
/// Immutable.
public record ReadPoint(HybridTs readTs, HybridTs expired) {
  public static ReadPoint at(HybridTs readTs) {
    return new ReadPoint(readTs, HybridTs.ZERO);
  }

  /// A read of rows that live `ttlMs` milliseconds; 0 or less = for ever.
  public static ReadPoint of(HybridTs readTs, long ttlMs) {
    if (ttlMs <= 0) {
      return at(readTs);
    }
    long diesAtMs = readTs.physicalMs() - ttlMs;
    return diesAtMs <= 0
        ? at(readTs)
        : new ReadPoint(readTs, HybridTs.of(diesAtMs, HybridTs.LOGICAL_MASK));
  }

  /// Whether a row of this timestamp is neither too new nor expired.
  boolean covers(long rowTs) {
    return Long.compareUnsigned(rowTs, readTs.value()) <= 0
        && Long.compareUnsigned(rowTs, expired.value()) > 0;
  }
}
