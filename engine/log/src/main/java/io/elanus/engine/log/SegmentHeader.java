package io.elanus.engine.log;

import io.elanus.base.error.FormatErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Beginning of a segment file, version 1, little endian:
///
/// | bytes | what |
/// | --- | --- |
/// | 0..7 | `ELANUSWL` |
/// | 8..11 | version, 1 |
/// | 12..15 | length h of this header |
/// | 16..23 | base: sequence of the file's first record |
/// | 24..31 | base of the segment before this one, -1 when this is the log's first |
/// | 32..39 | size of the segment file before this one, 0 when this is the log's first |
/// | 40..43 | salt of the record checksums |
/// | 44..47 | length of the PChannel's name in UTF-8 |
/// | 48.. | the name |
/// | h-4..h-1 | CRC32C of everything before |
///
/// Bytes 0..15 and the checksum keep their places in every version, so that a newer one is told
/// from damage.
///
/// Immutable.
record SegmentHeader(long base, long previousBase, long previousBytes, int salt, String pchannel) {
  static final int VERSION = 1;
  private static final long MAGIC = 0x4C5753554E414C45L;
  private static final int FIXED_BYTES = 48;
  private static final int MAX_BYTES = 4096;

  int bytes() {
    return FIXED_BYTES + pchannel.getBytes(StandardCharsets.UTF_8).length + 4;
  }

  ByteBuffer encode() {
    byte[] name = pchannel.getBytes(StandardCharsets.UTF_8);
    int length = FIXED_BYTES + name.length + 4;
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(MAGIC).putInt(VERSION).putInt(length).putLong(base).putLong(previousBase);
    out.putLong(previousBytes).putInt(salt).putInt(name.length).put(name);
    CRC32C crc = new CRC32C();
    crc.update(out.array(), 0, length - 4);
    return out.putInt((int) crc.getValue()).flip();
  }

  /// The header of `file`; null when it isn't whole or its checksum is wrong. OPERATION_UNSUPPORTED
  /// when a newer version wrote it; `name` is the file's in that error.
  static @Nullable SegmentHeader read(LogFile file, String name) throws IOException {
    byte[] bytes = new byte[(int) Math.min(MAX_BYTES, file.size())];
    int have = Reads.fully(file, ByteBuffer.wrap(bytes), 0);
    ByteBuffer in = Frame.littleEndian(bytes);
    if (have < FIXED_BYTES + 4 || in.getLong(0) != MAGIC) {
      return null;
    }
    int length = in.getInt(12);
    if (length < FIXED_BYTES + 4 || length > have) {
      return null;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length - 4);
    if ((int) crc.getValue() != in.getInt(length - 4)) {
      return null;
    }
    int version = in.getInt(8);
    if (version > VERSION) {
      throw FormatErrors.newer("log file " + name, version, VERSION);
    }
    int nameBytes = in.getInt(44);
    if (version != VERSION || nameBytes != length - FIXED_BYTES - 4) {
      return null;
    }
    String pchannel = new String(bytes, FIXED_BYTES, nameBytes, StandardCharsets.UTF_8);
    return new SegmentHeader(
        in.getLong(16), in.getLong(24), in.getLong(32), in.getInt(40), pchannel);
  }
}
