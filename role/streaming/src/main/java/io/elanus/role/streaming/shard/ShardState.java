package io.elanus.role.streaming.shard;

import io.elanus.base.error.Invariant;
import io.elanus.base.error.InvariantViolation;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.PartitionMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// State of one VChannel: its collection, partitions and growing segments. `createdAt` is the
/// position of the message that created it.
///
/// Owned by: the sequencer's loop (copies are confined to whoever made them).
public final class ShardState {
  private final VChannel vchannel;
  private final MessageId createdAt;
  private CollectionMeta collection;
  private final TreeSet<PartitionId> partitions = new TreeSet<>();
  private final TreeMap<SegmentId, GrowingSegmentState> growing = new TreeMap<>();
  private final TreeMap<PartitionId, SegmentId> current = new TreeMap<>();
  private long growingBytes;

  ShardState(VChannel vchannel, MessageId createdAt, CollectionMeta collection) {
    this.vchannel = vchannel;
    this.createdAt = createdAt;
    this.collection = collection;
    for (PartitionMeta partition : collection.partitions()) {
      partitions.add(partition.id());
    }
  }

  /// As stored.
  public record Snapshot(
      VChannel vchannel,
      MessageId createdAt,
      CollectionMeta collection,
      List<PartitionId> partitions,
      List<GrowingSegmentState> growing) {}

  static ShardState of(Snapshot snapshot) {
    ShardState state =
        new ShardState(snapshot.vchannel(), snapshot.createdAt(), snapshot.collection());
    state.partitions.clear();
    state.partitions.addAll(snapshot.partitions());
    snapshot.growing().forEach(state::put);
    return state;
  }

  Snapshot snapshot() {
    return new Snapshot(
        vchannel, createdAt, collection, List.copyOf(partitions), List.copyOf(growing.values()));
  }

  ShardState copy() {
    return of(snapshot());
  }

  public VChannel vchannel() {
    return vchannel;
  }

  public MessageId createdAt() {
    return createdAt;
  }

  public CollectionMeta collection() {
    return collection;
  }

  public CollectionId collectionId() {
    return collection.id();
  }

  public int schemaVersion() {
    return collection.schema().version();
  }

  public boolean hasPartition(PartitionId partition) {
    return partitions.contains(partition);
  }

  /// Growing segments by id.
  public List<GrowingSegmentState> growing() {
    return new ArrayList<>(growing.values());
  }

  public @Nullable GrowingSegmentState segment(SegmentId id) {
    return growing.get(id);
  }

  /// The segment that rows of `partition` go to, if there is one.
  public @Nullable GrowingSegmentState segmentOf(PartitionId partition) {
    SegmentId id = current.get(partition);
    return id == null ? null : growing.get(id);
  }

  public long growingBytes() {
    return growingBytes;
  }

  void create(Message.CreateSegment create, HybridTs tick, GrowingSegmentState.Origin origin) {
    Invariant.check(
        !growing.containsKey(create.segmentId()),
        "segment %s is created twice on %s",
        create.segmentId(),
        vchannel);
    put(
        new GrowingSegmentState(
            create.segmentId(),
            create.partitionId(),
            create.schemaVersion(),
            GrowingSegmentState.Fill.NONE,
            tick,
            tick,
            origin));
  }

  private void put(GrowingSegmentState segment) {
    GrowingSegmentState before = growing.put(segment.id(), segment);
    growingBytes += segment.bytes() - (before == null ? 0 : before.bytes());
    current.put(segment.partitionId(), segment.id());
  }

  void insert(Message.Insert insert, HybridTs tick) {
    GrowingSegmentState segment = growing.get(insert.segmentId());
    if (segment == null || !segment.partitionId().equals(insert.partitionId())) {
      throw new InvariantViolation(
          "insert at tick "
              + tick
              + " into segment "
              + insert.segmentId()
              + ", which is not growing on "
              + vchannel);
    }
    put(segment.plus(insert.rows().rows(), insert.rows().sizeBytes(), tick));
  }

  void seal(SegmentId id) {
    GrowingSegmentState sealed = growing.remove(id);
    if (sealed == null) {
      throw new InvariantViolation("segment " + id + " is sealed twice on " + vchannel);
    }
    growingBytes -= sealed.bytes();
    current.remove(sealed.partitionId(), id);
  }

  void alter(CollectionMeta after) {
    collection = after;
  }

  void addPartition(PartitionMeta partition) {
    partitions.add(partition.id());
  }

  void dropPartition(PartitionId partition) {
    partitions.remove(partition);
    for (GrowingSegmentState segment : growing()) {
      if (segment.partitionId().equals(partition)) {
        seal(segment.id());
      }
    }
  }
}
