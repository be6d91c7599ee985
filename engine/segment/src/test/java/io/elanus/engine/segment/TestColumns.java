package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Values of columns as texts that compare.
final class TestColumns {
  private TestColumns() {}

  static String valueAt(@Nullable Column column, int row) {
    if (column == null) {
      return "no column";
    }
    if (column.isNull(row)) {
      return "null";
    }
    if (column.offsets() != null) {
      return Arrays.toString(column.bytesAt(row));
    }
    return Arrays.toString(column.sliceAt(row).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
  }
}
