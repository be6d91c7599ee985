package io.elanus.engine.storage.meta;

/// Outcome of a [Txn]. `succeeded` is false when a compare didn't hold. `revision` is the store's
/// revision right after it: that of the changes when it changed something.
///
/// Immutable.
public record TxnResult(boolean succeeded, long revision) {}
