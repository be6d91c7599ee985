package io.elanus.role.streaming.shard;

import io.elanus.base.config.Key;
import java.util.concurrent.atomic.AtomicLong;

/// Bytes of growing rows of all PChannels of a node. Growing rows are kept in memory by those who
/// search them, so their sum is bounded: above the high mark each PChannel seals its largest
/// segments until the sum is below the low one.
///
/// Thread-safe: one atomic counter.
public final class GrowingBudget {
  /// Below this a segment is not worth sealing for its memory.
  static final long LEAST_BYTES = 8 << 20;

  private final Config config;
  private final AtomicLong totalBytes = new AtomicLong();

  /// The marks.
  ///
  /// Immutable.
  public record Config(
      @Key(
              value = "elanus.streaming.growingHighMb",
              defaultValue = "4096",
              unit = "MB",
              doc = "Rows of a node that may be in growing segments before the largest are sealed.")
          long highMb,
      @Key(
              value = "elanus.streaming.growingLowMb",
              defaultValue = "2048",
              unit = "MB",
              doc = "Sealing for memory goes on until the rows in growing segments are below this.")
          long lowMb) {}

  public GrowingBudget(Config config) {
    this.config = config;
  }

  /// A PChannel's share has changed by `bytes`.
  public void change(long bytes) {
    totalBytes.addAndGet(bytes);
  }

  public long totalBytes() {
    return totalBytes.get();
  }

  public boolean isExceeded() {
    return totalBytes.get() > config.highMb() << 20;
  }

  /// What has to go.
  long excessBytes() {
    return isExceeded() ? totalBytes.get() - (config.lowMb() << 20) : 0;
  }
}
