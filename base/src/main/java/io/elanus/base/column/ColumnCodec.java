package io.elanus.base.column;

import io.elanus.base.bytes.ByteReader;
import io.elanus.base.bytes.ByteWriter;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Bytes of [ColumnBatch] and [PrimaryKeys], used by WAL records and internal calls.
///
/// Batch: `rows` varint, column count varint, then per column: field id varint, type number u8, dim
/// varint, flags u8 (1 = has offsets, 2 = has validity), data length varint, padding to 8, data,
/// then for offsets and validity the bytes (their length follows from `rows`). Decoded columns are
/// views of the array that was read; it must not be changed afterwards.
///
/// Thread-safe: stateless.
public final class ColumnCodec {
  private static final int HAS_OFFSETS = 1;
  private static final int HAS_VALIDITY = 2;

  private ColumnCodec() {}

  public static void write(ColumnBatch batch, ByteWriter out) {
    out.varint(batch.rows()).varint(batch.columns().size());
    batch.columns().forEach((id, column) -> write(id, column, out));
  }

  private static void write(FieldId id, Column column, ByteWriter out) {
    MemorySegment offsets = column.offsets();
    MemorySegment validity = column.validity();
    out.varint(id.value()).u8(column.type().number()).varint(column.dim());
    out.u8((offsets == null ? 0 : HAS_OFFSETS) | (validity == null ? 0 : HAS_VALIDITY));
    int from = offsets == null ? 0 : column.offsetAt(0);
    int to = offsets == null ? (int) column.data().byteSize() : column.offsetAt(column.rows());
    out.varint(to - from).align(8).raw(column.data(), from, to - from);
    if (offsets != null) {
      for (int i = 0; i <= column.rows(); i++) {
        out.i32(column.offsetAt(i) - from);
      }
    }
    if (validity != null) {
      out.raw(validity, 0, (column.rows() + 7) / 8);
    }
  }

  /// Reads a batch whose first byte stands at `in.position()`. Alignment counts from the start of
  /// the writer's buffer, given by `origin`.
  public static ColumnBatch readBatch(ByteReader in, int origin) {
    int rows = Math.toIntExact(in.varint());
    int count = Math.toIntExact(in.varint());
    MemorySegment all = MemorySegment.ofArray(in.array()).asReadOnly();
    Map<FieldId, Column> columns = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      FieldId id = new FieldId(in.varint());
      DataType type = DataType.ofNumber(in.u8());
      int dim = Math.toIntExact(in.varint());
      int flags = in.u8();
      int length = Math.toIntExact(in.varint());
      in.align(8, origin);
      MemorySegment data = all.asSlice(in.skip(length), length);
      @Nullable MemorySegment offsets = null;
      if ((flags & HAS_OFFSETS) != 0) {
        int bytes = 4 * (rows + 1);
        offsets = all.asSlice(in.skip(bytes), bytes);
      }
      @Nullable MemorySegment validity = null;
      if ((flags & HAS_VALIDITY) != 0) {
        int bytes = (rows + 7) / 8;
        validity = all.asSlice(in.skip(bytes), bytes);
      }
      columns.put(id, column(type, dim, rows, data, offsets, validity));
    }
    return new ColumnBatch(rows, columns);
  }

  private static Column column(
      DataType type,
      int dim,
      int rows,
      MemorySegment data,
      @Nullable MemorySegment offsets,
      @Nullable MemorySegment validity) {
    if (type.isVariableWidth() != (offsets != null)) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY, "column of " + type + " has a wrong layout");
    }
    if (offsets != null) {
      return Column.variable(type, rows, data, offsets, validity);
    }
    if (data.byteSize() != (long) rows * type.widthBytes(dim)) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY,
          "column of " + rows + " " + type + " has " + data.byteSize() + " bytes");
    }
    return Column.fixed(type, dim, rows, data, validity);
  }

  public static void write(PrimaryKeys keys, ByteWriter out) {
    switch (keys) {
      case PrimaryKeys.Longs longs -> {
        out.u8(0).varint(longs.size());
        for (long key : longs.values()) {
          out.i64(key);
        }
      }
      case PrimaryKeys.Texts texts -> {
        out.u8(1).varint(texts.size());
        for (String key : texts.values()) {
          out.text(key);
        }
      }
    }
  }

  public static PrimaryKeys readKeys(ByteReader in) {
    boolean text = in.u8() == 1;
    int size = Math.toIntExact(in.varint());
    if (size > in.remaining()) {
      throw DbException.described(ErrorCode.DATA_INTEGRITY, size + " keys do not fit the record");
    }
    if (text) {
      String[] keys = new String[size];
      for (int i = 0; i < size; i++) {
        keys[i] = in.text();
      }
      return new PrimaryKeys.Texts(keys);
    }
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      keys[i] = in.i64();
    }
    return new PrimaryKeys.Longs(keys);
  }
}
