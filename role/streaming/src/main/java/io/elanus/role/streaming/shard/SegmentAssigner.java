package io.elanus.role.streaming.shard;

import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.wire.message.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/// Gives inserts their segments and says which segments are full, idle or old. A segment is sealed
/// after the request that filled it, so it may exceed its size by one request but a transaction
/// never spans a seal.
///
/// Immutable.
public final class SegmentAssigner {
  /// A segment takes at most this part of the heap.
  private static final int HEAP_SHARE = 6;

  private final SealConfig config;
  private final long maxSegmentBytes;

  /// `heapBytes` is what the process has: storing a segment takes its rows into memory at once, so
  /// a small heap gets smaller segments than the setting says.
  public SegmentAssigner(SealConfig config, long heapBytes) {
    this.config = config;
    this.maxSegmentBytes = Math.min(config.maxSizeBytes(), heapBytes / HEAP_SHARE);
  }

  /// Bodies with their segments filled in, and the CreateSegment bodies that have to go first.
  public record Assigned(List<Message> before, List<Message> bodies) {}

  /// How many new segment ids [#assign] will take for `bodies`.
  public int newSegments(ShardState shard, List<Message> bodies) {
    TreeSet<PartitionId> missing = new TreeSet<>();
    for (Message body : bodies) {
      if (body instanceof Message.Insert insert && shard.segmentOf(insert.partitionId()) == null) {
        missing.add(insert.partitionId());
      }
    }
    return missing.size();
  }

  public Assigned assign(ShardState shard, List<Message> bodies, Supplier<SegmentId> ids) {
    List<Message> before = new ArrayList<>();
    List<Message> assigned = new ArrayList<>(bodies.size());
    TreeMap<PartitionId, SegmentId> created = new TreeMap<>();
    for (Message body : bodies) {
      if (!(body instanceof Message.Insert insert)) {
        assigned.add(body);
        continue;
      }
      PartitionId partition = insert.partitionId();
      GrowingSegmentState current = shard.segmentOf(partition);
      SegmentId segment = current == null ? created.get(partition) : current.id();
      if (segment == null) {
        segment = ids.get();
        created.put(partition, segment);
        before.add(
            new Message.CreateSegment(
                shard.collectionId(), partition, segment, shard.schemaVersion()));
      }
      assigned.add(insert.withSegment(segment));
    }
    return new Assigned(before, assigned);
  }

  /// Flush bodies for the segments that `bodies` filled: at most one a partition, and one more when
  /// the shard's segments together are too large.
  public List<Message> full(ShardState shard, List<Message> bodies) {
    TreeMap<PartitionId, GrowingSegmentState> full = new TreeMap<>();
    boolean inserted = false;
    for (Message body : bodies) {
      if (body instanceof Message.Insert insert) {
        inserted = true;
        GrowingSegmentState segment = shard.segmentOf(insert.partitionId());
        if (segment != null && segment.bytes() >= maxSegmentBytes) {
          full.put(insert.partitionId(), segment);
        }
      }
    }
    if (inserted && full.isEmpty() && shard.growingBytes() >= config.shardGrowingBytes()) {
      shard.growing().stream()
          .max(Comparator.comparingLong(GrowingSegmentState::bytes))
          .ifPresent(largest -> full.put(largest.partitionId(), largest));
    }
    List<Message> flushes = new ArrayList<>(full.size());
    for (GrowingSegmentState segment : full.values()) {
      flushes.add(flush(shard, segment));
    }
    return flushes;
  }

  /// Segments that are idle, too old, or hold back too much of the log.
  public List<GrowingSegmentState> stale(ShardState shard, long nowMs, long channelBytes) {
    List<GrowingSegmentState> stale = new ArrayList<>();
    for (GrowingSegmentState segment : shard.growing()) {
      long idleMs = nowMs - segment.lastTick().physicalMs();
      long ageMs = nowMs - segment.createdTick().physicalMs();
      boolean idle =
          idleMs >= config.maxIdleTime().toMillis() && segment.bytes() >= config.minIdleSizeBytes();
      boolean holdsLog = channelBytes - segment.origin().channelBytes() >= config.maxReplayBytes();
      if (idle || ageMs >= config.maxLife().toMillis() || holdsLog) {
        stale.add(segment);
      }
    }
    return stale;
  }

  /// The segments to seal because the node's growing rows take too much, largest first.
  public List<GrowingSegmentState> forMemory(ChannelState state, GrowingBudget budget) {
    long excess = budget.excessBytes();
    List<GrowingSegmentState> chosen = new ArrayList<>();
    if (excess <= 0) {
      return chosen;
    }
    List<GrowingSegmentState> all = new ArrayList<>();
    for (ShardState shard : state.shards()) {
      all.addAll(shard.growing());
    }
    all.sort(
        Comparator.comparingLong(GrowingSegmentState::bytes)
            .reversed()
            .thenComparing(GrowingSegmentState::id));
    for (GrowingSegmentState segment : all) {
      if (excess <= 0 || segment.bytes() < GrowingBudget.LEAST_BYTES) {
        break;
      }
      chosen.add(segment);
      excess -= segment.bytes();
    }
    return chosen;
  }

  /// Flush bodies for segments of `shard` among `segments`.
  public List<Message> flushes(ShardState shard, List<GrowingSegmentState> segments) {
    List<Message> flushes = new ArrayList<>();
    for (GrowingSegmentState segment : segments) {
      if (shard.segment(segment.id()) != null) {
        flushes.add(flush(shard, segment));
      }
    }
    return flushes;
  }

  /// Flush bodies for all growing segments.
  public List<Message> all(ShardState shard) {
    List<Message> flushes = new ArrayList<>();
    for (GrowingSegmentState segment : shard.growing()) {
      flushes.add(flush(shard, segment));
    }
    return flushes;
  }

  /// Growing segments that hold rows, by id.
  public static List<SegmentId> withRows(ShardState shard) {
    return shard.growing().stream()
        .filter(segment -> segment.rows() > 0)
        .map(GrowingSegmentState::id)
        .sorted(Comparator.naturalOrder())
        .toList();
  }

  private static Message flush(ShardState shard, GrowingSegmentState segment) {
    return new Message.Flush(shard.collectionId(), segment.partitionId(), segment.id());
  }
}
