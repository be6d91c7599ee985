package io.elanus.role.streaming.pchannel;

import io.elanus.base.config.Key;
import java.time.Duration;

/// Bounds and intervals of a PChannel's sequencer.
///
/// Immutable.
public record SequencerConfig(
    @Key(
            value = "proxy.timeTickInterval",
            defaultValue = "200",
            unit = "ms",
            doc = "How often readers learn a new tick when nobody asks for one.")
        Duration tickInterval,
    @Key(
            value = "elanus.streaming.maxQueuedAppends",
            defaultValue = "16384",
            doc = "Appends to one PChannel that may wait or be in flight; more are refused.")
        int maxQueuedAppends,
    @Key(
            value = "elanus.streaming.maxQueuedMb",
            defaultValue = "128",
            unit = "MB",
            doc = "Bytes of appends to one PChannel that may wait or be in flight.")
        int maxQueuedMb,
    @Key(
            value = "elanus.streaming.maxBatchMb",
            max = "1024",
            defaultValue = "16",
            unit = "MB",
            doc = "Most that one append to the log takes, save a single larger request.")
        int maxBatchMb,
    @Key(
            value = "elanus.streaming.maxInFlightBatches",
            defaultValue = "8",
            doc = "Appends to the log that may be unanswered at a time.")
        int maxInFlightBatches,
    @Key(
            value = "elanus.streaming.sealCheckInterval",
            unit = "s",
            defaultValue = "10s",
            doc = "How often growing segments are checked for age and idleness.")
        Duration sealCheckInterval,
    @Key(
            value = "elanus.streaming.tsoTimeout",
            unit = "s",
            defaultValue = "5s",
            doc = "How long a batch waits for its timestamps.")
        Duration tsoTimeout) {

  public long maxQueuedBytes() {
    return (long) maxQueuedMb << 20;
  }

  public long maxBatchBytes() {
    return (long) maxBatchMb << 20;
  }
}
