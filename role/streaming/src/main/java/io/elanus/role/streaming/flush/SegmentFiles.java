package io.elanus.role.streaming.flush;

import io.elanus.base.error.Invariant;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.segment.DeltaLog;
import io.elanus.engine.segment.SegmentWriter;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.role.streaming.recovery.LogUnits;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import java.util.List;

/// Writes segments and delta logs to the object store. Calls block.
///
/// Owned by: the flusher's loop.
final class SegmentFiles {
  private static final int READ_BYTES = 8 << 20;

  private final ObjectStore objects;
  private final WalLog log;

  SegmentFiles(ObjectStore objects, WalLog log) {
    this.objects = objects;
    this.log = log;
  }

  /// Stores the segment; its rows come from memory, or from the log when memory let them go.
  SegmentMeta write(ShardFlush shard, SegmentBuffer buffer) {
    String path = "segments/" + shard.collectionId() + "/" + buffer.partition() + "/" + buffer.id();
    SegmentWriter writer = new SegmentWriter(objects, path, shard.collection().schema());
    List<SegmentBuffer.Held> held = buffer.held();
    if (held != null) {
      held.forEach(part -> writer.add(part.rows(), part.tick()));
    } else {
      readAgain(buffer, writer);
    }
    Invariant.check(
        writer.rows() == buffer.rows(),
        "segment %s took %s rows, %s were found",
        buffer.id(),
        buffer.rows(),
        writer.rows());
    SegmentWriter.Written written = writer.finish();
    return new SegmentMeta(
        buffer.id(),
        new SegmentMeta.Place(shard.collectionId(), buffer.partition(), shard.vchannel()),
        SegmentState.FLUSHED,
        path,
        new SegmentMeta.Stats(
            written.rows(),
            written.sizeBytes(),
            written.minTs(),
            written.maxTs(),
            written.schemaVersion()),
        HybridTs.ZERO,
        List.of());
  }

  private void readAgain(SegmentBuffer buffer, SegmentWriter writer) {
    MessageId limit = buffer.last();
    SegmentId id = buffer.id();
    try (LogUnits units = LogUnits.copying(log, buffer.first())) {
      while (!units.isDone(limit)) {
        for (WalUnit unit : units.next(READ_BYTES, limit)) {
          for (WalMessage message : unit.messages()) {
            if (message.body() instanceof Message.Insert insert && insert.segmentId().equals(id)) {
              writer.add(insert.rows(), message.timeTick());
            }
          }
        }
      }
    }
  }

  /// Stores deletes as delta log `id`.
  DeltaLogMeta write(ShardFlush shard, DeltaBuffer deltas, long id) {
    String path = "deltas/" + shard.collectionId() + "/" + shard.vchannel() + "/" + id;
    DeltaLog.Written written = deltas.toDeltaLog().write(objects, path);
    return new DeltaLogMeta(
        id,
        shard.collectionId(),
        shard.vchannel(),
        path,
        written.entries(),
        written.minTs(),
        written.maxTs());
  }
}
