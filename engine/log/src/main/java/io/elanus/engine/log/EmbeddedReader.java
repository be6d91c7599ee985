package io.elanus.engine.log;

import io.elanus.base.error.DbException;
import io.elanus.base.id.MessageId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Follows the segments of a [ChannelFiles] from record to record, up to their durable ends.
///
/// Confined to the caller.
final class EmbeddedReader implements WalReader {
  private static final int LEAST_BYTES = 64 << 10;

  private final ChannelFiles log;
  private final CRC32C crc = new CRC32C();
  private final long from;
  private long sequence;
  private long offset;
  private @Nullable Segment segment;
  private @Nullable LogFile file;
  private boolean closed;

  EmbeddedReader(ChannelFiles log, MessageId from) {
    this.log = log;
    this.from = from.isNone() ? log.firstBase() : from.value();
    this.sequence = this.from;
    enter(floorSegment(this.from));
  }

  private Segment floorSegment(long wanted) {
    Map.Entry<Long, Segment> found = log.segments().floorEntry(wanted);
    if (found == null) {
      throw WalErrors.truncated(log.pchannel(), wanted, log.firstBase());
    }
    return found.getValue();
  }

  private void enter(Segment next) {
    closeFile();
    Map.Entry<Long, Long> point = next.floor(from);
    try {
      file = log.openForRead(next);
    } catch (IOException e) {
      if (log.firstBase() > next.base()) {
        throw WalErrors.truncated(log.pchannel(), sequence, log.firstBase()).causedBy(e);
      }
      throw WalErrors.io(log.pchannel(), "opening " + log.describe(next), e);
    }
    segment = next;
    sequence = point.getKey();
    offset = point.getValue();
  }

  @Override
  public List<WalRecord> readBatch(int maxBytes) {
    List<WalRecord> records = new ArrayList<>();
    int chunkBytes = Math.max(LEAST_BYTES, maxBytes);
    while (records.isEmpty()) {
      Segment at = segment;
      LogFile open = file;
      if (closed || at == null || open == null) {
        throw WalErrors.closed(log.pchannel());
      }
      boolean last = !at.isClosed(); // Read before the end: an end read later is final.
      long end = at.durableEnd();
      if (offset < end) {
        chunkBytes = readChunk(at, open, end, chunkBytes, records);
      } else if (last || !enterNext(at)) {
        break;
      }
    }
    return records;
  }

  private boolean enterNext(Segment at) {
    long expected = sequence;
    Map.Entry<Long, Segment> next = log.segments().higherEntry(at.base());
    if (next == null) {
      return false; // The writer is just about to publish it.
    }
    if (next.getKey() != expected) {
      if (log.firstBase() > expected) {
        throw WalErrors.truncated(log.pchannel(), expected, log.firstBase());
      }
      throw WalErrors.damaged(
          log.describe(at),
          offset,
          "the segment ends before record "
              + expected
              + ", the next one begins with "
              + next.getKey());
    }
    enter(next.getValue());
    return true;
  }

  /// Parses one chunk; answers the size for the next one.
  private int readChunk(Segment at, LogFile open, long end, int bytes, List<WalRecord> records) {
    byte[] chunk = new byte[(int) Math.min(bytes, end - offset)];
    int have;
    try {
      have = Reads.fully(open, ByteBuffer.wrap(chunk), offset);
    } catch (IOException e) {
      throw WalErrors.io(log.pchannel(), "reading " + log.describe(at), e);
    }
    if (have < chunk.length) {
      throw WalErrors.damaged(
          log.describe(at), offset + have, "the file is shorter than its records");
    }
    ByteBuffer in = Frame.littleEndian(chunk);
    int position = 0;
    int next = bytes;
    while (have - position >= Frame.HEADER_BYTES) {
      int length = Frame.length(in, position);
      boolean beyondEnd = length < 0 || offset + position + Frame.HEADER_BYTES + length > end;
      if (beyondEnd || Frame.sequence(in, position) != sequence) {
        throw broken(at, offset + position);
      }
      if (length > have - position - Frame.HEADER_BYTES) {
        next = Math.max(bytes, Frame.HEADER_BYTES + length);
        break;
      }
      if (!Frame.isIntact(chunk, position, at.header().salt(), crc)) {
        throw broken(at, offset + position);
      }
      at.note(sequence, offset + position);
      if (sequence >= from) {
        records.add(
            new WalRecord(new MessageId(sequence), chunk, position + Frame.HEADER_BYTES, length));
      }
      sequence++;
      position += Frame.HEADER_BYTES + length;
    }
    if (position == 0 && next == bytes) {
      throw broken(at, offset);
    }
    offset += position;
    return next;
  }

  private DbException broken(Segment at, long where) {
    return WalErrors.damaged(log.describe(at), where, "record " + sequence + " isn't intact");
  }

  @Override
  public MessageId position() {
    return new MessageId(Math.max(sequence, from));
  }

  private void closeFile() {
    LogFile open = file;
    file = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw WalErrors.io(log.pchannel(), "closing a reader", e);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    closeFile();
  }
}
