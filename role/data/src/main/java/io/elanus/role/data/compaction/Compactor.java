package io.elanus.role.data.compaction;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PartitionId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.DeltaLog;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.engine.segment.SegmentWriter;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import io.elanus.wire.service.DataNodeService.Compact;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Writes one segment with the rows of several that no delete up to `readTs` covers. Rows keep
/// their timestamps, so every delete behind `readTs` still finds what it deletes. Every block of
/// the inputs is verified before it is copied: damage must not get a new checksum.
///
/// Confined to the caller, which it blocks.
public final class Compactor {
  private final ObjectStore store;

  public Compactor(ObjectStore store) {
    this.store = store;
  }

  /// Answers the new segment, which is in the object store; one of 0 rows, of which nothing is
  /// stored, when all are deleted. What a failure left is removed.
  public SegmentMeta run(Compact request) {
    checkInputs(request);
    try {
      return write(request);
    } catch (RuntimeException e) {
      removeLeftovers(request.output().path(), e);
      throw e;
    }
  }

  private void removeLeftovers(String path, RuntimeException cause) {
    try {
      store.deleteAll(path + "/");
    } catch (DbException e) {
      // The first failure is the one to answer; garbage collection finds the rest.
      cause.addSuppressed(e);
    }
  }

  private static void checkInputs(Compact request) {
    if (request.inputs().isEmpty()) {
      throw DbException.invalid("compaction without inputs");
    }
    SegmentMeta.Place place = request.inputs().getFirst().place();
    for (SegmentMeta input : request.inputs()) {
      if (!input.place().equals(place)) {
        throw DbException.invalid("compaction of one place", place, input.place());
      }
    }
  }

  private SegmentMeta write(Compact request) {
    Compact.Output output = request.output();
    SegmentWriter writer = new SegmentWriter(store, output.path(), request.collection().schema());
    List<SealedSegment> inputs = new ArrayList<>();
    try (Arena arena = Arena.ofShared()) {
      List<Deletes> deletes = readDeletes(request);
      for (SegmentMeta meta : request.inputs()) {
        SealedSegment input = SealedSegment.open(store, meta.path());
        inputs.add(input);
        input.verifyAll();
        for (Deletes log : deletes) {
          log.applyTo(input, meta.place().partitionId());
        }
        add(input, writer, new RowGather(arena));
      }
      return writer.rows() == 0 ? nothing(request) : finish(request, writer);
    } finally {
      inputs.forEach(SealedSegment::release);
    }
  }

  private static void add(SealedSegment input, SegmentWriter writer, RowGather gather) {
    int rows = input.rows();
    if (input.deletedRows() == 0) {
      long[] stamps = new long[rows];
      for (int row = 0; row < rows; row++) {
        stamps[row] = input.rowTsAt(row);
      }
      writer.add(input.columns(), stamps);
      return;
    }
    int[] kept = new int[rows];
    long[] stamps = new long[rows];
    int count = 0;
    for (int row = 0; row < rows; row++) {
      if (input.deleteTickAt(row) == 0) {
        stamps[count] = input.rowTsAt(row);
        kept[count++] = row;
      }
    }
    if (count > 0) {
      writer.add(
          gather.take(input.columns(), Arrays.copyOf(kept, count)), Arrays.copyOf(stamps, count));
    }
  }

  private static SegmentMeta nothing(Compact request) {
    return meta(request, SegmentMeta.Stats.EMPTY);
  }

  private static SegmentMeta finish(Compact request, SegmentWriter writer) {
    SegmentWriter.Written written = writer.finish();
    return meta(
        request,
        new SegmentMeta.Stats(
            written.rows(),
            written.sizeBytes(),
            written.minTs(),
            written.maxTs(),
            written.schemaVersion()));
  }

  private static SegmentMeta meta(Compact request, SegmentMeta.Stats stats) {
    Compact.Output output = request.output();
    return new SegmentMeta(
        output.id(),
        request.inputs().getFirst().place(),
        SegmentState.FLUSHED,
        output.path(),
        stats,
        output.readTs(),
        List.of());
  }

  /// Deletes of one delta log up to the read timestamp.
  private record Deletes(PrimaryKeys keys, long[] ticks, long[] partitions) {
    void applyTo(SealedSegment segment, PartitionId partition) {
      int[] mine = new int[ticks.length];
      int count = 0;
      for (int i = 0; i < ticks.length; i++) {
        if (partitions[i] == DeltaLog.ALL_PARTITIONS || partitions[i] == partition.value()) {
          mine[count++] = i;
        }
      }
      int[] chosen = Arrays.copyOf(mine, count);
      segment.applyDeletes(
          keys.take(chosen), Arrays.stream(chosen).mapToLong(i -> ticks[i]).toArray());
    }
  }

  private List<Deletes> readDeletes(Compact request) {
    List<Deletes> all = new ArrayList<>();
    for (DeltaLogMeta meta : request.deltas()) {
      DeltaLog log = DeltaLog.read(store, meta.path());
      if (log.ticks().length != meta.entries()) {
        throw DbException.described(
            ErrorCode.DATA_INTEGRITY,
            "object " + meta.path() + " has not " + meta.entries() + " deletes");
      }
      all.add(upTo(log, request.output().readTs()));
    }
    return all;
  }

  private static Deletes upTo(DeltaLog log, HybridTs readTs) {
    int[] early = new int[log.ticks().length];
    int count = 0;
    for (int i = 0; i < early.length; i++) {
      if (readTs.isAtLeast(new HybridTs(log.ticks()[i]))) {
        early[count++] = i;
      }
    }
    int[] chosen = Arrays.copyOf(early, count);
    return new Deletes(
        log.keys().take(chosen),
        Arrays.stream(chosen).mapToLong(i -> log.ticks()[i]).toArray(),
        Arrays.stream(chosen).mapToLong(i -> log.partitions()[i]).toArray());
  }
}
