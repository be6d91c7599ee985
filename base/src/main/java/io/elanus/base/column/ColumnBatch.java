package io.elanus.base.column;

import io.elanus.base.id.FieldId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `rows` rows as one column a field, ordered by field id.
///
/// Immutable.
public record ColumnBatch(int rows, Map<FieldId, Column> columns) {
  public ColumnBatch {
    columns = Collections.unmodifiableMap(new TreeMap<>(columns));
    for (Column column : columns.values()) {
      if (column.rows() != rows) {
        throw new IllegalArgumentException(
            "column of " + column.rows() + " rows in a batch of " + rows);
      }
    }
  }

  public static final ColumnBatch EMPTY = new ColumnBatch(0, Map.of());

  public @Nullable Column column(FieldId id) {
    return columns.get(id);
  }

  /// The rows of `rowIndexes`, in that order, copied to the heap.
  public ColumnBatch take(int[] rowIndexes) {
    Map<FieldId, Column> taken = new TreeMap<>();
    columns.forEach((id, column) -> {
      ColumnBuilder builder = new ColumnBuilder(column.type(), column.dim(), rowIndexes.length);
      for (int row : rowIndexes) {
        builder.addFrom(column, row);
      }
      taken.put(id, builder.build());
    });
    return new ColumnBatch(rowIndexes.length, taken);
  }

  public long sizeBytes() {
    long total = 0;
    for (Column column : columns.values()) {
      total += column.sizeBytes();
    }
    return total;
  }
}
