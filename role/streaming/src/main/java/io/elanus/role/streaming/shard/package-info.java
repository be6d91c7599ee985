/// What the WAL of a PChannel says about its VChannels: [ChannelState] is the fold of its units,
/// one [ShardState] a VChannel with its growing segments; [SegmentAssigner] decides where an insert
/// goes and when a segment is sealed (rules W-09, B-12).
///
/// Invariant: a state is exactly what replaying the log up to its position gives.
@NullMarked
package io.elanus.role.streaming.shard;

import org.jspecify.annotations.NullMarked;
