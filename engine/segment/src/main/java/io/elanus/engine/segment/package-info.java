/// Segments: rows of one shard and partition as columns, with deletes and MVCC. [SegmentWriter]
/// makes the files of a sealed segment, [SealedSegment] serves them from mapped memory,
/// [GrowingSegment] takes rows while it is searched, [DeltaLog] keeps deletes. [Segment] is what
/// reads use of both.
///
/// Invariants: a row is visible at `readTs` exactly when its timestamp is at most `readTs` and no
/// delete of its key lies after its timestamp and at or before `readTs` (rule C-05); nothing that
/// failed its checksum is served.
@NullMarked
package io.elanus.engine.segment;

import org.jspecify.annotations.NullMarked;
