package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.expr.eval.ColumnSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows `firstRow .. firstRow + capacity` of a growing segment; `firstRow` is a multiple of 64.
///
/// Thread-safe: as [GrowingColumn].
final class GrowingChunk {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  final int firstRow;
  final int capacity;
  private final FieldId[] ids;
  private final GrowingColumn[] columns;
  private final MemorySegment timestamps;

  GrowingChunk(List<FieldSchema> fields, int firstRow, int capacity, Arena arena) {
    this.firstRow = firstRow;
    this.capacity = capacity;
    this.ids = new FieldId[fields.size()];
    this.columns = new GrowingColumn[fields.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = fields.get(i).id();
      columns[i] = new GrowingColumn(fields.get(i), capacity, arena);
    }
    this.timestamps = arena.allocate(8L * capacity, 64);
  }

  void append(ColumnBatch batch, List<FieldSchema> fields, Slice slice, long ts) {
    for (int i = 0; i < columns.length; i++) {
      Column source = batch.column(ids[i]);
      if (source == null) {
        Column filler = Defaults.column(fields.get(i), slice.count);
        columns[i].append(filler, 0, slice.count, slice.at);
      } else {
        columns[i].append(source, slice.from, slice.count, slice.at);
      }
    }
    for (int i = 0; i < slice.count; i++) {
      timestamps.set(LONG, 8L * (slice.at + i), ts);
    }
  }

  /// Rows `from .. from + count` of a batch go to `at` within the chunk.
  record Slice(int from, int count, int at) {}

  long tsAt(int index) {
    return timestamps.get(LONG, 8L * index);
  }

  int slotOf(FieldId field) {
    return Arrays.binarySearch(ids, field);
  }

  GrowingColumn column(int slot) {
    return columns[slot];
  }

  long bytesHeld() {
    long total = timestamps.byteSize();
    for (GrowingColumn column : columns) {
      total += column.bytesHeld();
    }
    return total;
  }

  /// The first `rows` rows as a source of columns.
  ColumnSource source(int rows) {
    return new ColumnSource() {
      @Override
      public int rows() {
        return rows;
      }

      @Override
      public @Nullable Column column(FieldId id) {
        int slot = slotOf(id);
        return slot < 0 ? null : columns[slot].view(rows);
      }
    };
  }
}
