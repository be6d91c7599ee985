package io.elanus.role.query.search;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.segment.Segment;
import io.elanus.engine.segment.Segment.FieldReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Output fields of rows that lie in several places, read once the winners are known.
///
/// Thread-safe: stateless.
public final class Outputs {
  private static final FieldSchema TIMESTAMP =
      FieldSchema.of(CollectionSchema.TIMESTAMP.value(), "Timestamp", DataType.INT64);

  private Outputs() {}

  /// Where rows can be read.
  public interface Place {
    FieldReader reader(FieldSchema field);

    static Place of(Segment segment) {
      return field ->
          field.id().equals(CollectionSchema.TIMESTAMP)
              ? (row, to) -> to.addInteger(segment.rowTsAt(row))
              : segment.reader(field);
    }
  }

  /// The schemas of fields; the row timestamp is one too. Error 1700 for an unknown field.
  public static List<FieldSchema> fields(CollectionSchema schema, List<FieldId> ids) {
    List<FieldSchema> fields = new ArrayList<>(ids.size());
    for (FieldId id : ids) {
      FieldSchema field = id.equals(CollectionSchema.TIMESTAMP) ? TIMESTAMP : schema.field(id);
      if (field == null) {
        throw DbException.withFields(ErrorCode.FIELD_NOT_FOUND, "field", id);
      }
      fields.add(field);
    }
    return fields;
  }

  /// One column a field; row `i` is row `rows[i]` of place `places.get(sources[i])`.
  public static ColumnBatch fetch(
      List<FieldSchema> fields, int[] sources, int[] rows, List<Place> places) {
    if (fields.isEmpty()) {
      return new ColumnBatch(rows.length, Map.of());
    }
    Map<FieldId, Column> columns = new TreeMap<>();
    for (FieldSchema field : fields) {
      @Nullable FieldReader[] readers = new FieldReader[places.size()];
      ColumnBuilder builder = new ColumnBuilder(field.type(), field.dim(), rows.length);
      for (int i = 0; i < rows.length; i++) {
        FieldReader reader = readers[sources[i]];
        if (reader == null) {
          reader = places.get(sources[i]).reader(field);
          readers[sources[i]] = reader;
        }
        reader.copy(rows[i], builder);
      }
      columns.put(field.id(), builder.build());
    }
    return new ColumnBatch(rows.length, columns);
  }
}
