package io.elanus.role.data.compaction;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.id.FieldId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Copies chosen rows of columns to native memory: a compaction may carry more rows than the heap
/// should hold.
///
/// Confined to the caller.
final class RowGather {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Arena arena;

  /// Columns live as long as `arena`.
  RowGather(Arena arena) {
    this.arena = arena;
  }

  ColumnBatch take(ColumnBatch batch, int[] rows) {
    Map<FieldId, Column> taken = new TreeMap<>();
    batch.columns().forEach((id, column) -> taken.put(id, take(column, rows)));
    return new ColumnBatch(rows.length, taken);
  }

  private Column take(Column column, int[] rows) {
    MemorySegment validity = validity(column, rows);
    if (column.offsets() != null) {
      return variable(column, rows, validity);
    }
    int width = column.type().widthBytes(column.dim());
    MemorySegment data = arena.allocate(Math.max(1, (long) width * rows.length), 64);
    for (int i = 0; i < rows.length; i++) {
      MemorySegment.copy(column.data(), (long) width * rows[i], data, (long) width * i, width);
    }
    return Column.fixed(
        column.type(),
        column.dim(),
        rows.length,
        data.asSlice(0, (long) width * rows.length),
        validity);
  }

  private Column variable(Column column, int[] rows, @Nullable MemorySegment validity) {
    long size = 0;
    for (int row : rows) {
      size += column.lengthBytesAt(row);
    }
    MemorySegment offsets = arena.allocate(4L * (rows.length + 1), 64);
    MemorySegment data = arena.allocate(Math.max(1, size), 64);
    int at = 0;
    for (int i = 0; i < rows.length; i++) {
      int length = column.lengthBytesAt(rows[i]);
      offsets.set(INT, 4L * i, at);
      MemorySegment.copy(column.data(), column.offsetAt(rows[i]), data, at, length);
      at = Math.addExact(at, length);
    }
    offsets.set(INT, 4L * rows.length, at);
    return Column.variable(column.type(), rows.length, data.asSlice(0, size), offsets, validity);
  }

  private @Nullable MemorySegment validity(Column column, int[] rows) {
    if (!column.hasNulls()) {
      return null;
    }
    byte[] bits = new byte[(rows.length + 7) / 8];
    for (int i = 0; i < rows.length; i++) {
      if (!column.isNull(rows[i])) {
        bits[i >> 3] |= (byte) (1 << (i & 7));
      }
    }
    MemorySegment validity = arena.allocate(Math.max(1, bits.length), 8);
    MemorySegment.copy(bits, 0, validity, ValueLayout.JAVA_BYTE, 0, bits.length);
    return validity.asSlice(0, bits.length);
  }
}
