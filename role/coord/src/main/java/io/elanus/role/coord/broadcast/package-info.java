/// Every DDL and DCL of the cluster is one broadcast: an atomic, recoverable append of one message
/// to all its VChannels, then one callback that changes the catalog. See
/// docs/protocol/broadcast.md.
///
/// Reading order: [Broadcaster], [BroadcastHandle], [KeyTable], [BroadcastTask], [AppendScheduler],
/// [CallbackScheduler], [TombstoneKeeper], [IdempotencyIndex], [TaskCodec]. Everything is owned by
/// one loop.
///
/// Invariants: a persisted task completes; its callback runs after all copies are acknowledged, in
/// control-channel order among tasks with conflicting keys; its keys are free only when it is done.
@NullMarked
package io.elanus.role.coord.broadcast;

import org.jspecify.annotations.NullMarked;
