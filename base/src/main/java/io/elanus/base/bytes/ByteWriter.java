package io.elanus.base.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A growing little-endian byte buffer, at most 2 GiB - 8.
///
/// Confined to the caller.
public final class ByteWriter {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int size;

  public ByteWriter(int capacity) {
    bytes = new byte[Math.max(16, capacity)];
  }

  public int size() {
    return size;
  }

  /// The written bytes, copied.
  public byte[] toArray() {
    return Arrays.copyOf(bytes, size);
  }

  /// The live buffer; only the first [#size] bytes count, and only until the next write.
  public byte[] buffer() {
    return bytes;
  }

  public void clear() {
    size = 0;
  }

  private void room(int more) {
    int need = Math.addExact(size, more);
    if (need > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.max(need, Math.min(Integer.MAX_VALUE - 8L, bytes.length * 2L)));
    }
  }

  public ByteWriter u8(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  public ByteWriter i32(int value) {
    room(4);
    INT.set(bytes, size, value);
    size += 4;
    return this;
  }

  public ByteWriter i64(long value) {
    room(8);
    LONG.set(bytes, size, value);
    size += 8;
    return this;
  }

  public ByteWriter f64(double value) {
    return i64(Double.doubleToRawLongBits(value));
  }

  /// Unsigned LEB128, 1 to 10 bytes.
  public ByteWriter varint(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
    return this;
  }

  /// Length as varint, then the bytes.
  public ByteWriter blob(byte[] value) {
    varint(value.length);
    return raw(value, 0, value.length);
  }

  /// UTF-8, length first.
  public ByteWriter text(String value) {
    return blob(value.getBytes(StandardCharsets.UTF_8));
  }

  public ByteWriter raw(byte[] from, int offset, int length) {
    room(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
    return this;
  }

  /// Copies `length` bytes of a segment.
  public ByteWriter raw(MemorySegment from, long offset, int length) {
    room(length);
    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, bytes, size, length);
    size += length;
    return this;
  }

  /// Zero bytes until the size is a multiple of `alignment`.
  public ByteWriter align(int alignment) {
    int rest = size % alignment;
    if (rest != 0) {
      int pad = alignment - rest;
      room(pad);
      Arrays.fill(bytes, size, size + pad, (byte) 0);
      size += pad;
    }
    return this;
  }

  /// Overwrites four bytes at `at`, which must be written already.
  public void patchI32(int at, int value) {
    INT.set(bytes, at, value);
  }
}
