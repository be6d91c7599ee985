/// The StreamingNode: owns PChannels, gives every write its place in their WALs, delivers what is
/// durable, and moves it to the object store.
///
/// Reading order: [StreamingNode] (the services), `pchannel` (the write path), `shard`, `txn` and
/// `timetick` (what it decides), `tail` (delivery), `flush` (to the object store), `recovery` (what
/// survives a crash). Protocols: docs/protocol/timetick.md, docs/protocol/recovery.md.
///
/// Invariants: one writer a PChannel and term; the state of a PChannel is the fold of its log; the
/// log keeps whatever is not yet in the object store.
@NullMarked
package io.elanus.role.streaming;

import org.jspecify.annotations.NullMarked;
