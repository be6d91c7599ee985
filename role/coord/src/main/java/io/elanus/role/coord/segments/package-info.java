/// Stored data as the coordinator knows it: segments, delta logs and channel checkpoints
/// ([SegmentCatalog]), index builds, compaction and garbage collection. [SegmentsPart] is the way
/// in.
///
/// Everything here is touched by one loop only ([LoopWork]). A change is written to the metadata
/// store first and seen afterwards, so that nothing is answered that a crash could take back.
///
/// Keys: `segments/seg/<collection>/<segment>` ([SegmentRecord]),
/// `segments/delta/<collection>/<id>`, `segments/checkpoint/<collection>/<vchannel>`,
/// `segments/compaction/<id>` ([CompactionJob]). Values are JSON.
@NullMarked
package io.elanus.role.coord.segments;

import org.jspecify.annotations.NullMarked;
