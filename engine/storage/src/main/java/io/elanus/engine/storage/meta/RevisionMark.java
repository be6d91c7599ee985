package io.elanus.engine.storage.meta;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/// The file `revision.mark` beside the database: the revision that it must at least hold, so that a
/// write-ahead log that lost its end is noticed. Two slots, at 0 and 4096, written in turn after
/// each synced group, themselves without sync; the valid one with the higher generation counts:
///
/// | bytes | what |
/// | --- | --- |
/// | 0..7 | `ELANREVM` |
/// | 8..15 | generation, little endian |
/// | 16..23 | revision, little endian |
/// | 24..27 | CRC32C of bytes 0..23 |
///
/// Confined to the committer.
final class RevisionMark implements AutoCloseable {
  static final String NAME = "revision.mark";

  private static final long MAGIC = 0x4D5645524E414C45L;
  private static final int SLOT_BYTES = 28;
  private static final int SLOT_DISTANCE = 4096;

  private final FileChannel file;
  private final ByteBuffer slot =
      ByteBuffer.allocateDirect(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private long generation;
  private long revision;

  RevisionMark(Path folder) throws IOException {
    file =
        FileChannel.open(
            folder.resolve(NAME),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      readSlot(0);
      readSlot(SLOT_DISTANCE);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private void readSlot(long at) throws IOException {
    slot.clear();
    while (slot.hasRemaining()) {
      if (file.read(slot, at + slot.position()) < 0) {
        return;
      }
    }
    crc.reset();
    crc.update(slot.duplicate().position(0).limit(SLOT_BYTES - 4));
    boolean intact = slot.getLong(0) == MAGIC && slot.getInt(24) == (int) crc.getValue();
    if (intact && slot.getLong(8) > generation) {
      generation = slot.getLong(8);
      revision = slot.getLong(16);
    }
  }

  /// Revision that was known to be durable; 0 when nothing says so.
  long revision() {
    return revision;
  }

  void write(long newRevision) throws IOException {
    generation++;
    revision = newRevision;
    slot.clear().putLong(MAGIC).putLong(generation).putLong(newRevision);
    crc.reset();
    crc.update(slot.duplicate().flip());
    slot.putInt((int) crc.getValue()).flip();
    long at = generation % 2 == 0 ? 0 : SLOT_DISTANCE;
    while (slot.hasRemaining()) {
      file.write(slot, at + slot.position());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      file.force(false);
    } finally {
      file.close();
    }
  }
}
