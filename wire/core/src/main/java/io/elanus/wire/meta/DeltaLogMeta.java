package io.elanus.wire.meta;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;

/// Deletes of one VChannel in the object store (a level-zero delta log): keys with their delete
/// timestamps, all in `[minTs, maxTs]`.
///
/// Immutable.
public record DeltaLogMeta(
    long id,
    CollectionId collectionId,
    VChannel vchannel,
    String path,
    int entries,
    HybridTs minTs,
    HybridTs maxTs) {}
