package io.elanus.role.coord.segments;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.SegmentId;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// Changes of one collection's stored state that become durable together, and how they are applied
/// to the copy in memory afterwards.
///
/// Confined to the caller.
final class SegmentChange {
  static final String SEGMENTS = "segments/seg/";
  static final String DELTAS = "segments/delta/";
  static final String CHECKPOINTS = "segments/checkpoint/";
  static final String JOBS = "segments/compaction/";

  private final CollectionId collection;
  private final Txn.Builder txn = Txn.builder();
  private final List<Consumer<CollectionSegments>> effects = new ArrayList<>();

  SegmentChange(CollectionId collection) {
    this.collection = collection;
  }

  /// Ids in keys have a fixed width, so that ranges are in numeric order.
  static String number(long value) {
    return String.format(Locale.ROOT, "%020d", value);
  }

  static String folder(String kind, CollectionId collection) {
    return kind + number(collection.value()) + "/";
  }

  SegmentChange put(SegmentRecord record) {
    txn.put(folder(SEGMENTS, collection) + number(record.id().value()), WireJson.write(record));
    effects.add(state -> state.put(record));
    return this;
  }

  SegmentChange remove(SegmentId segment) {
    txn.delete(folder(SEGMENTS, collection) + number(segment.value()));
    effects.add(state -> state.removeSegment(segment));
    return this;
  }

  SegmentChange put(DeltaLogMeta delta) {
    txn.put(folder(DELTAS, collection) + number(delta.id()), WireJson.write(delta));
    effects.add(state -> state.put(delta));
    return this;
  }

  SegmentChange removeDelta(long delta) {
    txn.delete(folder(DELTAS, collection) + number(delta));
    effects.add(state -> state.removeDelta(delta));
    return this;
  }

  SegmentChange put(ChannelCheckpoint checkpoint) {
    txn.put(
        folder(CHECKPOINTS, collection) + checkpoint.vchannel().name(), WireJson.write(checkpoint));
    effects.add(state -> state.put(checkpoint));
    return this;
  }

  /// `applied` runs with the change's other effects.
  SegmentChange put(CompactionJob job, Runnable applied) {
    txn.put(JOBS + number(job.id()), WireJson.write(job));
    effects.add(_ -> applied.run());
    return this;
  }

  SegmentChange removeAll() {
    txn.deletePrefix(folder(SEGMENTS, collection));
    txn.deletePrefix(folder(DELTAS, collection));
    txn.deletePrefix(folder(CHECKPOINTS, collection));
    effects.add(CollectionSegments::clear);
    return this;
  }

  boolean isEmpty() {
    return txn.isEmpty();
  }

  Txn.Builder txn() {
    return txn;
  }

  void applyTo(CollectionSegments state) {
    effects.forEach(effect -> effect.accept(state));
  }
}
