package io.elanus.role.proxy.api;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.time.HybridTs;

/// What a write did. `keys` are the primary keys of inserted rows (empty for delete by expression);
/// `timestamp` is the largest tick over the VChannels, which Session consistency uses (rule T-03).
///
/// Immutable.
public record WriteReply(
    PrimaryKeys keys, long inserted, long deleted, long upserted, HybridTs timestamp) {}
