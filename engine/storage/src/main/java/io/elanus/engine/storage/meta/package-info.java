/// Metadata store: an ordered map of text keys with compare-and-set transactions, watches and
/// leases.
///
/// Start with [MetaStore], then [Txn]. Every key has the revision of its last change, the store has
/// one revision that grows by one with each transaction that changed something. The model is
/// etcd's, so that an adapter for it needs no translation; the embedded engine is [RocksMetaStore],
/// [MemoryMetaStore] keeps nothing.
///
/// Invariant: a mutation's future completes only after the change is on disk (engines with a disk).
@NullMarked
package io.elanus.engine.storage.meta;

import org.jspecify.annotations.NullMarked;
