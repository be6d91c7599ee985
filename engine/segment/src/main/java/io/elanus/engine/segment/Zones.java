package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.schema.DataType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// Smallest and largest value of every 4096 rows of a numeric column; bytes as in [SegmentFormat].
///
/// Immutable.
final class Zones {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment bytes;

  Zones(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /// Whether columns of this type have zones.
  static boolean covers(DataType type) {
    return type.isInteger() || type == DataType.TIMESTAMPTZ || type.isFloating();
  }

  int count() {
    return (int) (bytes.byteSize() / SegmentFormat.ZONE_BYTES);
  }

  long minLong(int zone) {
    return bytes.get(LONG, (long) zone * SegmentFormat.ZONE_BYTES);
  }

  long maxLong(int zone) {
    return bytes.get(LONG, (long) zone * SegmentFormat.ZONE_BYTES + 8);
  }

  double minDouble(int zone) {
    return Double.longBitsToDouble(minLong(zone));
  }

  double maxDouble(int zone) {
    return Double.longBitsToDouble(maxLong(zone));
  }

  int nulls(int zone) {
    return bytes.get(INT, (long) zone * SegmentFormat.ZONE_BYTES + 16);
  }

  /// Collects zones over several columns in a row.
  static final class Builder {
    private final DataType type;
    private long minLong;
    private long maxLong;
    private double minDouble;
    private double maxDouble;
    private int nulls;
    private int inZone;

    Builder(DataType type) {
      this.type = type;
      reset();
    }

    private void reset() {
      minLong = Long.MAX_VALUE;
      maxLong = Long.MIN_VALUE;
      minDouble = Double.POSITIVE_INFINITY;
      maxDouble = Double.NEGATIVE_INFINITY;
      nulls = 0;
      inZone = 0;
    }

    void write(List<Column> columns, BlockSink sink) throws IOException {
      for (Column column : columns) {
        for (int row = 0; row < column.rows(); row++) {
          add(column, row);
          if (++inZone == SegmentFormat.ZONE_ROWS) {
            writeZone(sink);
          }
        }
      }
      if (inZone > 0) {
        writeZone(sink);
      }
    }

    private void add(Column column, int row) {
      if (column.isNull(row)) {
        nulls++;
      } else if (type.isFloating()) {
        double value = type == DataType.FLOAT ? column.floatAt(row) : column.doubleAt(row);
        if (Double.isNaN(value)) {
          minDouble = Double.NEGATIVE_INFINITY;
          maxDouble = Double.POSITIVE_INFINITY;
        } else {
          minDouble = Math.min(minDouble, value);
          maxDouble = Math.max(maxDouble, value);
        }
      } else {
        long value = column.integerAt(row);
        minLong = Math.min(minLong, value);
        maxLong = Math.max(maxLong, value);
      }
    }

    private void writeZone(BlockSink sink) throws IOException {
      sink.i64(type.isFloating() ? Double.doubleToRawLongBits(minDouble) : minLong);
      sink.i64(type.isFloating() ? Double.doubleToRawLongBits(maxDouble) : maxLong);
      sink.i32(nulls);
      sink.i32(0);
      reset();
    }
  }
}
