/// From the WAL to the object store: one [Flusher] a PChannel follows the confirmed units and keeps
/// what is not stored yet ([ShardFlush], [SegmentBuffer], [DeltaBuffer]); segments are written when
/// they are sealed, deletes as delta logs.
///
/// Invariants: the flush point of a VChannel never passes a message that is not stored; everything
/// here can be repeated: the same segment gives the same folder, a report is idempotent. Failures
/// of the object store or the coordinator are retried for ever; the data stays in the WAL
/// meanwhile.
@NullMarked
package io.elanus.role.streaming.flush;

import org.jspecify.annotations.NullMarked;
