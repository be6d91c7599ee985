/// What survives a crash: [RecoveryStore] keeps checkpoints in the MetaStore, fenced by term;
/// [LogReplay] rebuilds the state of a PChannel from its checkpoint and its log; [LogUnits] reads a
/// log as units (rule W-10, docs/protocol/recovery.md).
@NullMarked
package io.elanus.role.streaming.recovery;

import org.jspecify.annotations.NullMarked;
