/// TimeTicks of one PChannel: [TickWatermark] keeps allocated, confirmed and synced in order,
/// [TickDemand] collects what readers wait for (rules W-03 to W-05, docs/protocol/timetick.md).
@NullMarked
package io.elanus.role.streaming.timetick;

import org.jspecify.annotations.NullMarked;
