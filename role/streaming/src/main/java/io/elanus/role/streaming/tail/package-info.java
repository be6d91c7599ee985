/// Delivery of confirmed units: [ChannelTail] keeps the newest ones in memory, bounded by bytes; a
/// [TailCursor] reads them in order, falling back to the log when it is behind what memory holds.
///
/// Invariants: a reader gets every unit exactly once, in tick order; a tick is delivered only after
/// all units up to it; nobody who is slow makes memory grow.
@NullMarked
package io.elanus.role.streaming.tail;

import org.jspecify.annotations.NullMarked;
