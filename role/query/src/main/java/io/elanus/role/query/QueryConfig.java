package io.elanus.role.query;

import io.elanus.base.config.Key;
import java.time.Duration;

/// Settings of delegators and QueryNodes.
///
/// Immutable.
public record QueryConfig(
    @Key(
            value = "queryNode.maxTimestampLag",
            min = "0",
            defaultValue = "86400",
            unit = "s",
            aliases = {"queryNode.scheduler.maxTimestampLag"},
            doc = "A guarantee that is ahead of ServiceTime by more than this is refused at once.")
        Duration maxTimestampLag,
    @Key(
            value = "queryNode.scheduler.unsolvedQueueSize",
            defaultValue = "10240",
            unit = "reads",
            doc = "Reads of a shard that may wait for their guarantee at a time.")
        int waitingReads,
    @Key(
            value = "queryNode.cache.filterCount",
            min = "0",
            defaultValue = "4096",
            unit = "filters",
            doc = "Compiled filters kept.")
        int filterCacheSize) {}
