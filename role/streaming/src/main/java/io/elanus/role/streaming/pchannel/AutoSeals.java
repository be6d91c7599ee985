package io.elanus.role.streaming.pchannel;

import io.elanus.base.id.SegmentId;
import io.elanus.base.time.Clock;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.role.streaming.shard.GrowingBudget;
import io.elanus.role.streaming.shard.GrowingSegmentState;
import io.elanus.role.streaming.shard.SegmentAssigner;
import io.elanus.role.streaming.shard.ShardState;
import io.elanus.wire.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Seals that nobody asked for: idle and old segments, those that hold back the log, and the
/// largest when the node's growing rows take too much memory.
///
/// Owned by: the sequencer's loop.
final class AutoSeals {
  /// How often, in appended bytes, the growing rows are counted.
  private static final long CHECK_BYTES = 16 << 20;

  /// Most that are sealed with one batch.
  private static final int MAX_SEALS = 1024;

  private final SegmentAssigner assigner;
  private final GrowingBudget growing;
  private final Clock clock;
  private long sharedBytes;
  private long appendedBytes;

  AutoSeals(SequencerDeps.Sealing sealing, Clock clock) {
    this.assigner = sealing.assigner();
    this.growing = sealing.growing();
    this.clock = clock;
  }

  /// Tells the node how much of `confirmed` grows.
  void share(ChannelState confirmed) {
    share(confirmed.growingBytes());
  }

  /// The channel is closed: nothing of it grows here any more.
  void leave() {
    share(0);
  }

  private void share(long bytes) {
    growing.change(bytes - sharedBytes);
    sharedBytes = bytes;
    appendedBytes = 0;
  }

  /// Counts an append; true when segments should be sealed because of it.
  boolean appended(long bytes, ChannelState confirmed) {
    appendedBytes += bytes;
    if (appendedBytes < CHECK_BYTES) {
      return false;
    }
    share(confirmed);
    return growing.isExceeded();
  }

  /// Segments to seal now.
  List<GrowingSegmentState> due(ChannelState working) {
    TreeMap<SegmentId, GrowingSegmentState> chosen = new TreeMap<>();
    for (GrowingSegmentState segment : assigner.forMemory(working, growing)) {
      chosen.put(segment.id(), segment);
    }
    for (ShardState shard : working.shards()) {
      for (GrowingSegmentState segment :
          assigner.stale(shard, clock.wallMs(), working.channelBytes())) {
        chosen.put(segment.id(), segment);
      }
    }
    return chosen.values().stream().limit(MAX_SEALS).toList();
  }

  /// Stamps as many of them as there are ticks for.
  void stamp(BatchStamper stamper, ChannelState working) {
    List<GrowingSegmentState> chosen = due(working);
    for (ShardState shard : new ArrayList<>(working.shards())) {
      List<Message> flushes = assigner.flushes(shard, chosen);
      if (flushes.size() > stamper.ticksLeft()) {
        return; // The next check seals the rest.
      }
      stamper.stampSelfMade(shard.vchannel(), flushes);
    }
  }
}
