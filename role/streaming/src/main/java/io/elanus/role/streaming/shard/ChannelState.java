package io.elanus.role.streaming.shard;

import io.elanus.base.error.Invariant;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.message.BroadcastHeader;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// State of one PChannel as the fold of the units of its log: shards by VChannel, the positions of
/// broadcasts that were appended (rule B-12), the last tick and position. The sequencer holds two:
/// the confirmed one, and one that also has what is in flight.
///
/// Owned by: the sequencer's loop (copies are confined to whoever made them).
public final class ChannelState {
  /// Entries that nobody forgot within this many younger ones are dropped, oldest first.
  private static final int MAX_BROADCASTS = 1 << 16;

  private final TreeMap<VChannel, ShardState> shards = new TreeMap<>();
  private final TreeMap<BroadcastKey, Appended> broadcasts = new TreeMap<>();
  private HybridTs lastTick = HybridTs.ZERO;
  private MessageId position = MessageId.NONE;
  private long channelBytes;

  private record BroadcastKey(BroadcastId id, VChannel vchannel)
      implements Comparable<BroadcastKey> {
    private static final Comparator<BroadcastKey> ORDER =
        Comparator.comparing(BroadcastKey::id).thenComparing(BroadcastKey::vchannel);

    @Override
    public int compareTo(BroadcastKey other) {
      return ORDER.compare(this, other);
    }
  }

  /// Where a broadcast's copy lies, and what it sealed when it was a ManualFlush.
  public record Appended(
      BroadcastId broadcastId,
      VChannel vchannel,
      MessageId id,
      HybridTs tick,
      List<SegmentId> sealed) {}

  /// As stored. `position` is the last record that is part of it.
  public record Snapshot(
      MessageId position,
      HybridTs lastTick,
      long channelBytes,
      List<ShardState.Snapshot> shards,
      List<Appended> broadcasts) {
    public static final Snapshot EMPTY =
        new Snapshot(MessageId.NONE, HybridTs.ZERO, 0, List.of(), List.of());
  }

  public static ChannelState of(Snapshot snapshot) {
    ChannelState state = new ChannelState();
    state.position = snapshot.position();
    state.lastTick = snapshot.lastTick();
    state.channelBytes = snapshot.channelBytes();
    for (ShardState.Snapshot shard : snapshot.shards()) {
      state.shards.put(shard.vchannel(), ShardState.of(shard));
    }
    for (Appended entry : snapshot.broadcasts()) {
      state.broadcasts.put(new BroadcastKey(entry.broadcastId(), entry.vchannel()), entry);
    }
    return state;
  }

  public Snapshot snapshot() {
    List<ShardState.Snapshot> stored = new ArrayList<>(shards.size());
    for (ShardState shard : shards.values()) {
      stored.add(shard.snapshot());
    }
    return new Snapshot(
        position, lastTick, channelBytes, List.copyOf(stored), List.copyOf(broadcasts.values()));
  }

  public ChannelState copy() {
    return of(snapshot());
  }

  public @Nullable ShardState shard(VChannel vchannel) {
    return shards.get(vchannel);
  }

  public Collection<ShardState> shards() {
    return shards.values();
  }

  public HybridTs lastTick() {
    return lastTick;
  }

  /// The last record that is part of this state.
  public MessageId position() {
    return position;
  }

  public long channelBytes() {
    return channelBytes;
  }

  /// Bytes of rows in growing segments.
  public long growingBytes() {
    long total = 0;
    for (ShardState shard : shards.values()) {
      total += shard.growingBytes();
    }
    return total;
  }

  public @Nullable Appended broadcast(BroadcastId id, VChannel vchannel) {
    return broadcasts.get(new BroadcastKey(id, vchannel));
  }

  public void forget(BroadcastId id, VChannel vchannel) {
    broadcasts.remove(new BroadcastKey(id, vchannel));
  }

  /// Applies the next unit of the log. Breaking an invariant of the log (a tick that doesn't rise,
  /// an insert into a segment that is not growing) throws
  /// [io.elanus.base.error.InvariantViolation].
  public void apply(WalUnit unit) {
    Invariant.check(
        unit.tick().isAfter(lastTick), "unit at tick %s behind tick %s", unit.tick(), lastTick);
    lastTick = unit.tick();
    position = unit.last();
    for (int i = 0; i < unit.messages().size(); i++) {
      apply(unit.messages().get(i), unit.ids().get(i));
    }
  }

  /// A record that forms no unit lies at `id` (a transaction cut off by a crash).
  public void skipTo(MessageId id) {
    if (id.isAfter(position)) {
      position = id;
    }
  }

  private void apply(WalMessage message, MessageId id) {
    VChannel vchannel = message.vchannel();
    BroadcastHeader broadcast = message.header().broadcast();
    if (broadcast != null) {
      remember(broadcast.id(), message, id);
    }
    if (vchannel.isControlChannel()) {
      return;
    }
    if (message.body() instanceof Message.CreateCollection create) {
      shards.putIfAbsent(vchannel, new ShardState(vchannel, id, create.collection()));
      return;
    }
    if (message.body() instanceof Message.DropCollection) {
      shards.remove(vchannel);
      return;
    }
    ShardState shard = shards.get(vchannel);
    if (shard != null) {
      apply(shard, message, id);
    }
  }

  private void apply(ShardState shard, WalMessage message, MessageId id) {
    switch (message.body()) {
      case Message.Insert insert -> {
        channelBytes += insert.rows().sizeBytes();
        shard.insert(insert, message.timeTick());
      }
      case Message.CreateSegment create ->
          shard.create(
              create, message.timeTick(), new GrowingSegmentState.Origin(id, channelBytes));
      case Message.Flush flush -> shard.seal(flush.segmentId());
      case Message.AlterCollection alter -> shard.alter(alter.after());
      case Message.CreatePartition create -> shard.addPartition(create.partition());
      case Message.DropPartition drop -> shard.dropPartition(drop.partitionId());
      case Message.TimeTick _,
          Message.Delete _,
          Message.BeginTxn _,
          Message.CommitTxn _,
          Message.RollbackTxn _,
          Message.ManualFlush _,
          Message.CreateCollection _,
          Message.DropCollection _,
          Message.CreateIndex _,
          Message.AlterIndex _,
          Message.DropIndex _,
          Message.AlterLoadConfig _,
          Message.DropLoadConfig _,
          Message.CreateDatabase _,
          Message.AlterDatabase _,
          Message.DropDatabase _,
          Message.AlterAlias _,
          Message.DropAlias _ -> {}
    }
  }

  private void remember(BroadcastId id, WalMessage message, MessageId position) {
    List<SegmentId> sealed =
        message.body() instanceof Message.ManualFlush flush ? flush.segmentIds() : List.of();
    broadcasts.put(
        new BroadcastKey(id, message.vchannel()),
        new Appended(id, message.vchannel(), position, message.timeTick(), sealed));
    if (broadcasts.size() > MAX_BROADCASTS) {
      broadcasts.pollFirstEntry();
    }
  }
}
