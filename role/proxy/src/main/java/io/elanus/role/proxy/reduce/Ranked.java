package io.elanus.role.proxy.reduce;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.schema.FieldSchema;
import java.util.List;

/// Hits in their final order, with their fields still where the shards put them.
///
/// Arrays belong to the record. Immutable otherwise.
public record Ranked(int[] counts, PrimaryKeys keys, float[] scores, Source source) {

  /// Where the rows' fields are.
  public static final class Source {
    private final Picks picks;
    private final List<ColumnBatch> fields;

    Source(Picks picks, List<ColumnBatch> fields) {
      this.picks = picks;
      this.fields = fields;
    }

    Picks picks() {
      return picks;
    }

    List<ColumnBatch> fields() {
      return fields;
    }
  }

  /// The values of `field` for all hits, in order.
  public Column column(FieldSchema field) {
    return source.picks.column(field, source.fields);
  }
}
