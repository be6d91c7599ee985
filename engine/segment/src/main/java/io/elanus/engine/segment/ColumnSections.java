package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.DataType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Writes the concatenation of columns of one type as the sections of one column file.
///
/// Confined to the caller.
final class ColumnSections {
  private final DataType type;
  private final List<Column> columns;
  private final int rows;

  ColumnSections(DataType type, List<Column> columns, int rows) {
    this.type = type;
    this.columns = columns;
    this.rows = rows;
  }

  void write(SectionSink out) throws IOException {
    out.begin(SegmentManifest.DATA);
    if (type.isVariableWidth()) {
      for (Column column : columns) {
        long from = column.offsetAt(0);
        out.sink().bytes(column.data(), from, column.offsetAt(column.rows()) - from);
      }
      out.end(SegmentManifest.DATA);
      out.begin(SegmentManifest.OFFSETS);
      writeOffsets(out.sink());
      out.end(SegmentManifest.OFFSETS);
    } else {
      for (Column column : columns) {
        long width = type.widthBytes(column.dim());
        out.sink().bytes(column.data(), 0, width * column.rows());
      }
      out.end(SegmentManifest.DATA);
    }
    writeValidity(out);
    if (Zones.covers(type)) {
      out.begin(SegmentManifest.ZONES);
      new Zones.Builder(type).write(columns, out.sink());
      out.end(SegmentManifest.ZONES);
    }
  }

  private void writeOffsets(BlockSink sink) throws IOException {
    long base = 0;
    for (Column column : columns) {
      int from = column.offsetAt(0);
      if (base + column.offsetAt(column.rows()) - from > Integer.MAX_VALUE) {
        throw DbException.described(
            ErrorCode.SERVICE_INTERNAL, "a segment's column holds 2 GiB or more");
      }
      for (int i = 0; i < column.rows(); i++) {
        sink.i32((int) (base + column.offsetAt(i) - from));
      }
      base += column.offsetAt(column.rows()) - from;
    }
    sink.i32((int) base);
  }

  private void writeValidity(SectionSink out) throws IOException {
    boolean anyNull = false;
    for (Column column : columns) {
      anyNull |= column.hasNulls();
    }
    if (!anyNull) {
      return;
    }
    byte[] bits = new byte[(rows + 7) / 8];
    int at = 0;
    for (Column column : columns) {
      for (int i = 0; i < column.rows(); i++, at++) {
        if (!column.isNull(i)) {
          bits[at >> 3] |= (byte) (1 << (at & 7));
        }
      }
    }
    out.begin(SegmentManifest.VALIDITY);
    out.sink().bytes(MemorySegment.ofArray(bits), 0, bits.length);
    out.end(SegmentManifest.VALIDITY);
  }
}
