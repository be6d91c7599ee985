/// Transactions as they lie on the log: [TxnAssembler] turns records into [WalUnit]s, the things
/// that become visible at once.
///
/// Invariant: the records of a transaction are contiguous on the PChannel, because they are
/// appended with one call; a transaction without its commit never becomes a unit.
@NullMarked
package io.elanus.role.streaming.txn;

import org.jspecify.annotations.NullMarked;
