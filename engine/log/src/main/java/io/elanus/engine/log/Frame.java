package io.elanus.engine.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// A record in a segment file, version 1, little endian:
///
/// | bytes | what |
/// | --- | --- |
/// | 0..3 | payload length n |
/// | 4..7 | CRC32C of this header, with the segment's salt in this place, and the payload |
/// | 8..15 | sequence = message id |
/// | 16..19 | group index g: how many records before this one were written under the same fsync |
/// | 20..23 | 0 |
/// | 24..24+n-1 | payload |
///
/// A group is written only after the one before it is durable, so a valid record proves that every
/// sequence below `sequence - g` was durable.
///
/// Confined to the caller.
final class Frame {
  static final int HEADER_BYTES = 24;

  private Frame() {}

  static long bytesOf(ByteBuffer payload) {
    return HEADER_BYTES + (long) payload.remaining();
  }

  /// Writes the header of `payload` to `target`; neither payload's position moves.
  static void putHeader(
      ByteBuffer target, int salt, long sequence, int groupIndex, ByteBuffer payload, CRC32C crc) {
    int at = target.position();
    target.putInt(payload.remaining()).putInt(salt).putLong(sequence);
    target.putInt(groupIndex).putInt(0);
    crc.reset();
    crc.update(target.duplicate().flip().position(at));
    crc.update(payload.duplicate());
    target.putInt(at + 4, (int) crc.getValue());
  }

  static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static int length(ByteBuffer in, int at) {
    return in.getInt(at);
  }

  static long sequence(ByteBuffer in, int at) {
    return in.getLong(at + 8);
  }

  /// First sequence of the group that the frame at `at` was written in.
  static long groupStart(ByteBuffer in, int at) {
    return in.getLong(at + 8) - Integer.toUnsignedLong(in.getInt(at + 16));
  }

  /// Whether the frame at `at`, whose header and payload lie within `bytes`, is intact.
  static boolean isIntact(byte[] bytes, int at, int salt, CRC32C crc) {
    ByteBuffer in = littleEndian(bytes);
    int length = in.getInt(at);
    int stored = in.getInt(at + 4);
    crc.reset();
    crc.update(bytes, at, 4);
    crc.update(salt);
    crc.update(salt >>> 8);
    crc.update(salt >>> 16);
    crc.update(salt >>> 24);
    crc.update(bytes, at + 8, HEADER_BYTES - 8 + length);
    return (int) crc.getValue() == stored && in.getInt(at + 20) == 0;
  }
}
