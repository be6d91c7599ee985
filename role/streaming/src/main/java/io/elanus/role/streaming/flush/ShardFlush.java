package io.elanus.role.streaming.flush;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.role.streaming.recovery.FlushPoint;
import io.elanus.wire.message.Message;
import io.elanus.wire.meta.CollectionMeta;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What the flusher knows of one VChannel: rows and deletes not stored yet, segments stored
/// already, the collection as it changes along the log, and the flush point last saved.
///
/// Owned by: the flusher's loop.
final class ShardFlush {
  private final VChannel vchannel;
  private final MessageId start;
  private final FlushBudget budget;
  private final List<Version> versions = new ArrayList<>();
  private final TreeMap<SegmentId, SegmentBuffer> buffers = new TreeMap<>();

  /// Segments stored, with the position of their first row (NONE when not known: kept for good).
  private final TreeMap<SegmentId, MessageId> stored = new TreeMap<>();

  private DeltaBuffer deltas = new DeltaBuffer();
  private HybridTs deltaTick;
  private MessageId saved;
  private HybridTs savedTick;
  private boolean reported;

  /// The collection from `position` on.
  private record Version(MessageId position, CollectionMeta collection) {}

  private ShardFlush(
      VChannel vchannel,
      MessageId start,
      CollectionMeta collection,
      FlushPoint.Ahead ahead,
      HybridTs tick,
      FlushBudget budget) {
    this.vchannel = vchannel;
    this.start = start;
    this.saved = start;
    this.savedTick = tick;
    this.budget = budget;
    this.deltaTick = ahead.deltaTick();
    versions.add(new Version(MessageId.NONE, collection));
    ahead.segments().forEach(id -> stored.put(id, MessageId.NONE));
  }

  /// A VChannel that begins with its CreateCollection message at `id`.
  static ShardFlush created(
      VChannel vchannel, MessageId id, CollectionMeta collection, FlushBudget budget) {
    return new ShardFlush(
        vchannel, id, collection, FlushPoint.Ahead.NOTHING, HybridTs.ZERO, budget);
  }

  static ShardFlush recovered(FlushPoint point, FlushBudget budget) {
    ShardFlush shard =
        new ShardFlush(
            point.vchannel(),
            point.position(),
            point.collection(),
            point.ahead(),
            point.tick(),
            budget);
    shard.reported = true;
    return shard;
  }

  VChannel vchannel() {
    return vchannel;
  }

  CollectionMeta collection() {
    return versions.getLast().collection();
  }

  CollectionId collectionId() {
    return collection().id();
  }

  /// Messages before this one are stored and must not be taken again.
  MessageId start() {
    return start;
  }

  /// The coordinator has these already.
  void addStored(Collection<SegmentId> ids) {
    ids.forEach(id -> stored.putIfAbsent(id, MessageId.NONE));
  }

  void insert(Message.Insert insert, HybridTs tick, MessageId from, MessageId to) {
    if (!stored.containsKey(insert.segmentId())) {
      buffers
          .computeIfAbsent(
              insert.segmentId(), id -> new SegmentBuffer(id, insert.partitionId(), budget))
          .add(insert, tick, from, to);
    }
  }

  void delete(Message.Delete delete, HybridTs tick, MessageId from) {
    if (tick.isAfter(deltaTick)) {
      deltas.add(delete, tick, from);
    }
  }

  void alter(MessageId id, CollectionMeta after) {
    versions.add(new Version(id, after));
  }

  @Nullable SegmentBuffer buffer(SegmentId id) {
    return buffers.get(id);
  }

  Collection<SegmentBuffer> buffers() {
    return buffers.values();
  }

  /// The segment's rows are stored, or not wanted any more.
  void forget(SegmentBuffer buffer) {
    buffer.spill();
    buffers.remove(buffer.id());
    stored.put(buffer.id(), buffer.first());
  }

  void dropPartition(PartitionId partition) {
    for (SegmentBuffer buffer : List.copyOf(buffers.values())) {
      if (buffer.partition().equals(partition)) {
        forget(buffer);
      }
    }
  }

  void discard() {
    for (SegmentBuffer buffer : List.copyOf(buffers.values())) {
      forget(buffer);
    }
    deltas = new DeltaBuffer();
  }

  DeltaBuffer deltas() {
    return deltas;
  }

  /// All deletes up to those of `written` are stored.
  void deltasStored(DeltaBuffer written) {
    deltaTick = HybridTs.max(deltaTick, written.lastTick());
    deltas = new DeltaBuffer();
  }

  /// The flush point when everything before `next` was seen, and `seen` is the last tick before it.
  FlushPoint point(MessageId next, HybridTs seen) {
    MessageId position = next;
    HybridTs oldest = HybridTs.MAX;
    for (SegmentBuffer buffer : buffers.values()) {
      position = least(position, buffer.first());
      oldest = HybridTs.min(oldest, buffer.firstTick());
    }
    if (!deltas.isEmpty()) {
      position = least(position, deltas.first());
      oldest = HybridTs.min(oldest, deltas.firstTick());
    }
    boolean nothingLeft = position.equals(next);
    HybridTs tick = HybridTs.max(savedTick, nothingLeft ? seen : oldest.plus(-1));
    TreeSet<SegmentId> ahead = new TreeSet<>();
    for (var entry : stored.entrySet()) {
      if (entry.getValue().isNone() || !position.isAfter(entry.getValue())) {
        ahead.add(entry.getKey());
      }
    }
    if (nothingLeft) {
      ahead.clear();
    }
    return new FlushPoint(
        vchannel,
        position,
        tick,
        collectionAt(position),
        new FlushPoint.Ahead(List.copyOf(ahead), deltaTick));
  }

  private CollectionMeta collectionAt(MessageId position) {
    CollectionMeta found = versions.getFirst().collection();
    for (Version version : versions) {
      if (position.isAfter(version.position())) {
        found = version.collection();
      }
    }
    return found;
  }

  private static MessageId least(MessageId a, MessageId b) {
    return a.isAfter(b) ? b : a;
  }

  /// `point` is durable here and known to the coordinator.
  void saved(FlushPoint point) {
    saved = point.position();
    savedTick = point.tick();
    reported = true;
    stored.keySet().retainAll(new TreeSet<>(point.ahead().segments()));
    while (versions.size() > 1 && saved.isAfter(versions.get(1).position())) {
      versions.removeFirst();
    }
  }

  /// Where reading would have to start after a crash now.
  MessageId savedPosition() {
    return saved;
  }

  boolean isSaved(FlushPoint point) {
    return reported && saved.equals(point.position()) && savedTick.equals(point.tick());
  }
}
