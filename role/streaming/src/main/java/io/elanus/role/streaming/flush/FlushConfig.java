package io.elanus.role.streaming.flush;

import io.elanus.base.config.Key;
import java.time.Duration;

/// When deletes and checkpoints go to the object store, and how much waits in memory.
///
/// Immutable.
public record FlushConfig(
    @Key(
            value = "streaming.flush.l0.maxRowNum",
            defaultValue = "500000",
            unit = "rows",
            doc = "Deletes of a shard are stored as a delta log when there are this many.")
        int deltaMaxRows,
    @Key(
            value = "dataNode.segment.deleteBufBytes",
            defaultValue = "16777216",
            unit = "bytes",
            doc = "Deletes of a shard are stored as a delta log when they take this much.")
        long deltaMaxBytes,
    @Key(
            value = "streaming.flush.l0.maxLifetime",
            unit = "s",
            defaultValue = "10m",
            doc = "Deletes of a shard are stored as a delta log when the oldest is this old.")
        Duration deltaMaxAge,
    @Key(
            value = "dataNode.channel.updateChannelCheckpointInterval",
            defaultValue = "60",
            unit = "s",
            doc = "How often the checkpoints of shards that only advance are reported.")
        Duration checkpointInterval,
    @Key(
            value = "elanus.streaming.flushBufferMb",
            min = "0",
            defaultValue = "128",
            unit = "MB",
            doc = "Rows in a node's memory that wait for their flush; others are read again.")
        int bufferMb,
    @Key(
            value = "elanus.streaming.flushRetryMax",
            unit = "s",
            defaultValue = "10s",
            doc = "Longest pause between attempts of a flush that fails.")
        Duration retryMax,
    @Key(
            value = "elanus.streaming.reportTimeout",
            unit = "s",
            defaultValue = "30s",
            doc = "How long a report to the coordinator may take before it is tried again.")
        Duration reportTimeout) {

  public long bufferBytes() {
    return (long) bufferMb << 20;
  }
}
