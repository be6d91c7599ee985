package io.elanus.role.coord.segments;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What is stored of one collection. Only [SegmentCatalog] changes it.
///
/// Owned by: the coordinator's data loop.
public final class CollectionSegments {
  private final CollectionId id;
  private final TreeMap<SegmentId, SegmentRecord> records = new TreeMap<>();
  private final TreeMap<Long, DeltaLogMeta> deltas = new TreeMap<>();
  private final TreeMap<VChannel, ChannelCheckpoint> checkpoints = new TreeMap<>();

  CollectionSegments(CollectionId id) {
    this.id = id;
  }

  public CollectionId id() {
    return id;
  }

  /// Every record, ordered by segment id.
  public Collection<SegmentRecord> records() {
    return Collections.unmodifiableCollection(records.values());
  }

  public @Nullable SegmentRecord record(SegmentId segment) {
    return records.get(segment);
  }

  public Collection<DeltaLogMeta> deltas() {
    return Collections.unmodifiableCollection(deltas.values());
  }

  public @Nullable DeltaLogMeta delta(long deltaId) {
    return deltas.get(deltaId);
  }

  public Collection<ChannelCheckpoint> checkpoints() {
    return Collections.unmodifiableCollection(checkpoints.values());
  }

  public @Nullable ChannelCheckpoint checkpoint(VChannel vchannel) {
    return checkpoints.get(vchannel);
  }

  /// Up to which tick everything of the channel is stored.
  public HybridTs storedTo(VChannel vchannel) {
    ChannelCheckpoint checkpoint = checkpoints.get(vchannel);
    return checkpoint == null ? HybridTs.ZERO : checkpoint.tick();
  }

  public List<SegmentRecord> live() {
    return records.values().stream().filter(SegmentRecord::isLive).toList();
  }

  public List<SegmentRecord> of(VChannel vchannel) {
    return records.values().stream()
        .filter(r -> r.meta().place().vchannel().equals(vchannel))
        .toList();
  }

  public List<DeltaLogMeta> deltasOf(VChannel vchannel) {
    return deltas.values().stream().filter(d -> d.vchannel().equals(vchannel)).toList();
  }

  /// The delta logs that may delete rows of the segment and are not applied in its files.
  public List<DeltaLogMeta> deltasFor(SegmentMeta segment) {
    return deltas.values().stream().filter(d -> concerns(d, segment)).toList();
  }

  static boolean concerns(DeltaLogMeta delta, SegmentMeta segment) {
    return delta.vchannel().equals(segment.place().vchannel())
        && delta.maxTs().isAfter(segment.stats().minTs())
        && delta.maxTs().isAfter(segment.deletesAppliedTs());
  }

  /// The live segment that has the rows of `segment` now, following compactions;
  /// [SegmentRecord#NO_ROWS] when none are left, and [SegmentRecord#NOTHING] when that is not known
  /// any more.
  public SegmentId successor(SegmentId segment) {
    SegmentId at = segment;
    for (SegmentRecord record = records.get(at); record != null; record = records.get(at)) {
      if (record.replacedBy().equals(SegmentRecord.NOTHING)) {
        return record.isLive() ? at : SegmentRecord.NOTHING;
      }
      at = record.replacedBy();
      if (at.equals(SegmentRecord.NO_ROWS)) {
        return at;
      }
    }
    return SegmentRecord.NOTHING;
  }

  boolean isEmpty() {
    return records.isEmpty() && deltas.isEmpty() && checkpoints.isEmpty();
  }

  void put(SegmentRecord record) {
    records.put(record.id(), record);
  }

  void removeSegment(SegmentId segment) {
    records.remove(segment);
  }

  void put(DeltaLogMeta delta) {
    deltas.put(delta.id(), delta);
  }

  void removeDelta(long deltaId) {
    deltas.remove(deltaId);
  }

  void put(ChannelCheckpoint checkpoint) {
    checkpoints.put(checkpoint.vchannel(), checkpoint);
  }

  void clear() {
    records.clear();
    deltas.clear();
    checkpoints.clear();
  }
}
