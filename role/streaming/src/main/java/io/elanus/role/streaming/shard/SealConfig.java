package io.elanus.role.streaming.shard;

import io.elanus.base.config.Key;
import java.time.Duration;

/// When growing segments are sealed without being asked.
///
/// Immutable.
public record SealConfig(
    @Key(
            value = "dataCoord.segment.maxSize",
            defaultValue = "1024",
            unit = "MB",
            doc = "A growing segment is sealed at this size, or at a sixth of the heap.")
        long maxSizeMb,
    @Key(
            value = "dataCoord.segment.maxIdleTime",
            defaultValue = "600",
            unit = "s",
            doc =
                "A growing segment without new rows for this long is sealed if it is large enough.")
        Duration maxIdleTime,
    @Key(
            value = "dataCoord.segment.minSizeFromIdleToSealed",
            min = "0",
            defaultValue = "16",
            unit = "MB",
            doc = "Smaller idle segments are left growing.")
        long minIdleSizeMb,
    @Key(
            value = "dataCoord.segment.maxLife",
            defaultValue = "86400",
            unit = "s",
            doc = "A growing segment of this age is sealed.")
        Duration maxLife,
    @Key(
            value = "dataCoord.sealPolicy.channel.growingSegmentsMemSize",
            defaultValue = "4096",
            unit = "MB",
            doc = "The largest growing segment of a shard is sealed when all of them exceed this.")
        long shardGrowingMb,
    @Key(
            value = "elanus.streaming.maxReplayMb",
            defaultValue = "2048",
            unit = "MB",
            doc = "A growing segment is sealed when this much was appended to its log behind it.")
        long maxReplayMb) {

  public long maxSizeBytes() {
    return maxSizeMb << 20;
  }

  public long minIdleSizeBytes() {
    return minIdleSizeMb << 20;
  }

  public long shardGrowingBytes() {
    return shardGrowingMb << 20;
  }

  public long maxReplayBytes() {
    return maxReplayMb << 20;
  }
}
