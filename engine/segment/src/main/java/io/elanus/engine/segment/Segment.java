package io.elanus.engine.segment;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.index.vector.TopK;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What reads ask of a segment. Rows are numbered from 0 and never change, so row numbers that one
/// call answers hold for later calls.
///
/// A segment's memory is freed when nobody holds it: [#retain] before use, [#release] after.
///
/// Thread-safe.
public sealed interface Segment permits SealedSegment, GrowingSegment {
  /// Rows held, visible or not.
  int rows();

  /// Holds the memory; false when it is freed already.
  boolean retain();

  /// Lets go of the memory; whoever is last frees it.
  void release();

  /// Bytes held, mapped files included.
  long memoryBytes();

  /// The rows visible at a point that pass `filter`; null = no filter.
  Selection select(ReadPoint at, @Nullable SegmentFilter filter);

  /// The same without expiry.
  default Selection select(HybridTs readTs, @Nullable SegmentFilter filter) {
    return select(ReadPoint.at(readTs), filter);
  }

  /// The best rows of `selection` for the queries `fromQuery .. toQuery` of `spec`, query `q` into
  /// `outs[q]`, each reset before and finished after.
  void search(SearchSpec spec, Selection selection, int fromQuery, int toQuery, TopK[] outs);

  /// The selected rows in the order of their primary keys, at most `limit` (-1 = all). Of rows with
  /// the same key only the newest.
  int[] firstByKey(Selection selection, long limit);

  /// The primary keys of rows.
  PrimaryKeys keysAt(int[] rows);

  /// The timestamp of a row, a [HybridTs] value.
  long rowTsAt(int row);

  /// Reads a field of single rows; one that these rows don't have reads as its default or null.
  FieldReader reader(FieldSchema field);

  /// Marks every row of the keys that is older than the delete as deleted at `ticks[i]`. Applying a
  /// delete again does nothing.
  void applyDeletes(PrimaryKeys keys, long[] ticks);

  /// Rows with a delete.
  int deletedRows();

  /// The tick at which a row was deleted first, 0 when it was not.
  long deleteTickAt(int row);

  /// Copies a field of one row.
  interface FieldReader {
    void copy(int row, ColumnBuilder to);
  }

  /// Rows as columns on the heap, in the order asked for.
  default ColumnBatch fetch(int[] rows, List<FieldSchema> fields) {
    Map<io.elanus.base.id.FieldId, io.elanus.base.column.Column> columns = new TreeMap<>();
    for (FieldSchema field : fields) {
      ColumnBuilder builder = new ColumnBuilder(field.type(), field.dim(), rows.length);
      FieldReader reader = reader(field);
      for (int row : rows) {
        reader.copy(row, builder);
      }
      columns.put(field.id(), builder.build());
    }
    return new ColumnBatch(rows.length, columns);
  }
}
