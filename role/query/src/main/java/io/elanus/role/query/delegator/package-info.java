/// Shard delegators. [io.elanus.role.query.delegator.Delegators] is the service,
/// [io.elanus.role.query.delegator.ShardDelegator] one shard: it follows the WAL, keeps
/// ServiceTime, and gives each read one complete [io.elanus.role.query.delegator.ShardView].
///
/// Invariants: ServiceTime passes a tick only when everything up to it is applied, deletes to
/// sealed segments included; a row is in exactly one segment of every view.
@NullMarked
package io.elanus.role.query.delegator;

import org.jspecify.annotations.NullMarked;
