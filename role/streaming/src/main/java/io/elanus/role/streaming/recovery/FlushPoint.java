package io.elanus.role.streaming.recovery;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.CollectionMeta;
import java.util.List;

/// Checkpoint of a VChannel's flusher: everything before `position` is in the object store, so that
/// reading starts at `position` (inclusive). `tick`: everything up to it is stored. `collection` is
/// the collection as of `position`.
///
/// Immutable.
public record FlushPoint(
    VChannel vchannel, MessageId position, HybridTs tick, CollectionMeta collection, Ahead ahead) {

  /// What is stored although it lies behind `position`: segments, and deletes up to `deltaTick`.
  public record Ahead(List<SegmentId> segments, HybridTs deltaTick) {
    public static final Ahead NOTHING = new Ahead(List.of(), HybridTs.ZERO);

    public Ahead {
      segments = List.copyOf(segments);
    }
  }
}
