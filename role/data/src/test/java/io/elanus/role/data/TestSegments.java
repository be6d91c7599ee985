package io.elanus.role.data;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.DeltaLog;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.engine.segment.SegmentWriter;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Segments and delta logs in an object store, and what is read back.
final class TestSegments {
  static final FieldId KEY = new FieldId(100);
  static final FieldId VECTOR = new FieldId(101);
  static final FieldId NOTE = new FieldId(102);
  static final int DIM = 8;
  static final PartitionId PARTITION = new PartitionId(7);
  static final CollectionId COLLECTION = new CollectionId(1);
  static final VChannel CHANNEL = new VChannel("by-dev-rootcoord-dml_0_1v0");

  private final ObjectStore store;
  private final Rng rng;

  TestSegments(ObjectStore store, Rng rng) {
    this.store = store;
    this.rng = rng;
  }

  /// A row: key, note (null allowed) and when it became visible. Its vector follows from the key.
  record Row(long key, @Nullable String note, long ts) {}

  static CollectionMeta collection() {
    FieldSchema key =
        FieldSchema.of(KEY.value(), "pk", DataType.INT64)
            .withFlags(new FieldSchema.Flags(true, false, false, false, false, false, false));
    FieldSchema vector =
        FieldSchema.of(VECTOR.value(), "vec", DataType.FLOAT_VECTOR)
            .withTypeParams(Map.of("dim", Integer.toString(DIM)));
    FieldSchema note =
        FieldSchema.of(NOTE.value(), "note", DataType.VARCHAR)
            .withFlags(new FieldSchema.Flags(false, false, false, false, false, true, false));
    return new CollectionMeta(
        new CollectionMeta.Owner(new DatabaseId(1), "default", COLLECTION),
        new CollectionSchema("c", "", false, 1, List.of(key, vector, note)),
        List.of(CHANNEL),
        List.of(new PartitionMeta(PARTITION, "_default", HybridTs.ZERO)),
        new CollectionMeta.Options(ConsistencyLevel.BOUNDED, Map.of()),
        HybridTs.ZERO,
        HybridTs.ZERO);
  }

  static float[] vectorOf(long key) {
    Rng own = new Rng(key);
    float[] vector = new float[DIM];
    for (int i = 0; i < DIM; i++) {
      vector[i] = (float) (own.nextDouble() * 2 - 1);
    }
    return vector;
  }

  Row row(long key, long ts) {
    return new Row(key, rng.nextInt(4) == 0 ? null : "note " + rng.nextInt(1000), ts);
  }

  SegmentMeta write(long id, List<Row> rows) {
    int n = rows.size();
    ColumnBuilder key = new ColumnBuilder(DataType.INT64, 0, n);
    ColumnBuilder vector = new ColumnBuilder(DataType.FLOAT_VECTOR, DIM, n);
    ColumnBuilder note = new ColumnBuilder(DataType.VARCHAR, 0, n);
    for (Row row : rows) {
      key.addInteger(row.key);
      vector.addFloatVector(vectorOf(row.key), 0);
      if (row.note == null) {
        note.addNull();
      } else {
        note.addText(row.note);
      }
    }
    Map<FieldId, Column> columns = new TreeMap<>();
    columns.put(KEY, key.build());
    columns.put(VECTOR, vector.build());
    columns.put(NOTE, note.build());
    String path = "segments/1/7/" + id;
    SegmentWriter writer = new SegmentWriter(store, path, collection().schema());
    writer.add(new ColumnBatch(n, columns), rows.stream().mapToLong(Row::ts).toArray());
    SegmentWriter.Written written = writer.finish();
    return new SegmentMeta(
        new SegmentId(id),
        new SegmentMeta.Place(COLLECTION, PARTITION, CHANNEL),
        SegmentState.FLUSHED,
        path,
        new SegmentMeta.Stats(n, written.sizeBytes(), written.minTs(), written.maxTs(), 1),
        HybridTs.ZERO,
        List.of());
  }

  /// Deletes of `keys[i]` at `ticks[i]` in partition `partitions[i]`.
  DeltaLogMeta deletes(long id, long[] keys, long[] ticks, long[] partitions) {
    String path = "deltas/1/" + CHANNEL + "/" + id;
    DeltaLog.Written written =
        new DeltaLog(PrimaryKeys.of(keys), ticks, partitions).write(store, path);
    return new DeltaLogMeta(
        id, COLLECTION, CHANNEL, path, written.entries(), written.minTs(), written.maxTs());
  }

  DeltaLogMeta deletes(long id, long[] keys, long[] ticks) {
    long[] everywhere = new long[keys.length];
    Arrays.fill(everywhere, DeltaLog.ALL_PARTITIONS);
    return deletes(id, keys, ticks, everywhere);
  }

  /// The rows of a segment, in its order; checks that vectors belong to their keys.
  List<Row> read(SegmentMeta meta) {
    SealedSegment segment = SealedSegment.open(store, meta.path());
    try {
      segment.verifyAll();
      List<Row> rows = new ArrayList<>();
      ColumnBatch columns = segment.columns();
      Column keys = columnOf(columns, KEY);
      Column vectors = columnOf(columns, VECTOR);
      Column notes = columnOf(columns, NOTE);
      for (int i = 0; i < segment.rows(); i++) {
        long key = keys.longAt(i);
        if (!Arrays.equals(vectors.floatVectorAt(i), vectorOf(key))) {
          throw new AssertionError("row " + i + " has another key's vector");
        }
        rows.add(new Row(key, notes.isNull(i) ? null : notes.textAt(i), segment.rowTsAt(i)));
      }
      return rows;
    } finally {
      segment.release();
    }
  }

  private static Column columnOf(ColumnBatch batch, FieldId id) {
    Column column = batch.column(id);
    if (column == null) {
      throw new AssertionError("no field " + id);
    }
    return column;
  }
}
