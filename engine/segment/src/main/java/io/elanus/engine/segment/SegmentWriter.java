package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.Invariant;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.SegmentManifest.FileEntry;
import io.elanus.engine.storage.object.ObjectStore;
import java.util.ArrayList;
import java.util.List;

/// Writes the files of one sealed segment. Batches are kept (not copied) until [#finish]; their
/// memory must stay valid and unchanged until then. A field that a batch lacks is written as its
/// default, or null.
///
/// `finish` blocks on the object store. Writing the same folder again replaces it.
///
/// Confined to the caller.
public final class SegmentWriter {
  private final ObjectStore store;
  private final String path;
  private final CollectionSchema schema;
  private final List<ColumnBatch> batches = new ArrayList<>();
  private final List<long[]> timestamps = new ArrayList<>();
  private final List<FileEntry> files = new ArrayList<>();
  private int rows;
  private long pendingBytes;

  /// A segment in folder `path` with the fields of `schema`.
  public SegmentWriter(ObjectStore store, String path, CollectionSchema schema) {
    this.store = store;
    this.path = path;
    this.schema = schema;
  }

  /// What was written.
  public record Written(
      int rows, long sizeBytes, HybridTs minTs, HybridTs maxTs, int schemaVersion) {}

  /// Adds rows that all became visible at `ts`.
  public void add(ColumnBatch batch, HybridTs ts) {
    long[] all = new long[batch.rows()];
    java.util.Arrays.fill(all, ts.value());
    add(batch, all);
  }

  /// Adds rows with a timestamp each.
  public void add(ColumnBatch batch, long[] rowTs) {
    Invariant.check(
        rowTs.length == batch.rows(), "%d timestamps, %d rows", rowTs.length, batch.rows());
    if (batch.rows() == 0) {
      return;
    }
    batches.add(batch);
    timestamps.add(rowTs);
    rows = Math.addExact(rows, batch.rows());
    pendingBytes += batch.sizeBytes();
  }

  /// Rows added so far.
  public int rows() {
    return rows;
  }

  /// Bytes of the batches added so far.
  public long pendingBytes() {
    return pendingBytes;
  }

  /// Writes all files, the manifest last.
  public Written finish() {
    for (FieldSchema field : schema.fields()) {
      files.add(writeField(field));
    }
    files.add(writeTimestamps());
    FieldSchema key = schema.primaryKey();
    files.add(writeKeys(key));
    HybridTs min = HybridTs.MAX;
    HybridTs max = HybridTs.ZERO;
    for (long[] part : timestamps) {
      for (long ts : part) {
        HybridTs t = new HybridTs(ts);
        min = HybridTs.min(min, t);
        max = HybridTs.max(max, t);
      }
    }
    if (rows == 0) {
      min = HybridTs.ZERO;
    }
    SegmentManifest manifest =
        new SegmentManifest(rows, schema.version(), min, max, key.id(), files);
    byte[] bytes = manifest.encode();
    store.put(SegmentFormat.key(path, SegmentFormat.MANIFEST), bytes);
    return new Written(rows, manifest.sizeBytes() + bytes.length, min, max, schema.version());
  }

  private List<Column> columnsOf(FieldSchema field) {
    List<Column> columns = new ArrayList<>();
    for (ColumnBatch batch : batches) {
      Column column = batch.column(field.id());
      if (column == null) {
        column = Defaults.column(field, batch.rows());
      }
      if (column.type() != field.type() || column.dim() != field.dim()) {
        throw DbException.described(
            ErrorCode.SERVICE_INTERNAL,
            "field " + field.name() + " holds " + column.type() + " of dimension " + column.dim());
      }
      columns.add(column);
    }
    return columns;
  }

  private FileEntry writeField(FieldSchema field) {
    List<Column> columns = columnsOf(field);
    return write(
        SegmentFormat.columnName(field.id()),
        field.id(),
        field.type().number(),
        field.dim(),
        sections -> new ColumnSections(field.type(), columns, rows).write(sections));
  }

  private FileEntry writeTimestamps() {
    FieldId id = CollectionSchema.TIMESTAMP;
    return write(
        SegmentFormat.columnName(id),
        id,
        io.elanus.base.schema.DataType.INT64.number(),
        0,
        sections -> {
          sections.begin(SegmentManifest.DATA);
          for (long[] part : timestamps) {
            for (long ts : part) {
              sections.sink().i64(ts);
            }
          }
          sections.end(SegmentManifest.DATA);
        });
  }

  private FileEntry writeKeys(FieldSchema key) {
    KeyOrder order = KeyOrder.of(columnsOf(key), rows);
    return write(SegmentFormat.KEYS, key.id(), 0, 0, order::write);
  }

  /// Writes sections to a file.
  interface SectionWriter {
    void write(SectionSink sections) throws java.io.IOException;
  }

  private FileEntry write(String name, FieldId field, int type, int dim, SectionWriter writer) {
    FileEntry[] entry = new FileEntry[1];
    store.put(
        SegmentFormat.key(path, name),
        channel -> {
          BlockSink sink = new BlockSink(channel);
          sink.i32(SegmentFormat.MAGIC);
          sink.i32(SegmentFormat.VERSION);
          sink.i64(field.value());
          sink.i32(type);
          sink.i32(dim);
          sink.i32(rows);
          sink.align();
          SectionSink sections = new SectionSink(sink);
          writer.write(sections);
          long size = sink.position();
          entry[0] = new FileEntry(name, field, type, dim, size, sections.table(), sink.finish());
        });
    return entry[0];
  }
}
