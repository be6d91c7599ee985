package io.elanus.base.bytes;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads what [ByteWriter] wrote. Running past the end is error 1009 (data integrity), never an
/// index exception.
///
/// Confined to the caller.
public final class ByteReader {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int end;
  private int at;

  public ByteReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  public ByteReader(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  public int position() {
    return at;
  }

  public int remaining() {
    return end - at;
  }

  public byte[] array() {
    return bytes;
  }

  private void need(int count) {
    if (count < 0 || end - at < count) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY, "record ends " + count + " bytes too early at offset " + at);
    }
  }

  public int u8() {
    need(1);
    return bytes[at++] & 0xFF;
  }

  public int i32() {
    need(4);
    int value = (int) INT.get(bytes, at);
    at += 4;
    return value;
  }

  public long i64() {
    need(8);
    long value = (long) LONG.get(bytes, at);
    at += 8;
    return value;
  }

  public double f64() {
    return Double.longBitsToDouble(i64());
  }

  public long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = u8();
      value |= (long) (b & 0x7F) << shift;
      if ((b & 0x80) == 0) {
        return value;
      }
    }
    throw DbException.described(ErrorCode.DATA_INTEGRITY, "varint longer than 10 bytes");
  }

  public byte[] blob() {
    int length = length();
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  public String text() {
    int length = length();
    String value = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return value;
  }

  private int length() {
    long length = varint();
    need(length > Integer.MAX_VALUE ? -1 : (int) length);
    return (int) length;
  }

  /// Skips `count` bytes and gives the position where they began.
  public int skip(int count) {
    need(count);
    int from = at;
    at += count;
    return from;
  }

  public void align(int alignment, int origin) {
    int rest = (at - origin) % alignment;
    if (rest != 0) {
      skip(alignment - rest);
    }
  }
}
