package io.elanus.engine.expr.eval;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.id.FieldId;
import org.jspecify.annotations.Nullable;

/// The rows a predicate runs over.
public interface ColumnSource {
  int rows();

  /// The column of a field, at least [#rows] long; null when the rows are older than the field,
  /// which then holds its default value, or null without one, in every row.
  @Nullable Column column(FieldId id);

  static ColumnSource of(ColumnBatch batch) {
    return new ColumnSource() {
      @Override
      public int rows() {
        return batch.rows();
      }

      @Override
      public @Nullable Column column(FieldId id) {
        return batch.column(id);
      }
    };
  }
}
