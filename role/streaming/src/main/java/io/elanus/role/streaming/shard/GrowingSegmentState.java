package io.elanus.role.streaming.shard;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;

/// A growing segment as the WAL knows it: rows and bytes put into it, the ticks of its creation and
/// of its newest rows, and how many bytes the PChannel had carried when it was made.
///
/// Immutable.
public record GrowingSegmentState(
    SegmentId id,
    PartitionId partitionId,
    int schemaVersion,
    Fill fill,
    HybridTs createdTick,
    HybridTs lastTick,
    Origin origin) {

  /// What is in it.
  public record Fill(long rows, long bytes) {
    public static final Fill NONE = new Fill(0, 0);
  }

  /// Where on the log it was created.
  public record Origin(MessageId position, long channelBytes) {}

  GrowingSegmentState plus(long rows, long bytes, HybridTs tick) {
    Fill more = new Fill(fill.rows() + rows, fill.bytes() + bytes);
    return new GrowingSegmentState(id, partitionId, schemaVersion, more, createdTick, tick, origin);
  }

  public long rows() {
    return fill.rows();
  }

  public long bytes() {
    return fill.bytes();
  }
}
