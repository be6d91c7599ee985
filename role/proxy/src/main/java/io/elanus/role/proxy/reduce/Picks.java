package io.elanus.role.proxy.reduce;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.InvariantViolation;
import io.elanus.base.schema.FieldSchema;
import java.util.Arrays;
import java.util.List;

/// Rows chosen out of several batches: row `i` of the result is row `rows[i]` of source
/// `sources[i]`.
///
/// Confined to the caller while it grows.
final class Picks {
  private int[] sources;
  private int[] rows;
  private int size;

  Picks(int expected) {
    sources = new int[Math.max(4, expected)];
    rows = new int[sources.length];
  }

  void add(int source, int row) {
    if (size == rows.length) {
      sources = Arrays.copyOf(sources, size * 2);
      rows = Arrays.copyOf(rows, size * 2);
    }
    sources[size] = source;
    rows[size++] = row;
  }

  int size() {
    return size;
  }

  int sourceAt(int index) {
    return sources[index];
  }

  int rowAt(int index) {
    return rows[index];
  }

  /// Whether these are all rows of a single source, in its order.
  boolean isAllOf(int source, int rowCount) {
    if (size != rowCount) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (sources[i] != source || rows[i] != i) {
        return false;
      }
    }
    return true;
  }

  PrimaryKeys keys(List<PrimaryKeys> from) {
    if (from.isEmpty()) {
      return PrimaryKeys.of(new long[0]);
    }
    return switch (from.get(0)) {
      case PrimaryKeys.Longs first -> {
        long[] keys = new long[size];
        for (int i = 0; i < size; i++) {
          keys[i] = ((PrimaryKeys.Longs) from.get(sources[i])).values()[rows[i]];
        }
        yield new PrimaryKeys.Longs(keys);
      }
      case PrimaryKeys.Texts first -> {
        String[] keys = new String[size];
        for (int i = 0; i < size; i++) {
          keys[i] = ((PrimaryKeys.Texts) from.get(sources[i])).values()[rows[i]];
        }
        yield new PrimaryKeys.Texts(keys);
      }
    };
  }

  float[] scores(List<float[]> from) {
    float[] scores = new float[size];
    for (int i = 0; i < size; i++) {
      scores[i] = from.get(sources[i])[rows[i]];
    }
    return scores;
  }

  /// The column of `field`; a source's own column, uncopied, when all its rows were chosen.
  Column column(FieldSchema field, List<ColumnBatch> from) {
    for (int source = 0; source < from.size(); source++) {
      Column whole = from.get(source).column(field.id());
      if (whole != null && isAllOf(source, whole.rows())) {
        return whole;
      }
    }
    ColumnBuilder builder = new ColumnBuilder(field.type(), field.dim(), size);
    for (int i = 0; i < size; i++) {
      Column column = from.get(sources[i]).column(field.id());
      if (column == null) {
        throw new InvariantViolation("a shard left out field " + field.name());
      }
      builder.addFrom(column, rows[i]);
    }
    return builder.build();
  }
}
