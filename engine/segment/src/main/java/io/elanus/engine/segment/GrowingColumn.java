package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.index.vector.kernel.RowMatrix;
import io.elanus.engine.index.vector.kernel.VectorKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// One field of one chunk, off-heap, in the layout of [Column] with room behind the last row.
///
/// Thread-safe: one writer appends; readers use rows that were published after their append. Where
/// a buffer is replaced by a larger one, the old one stays readable until the arena is closed.
final class GrowingColumn {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int ALIGNMENT = 64;
  private static final int VARIABLE_HINT_BYTES = 32;

  private final Arena arena;
  private final DataType type;
  private final int dim;
  private final int width;
  private final int capacity;
  private final @Nullable MemorySegment offsets;
  private final @Nullable MemorySegment norms;
  private MemorySegment data;
  private @Nullable MemorySegment validity;
  private long bytesHeld;

  GrowingColumn(FieldSchema field, int capacity, Arena arena) {
    this.arena = arena;
    this.type = field.type();
    this.dim = field.dim();
    this.capacity = capacity;
    this.width = type.isVariableWidth() ? 0 : type.widthBytes(dim);
    long bytes = width == 0 ? (long) VARIABLE_HINT_BYTES * capacity : (long) width * capacity;
    this.data = allocate(bytes);
    this.offsets = width == 0 ? allocate(4L * (capacity + 1)) : null;
    this.norms = type == DataType.FLOAT_VECTOR ? allocate(4L * capacity) : null;
    if (field.isNullable()) {
      this.validity = allocate((capacity + 7) / 8);
    }
  }

  private MemorySegment allocate(long bytes) {
    long size = Math.max(8, bytes);
    bytesHeld += size;
    return arena.allocate(size, ALIGNMENT);
  }

  long bytesHeld() {
    return bytesHeld;
  }

  /// Copies rows `from .. from + count` of `source` behind the `at` rows that are here.
  void append(Column source, int from, int count, int at) {
    if (offsets == null) {
      long w = width;
      MemorySegment.copy(source.data(), w * from, data, w * at, w * count);
    } else {
      appendVariable(offsets, source, from, count, at);
    }
    if (norms != null) {
      RowMatrix rows = new RowMatrix(data.address(), width, dim, capacity);
      VectorKernels.inverseNorms(rows, at, count, norms.address() + 4L * at);
    }
    if (validity != null || source.hasNulls()) {
      appendValidity(source, from, count, at);
    }
  }

  private void appendVariable(MemorySegment ends, Column source, int from, int count, int at) {
    int start = source.offsetAt(from);
    int bytes = source.offsetAt(from + count) - start;
    int base = ends.get(INT, 4L * at);
    long need = (long) base + bytes;
    if (need > Integer.MAX_VALUE) {
      throw new IllegalStateException("a chunk's column of 2 GiB or more");
    }
    if (need > data.byteSize()) {
      MemorySegment larger =
          allocate(Math.min(Integer.MAX_VALUE, Math.max(need, 2 * data.byteSize())));
      MemorySegment.copy(data, 0, larger, 0, base);
      data = larger;
    }
    MemorySegment.copy(source.data(), start, data, base, bytes);
    for (int i = 1; i <= count; i++) {
      ends.set(INT, 4L * (at + i), base + source.offsetAt(from + i) - start);
    }
  }

  private void appendValidity(Column source, int from, int count, int at) {
    MemorySegment bits = validity;
    if (bits == null) {
      bits = allocate((capacity + 7) / 8);
      for (int i = 0; i < at; i++) {
        set(bits, i);
      }
      validity = bits;
    }
    for (int i = 0; i < count; i++) {
      if (!source.isNull(from + i)) {
        set(bits, at + i);
      }
    }
  }

  private static void set(MemorySegment bits, int row) {
    long at = row >> 3;
    byte old = bits.get(ValueLayout.JAVA_BYTE, at);
    bits.set(ValueLayout.JAVA_BYTE, at, (byte) (old | 1 << (row & 7)));
  }

  /// The first `rows` rows as a column, in place.
  Column view(int rows) {
    MemorySegment bits = validity;
    MemorySegment ends = offsets;
    if (ends == null) {
      return Column.fixed(type, dim, rows, data, bits);
    }
    return Column.variable(type, rows, data, ends, bits);
  }

  /// A FLOAT_VECTOR column for the kernels.
  RowMatrix matrix(int rows) {
    return new RowMatrix(data.address(), width, dim, rows);
  }

  /// Inverse norms of a FLOAT_VECTOR column, a float a row.
  MemorySegment norms() {
    return java.util.Objects.requireNonNull(norms);
  }
}
