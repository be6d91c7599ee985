package io.elanus.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Reads the last segment of a log after a restart and decides where it ends.
///
/// The first record that isn't intact is a torn tail, unless something proves that it was durable:
/// a sequence that the caller or the mark knows to be durable, or a later intact record of another
/// fsync group. Then it is damage.
///
/// Confined to the caller.
final class SegmentScan {
  /// Where the intact records end, and the sequence that would come next.
  record End(long offset, long nextSequence) {}

  private static final int CHUNK_BYTES = 1 << 20;

  private final LogFile file;
  private final String name;
  private final Segment segment;
  private final int maxRecordBytes;
  private final CRC32C crc = new CRC32C();

  SegmentScan(LogFile file, String name, Segment segment, int maxRecordBytes) {
    this.file = file;
    this.name = name;
    this.segment = segment;
    this.maxRecordBytes = maxRecordBytes;
  }

  /// `mustHold` is the last sequence known to be durable.
  End run(long mustHold) throws IOException {
    long size = file.size();
    End end = scan(size);
    if (end.nextSequence() <= mustHold) {
      throw WalErrors.damaged(
          name,
          end.offset(),
          (end.offset() == size ? "the file ends before" : "there is no intact record where")
              + " record "
              + end.nextSequence()
              + (end.offset() == size ? "" : " has to be")
              + ", records up to "
              + mustHold
              + " were durable");
    }
    if (end.offset() < size) {
      checkNothingLater(end, size);
    }
    return end;
  }

  private End scan(long size) throws IOException {
    long offset = segment.header().bytes();
    long sequence = segment.base();
    byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, Math.max(0, size - offset))];
    while (offset < size) {
      int have = Reads.fully(file, ByteBuffer.wrap(chunk), offset);
      ByteBuffer in = Frame.littleEndian(chunk);
      int at = 0;
      while (have - at >= Frame.HEADER_BYTES) {
        int length = Frame.length(in, at);
        if (length < 0 || length > maxRecordBytes || Frame.sequence(in, at) != sequence) {
          return new End(offset + at, sequence);
        }
        if (length > have - at - Frame.HEADER_BYTES) {
          break;
        }
        if (!Frame.isIntact(chunk, at, segment.header().salt(), crc)) {
          return new End(offset + at, sequence);
        }
        segment.note(sequence, offset + at);
        sequence++;
        at += Frame.HEADER_BYTES + length;
      }
      offset += at;
      if (at == 0) {
        long needed = have < Frame.HEADER_BYTES ? size + 1 : frameBytes(in);
        if (offset + needed > size) {
          return new End(offset, sequence);
        }
        chunk = new byte[(int) needed];
      }
    }
    return new End(offset, sequence);
  }

  private static long frameBytes(ByteBuffer in) {
    return Frame.HEADER_BYTES + (long) Frame.length(in, 0);
  }

  /// Looks for an intact record of a later fsync group behind the end.
  private void checkNothingLater(End end, long size) throws IOException {
    byte[] rest = new byte[Math.toIntExact(size - end.offset())];
    int have = Reads.fully(file, ByteBuffer.wrap(rest), end.offset());
    ByteBuffer in = Frame.littleEndian(rest);
    long most = end.nextSequence() + have / Frame.HEADER_BYTES;
    for (int at = 1; at <= have - Frame.HEADER_BYTES; at++) {
      long sequence = Frame.sequence(in, at);
      if (sequence <= end.nextSequence() || sequence > most) {
        continue;
      }
      int length = Frame.length(in, at);
      boolean fits = length >= 0 && length <= have - at - Frame.HEADER_BYTES;
      if (fits
          && Frame.groupStart(in, at) > end.nextSequence()
          && Frame.isIntact(rest, at, segment.header().salt(), crc)) {
        throw WalErrors.damaged(
            name,
            end.offset(),
            "record "
                + end.nextSequence()
                + " isn't intact although record "
                + sequence
                + " proves that it was durable");
      }
    }
  }
}
