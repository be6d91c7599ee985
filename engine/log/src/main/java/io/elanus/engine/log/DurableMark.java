package io.elanus.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The file `durable.mark` beside the segments: what the log must at least hold. Two slots, at 0
/// and 4096, written in turn; the valid one with the higher generation counts. A slot, little
/// endian:
///
/// | bytes | what |
/// | --- | --- |
/// | 0..7 | `ELANMARK` |
/// | 8..15 | generation |
/// | 16..23 | durable: last sequence known to be on the disk, -1 for none |
/// | 24..31 | first: base of the oldest segment that must exist |
/// | 32..39 | highest term that opened the log |
/// | 40..43 | 0 |
/// | 44..47 | CRC32C of bytes 0..43 |
///
/// A slot is written after every fsync of the log, itself without one: it survives the end of the
/// process at once, a power cut as soon as the system has written it back. It is synced when a
/// segment is begun, on truncation, on [WalLog#persistHighWater] and on close.
///
/// Confined to the log's writer.
final class DurableMark {
  static final String NAME = "durable.mark";

  /// What a slot says.
  record State(long generation, long durable, long first, long term) {}

  private static final long MAGIC = 0x4B52414D4E414C45L;
  private static final int SLOT_BYTES = 48;
  private static final int SLOT_DISTANCE = 4096;

  private final LogFile file;
  private final ByteBuffer slot =
      ByteBuffer.allocateDirect(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private State state;

  private DurableMark(LogFile file, State state) {
    this.file = file;
    this.state = state;
  }

  State state() {
    return state;
  }

  /// A fresh mark for a log without records; durable when this returns.
  static DurableMark create(LogFiles files) throws IOException {
    LogFile file = files.create(NAME);
    DurableMark mark = new DurableMark(file, new State(0, -1, 0, -1));
    try {
      mark.write(-1, 0, -1);
      file.force();
      files.forceFolder();
    } catch (IOException e) {
      file.close();
      throw e;
    }
    return mark;
  }

  /// The mark that is there; null when neither slot is intact.
  static @Nullable DurableMark open(LogFiles files) throws IOException {
    LogFile file = files.open(NAME);
    State even = readSlot(file, 0);
    State odd = readSlot(file, SLOT_DISTANCE);
    State best = even;
    if (even == null || (odd != null && odd.generation() > even.generation())) {
      best = odd;
    }
    if (best == null) {
      file.close();
      return null;
    }
    return new DurableMark(file, best);
  }

  private static @Nullable State readSlot(LogFile file, long at) throws IOException {
    byte[] bytes = new byte[SLOT_BYTES];
    if (Reads.fully(file, ByteBuffer.wrap(bytes), at) < SLOT_BYTES) {
      return null;
    }
    ByteBuffer in = Frame.littleEndian(bytes);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, SLOT_BYTES - 4);
    if (in.getLong(0) != MAGIC || (int) crc.getValue() != in.getInt(SLOT_BYTES - 4)) {
      return null;
    }
    return new State(in.getLong(8), in.getLong(16), in.getLong(24), in.getLong(32));
  }

  /// Writes the next slot, without sync.
  void write(long durable, long first, long term) throws IOException {
    State next = new State(state.generation() + 1, durable, first, term);
    slot.clear();
    slot.putLong(MAGIC).putLong(next.generation()).putLong(durable).putLong(first).putLong(term);
    slot.putInt(0);
    crc.reset();
    crc.update(slot.duplicate().flip());
    slot.putInt((int) crc.getValue()).flip();
    file.write(slot, next.generation() % 2 == 0 ? 0 : SLOT_DISTANCE);
    state = next;
  }

  void force() throws IOException {
    file.force();
  }

  void close() throws IOException {
    file.close();
  }
}
