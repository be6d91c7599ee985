/// The write path of one PChannel: [PChannelSequencer] is the single writer that gives every
/// message its TimeTick, segment and place, appends batches to the log, and publishes what is
/// durable. [AppendChecks] refuses, [BatchStamper] stamps, [Batch] is what is in flight.
///
/// Invariants: ticks rise strictly along the log; an insert lies between its segment's
/// CreateSegment and Flush; nothing at or below a published tick is appended; a caller is answered
/// only after its records are durable. A violation is reported and closes the channel.
@NullMarked
package io.elanus.role.streaming.pchannel;

import org.jspecify.annotations.NullMarked;
