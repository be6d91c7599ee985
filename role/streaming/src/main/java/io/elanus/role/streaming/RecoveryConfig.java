package io.elanus.role.streaming;

import io.elanus.base.config.Key;
import java.time.Duration;

/// How often the state of a PChannel is stored.
///
/// Immutable.
public record RecoveryConfig(
    @Key(
            value = "streaming.walRecovery.persistInterval",
            unit = "s",
            defaultValue = "10s",
            doc = "How often the state of a changed PChannel is stored and its log shortened.")
        Duration persistInterval) {}
