package io.elanus.role.coord.load;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Key;
import java.time.Duration;

/// Settings of loading.
///
/// Immutable.
public record LoadConfig(
    @Key(
            value = "queryCoord.segmentTaskTimeout",
            unit = "ms",
            defaultValue = "2m",
            doc = "Time that one segment's load may take before it is asked for again.")
        Duration segmentTimeout,
    @Key(
            value = "queryCoord.channelTaskTimeout",
            unit = "ms",
            defaultValue = "60s",
            doc = "Time that a shard's watch or view change may take before it is asked for again.")
        Duration channelTimeout,
    @Key(
            value = "queryCoord.loadsPerNode",
            defaultValue = "8",
            doc = "Segments that one QueryNode loads at a time.")
        int loadsPerNode,
    @Key(
            value = "queryCoord.retryInterval",
            unit = "ms",
            defaultValue = "100ms",
            doc =
                "Pause before a failed call is repeated; doubles up to"
                    + " queryCoord.retryMaxInterval.")
        Duration retryPause,
    @Key(
            value = "queryCoord.retryMaxInterval",
            unit = "ms",
            defaultValue = "10s",
            doc = "Longest pause between attempts of a call that keeps failing.")
        Duration maxRetryPause,
    @Key(
            value = "queryCoord.checkInterval",
            unit = "ms",
            defaultValue = "1s",
            doc = "How often nodes that came or went are looked for.")
        Duration checkInterval) {
  public static final LoadConfig DEFAULT = ConfigBinder.defaults(LoadConfig.class);
}
