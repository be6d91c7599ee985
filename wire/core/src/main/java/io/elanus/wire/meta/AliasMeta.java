package io.elanus.wire.meta;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.time.HybridTs;

/// Another name of a collection within its database.
///
/// Immutable.
public record AliasMeta(
    DatabaseId databaseId, String alias, CollectionId collectionId, HybridTs createdTs) {}
