package io.elanus.engine.log;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// One file of a log and what is known of it.
///
/// Thread-safe: the writer raises `durableEnd` and then `closed`; readers only read them.
final class Segment {
  /// Distance of index points.
  private static final long INDEX_STEP_BYTES = 256 << 10;

  private static final int SUFFIX_DIGITS = 20;
  private static final String SUFFIX = ".wal";

  private final SegmentHeader header;
  private final ConcurrentSkipListMap<Long, Long> index = new ConcurrentSkipListMap<>();
  private volatile long durableEnd;
  private volatile boolean closed;

  Segment(SegmentHeader header, long durableEnd) {
    this.header = header;
    this.durableEnd = durableEnd;
    index.put(header.base(), (long) header.bytes());
  }

  static String nameOf(long base) {
    String digits = Long.toString(base);
    return "0".repeat(SUFFIX_DIGITS - digits.length()) + digits + SUFFIX;
  }

  /// The base in a file's name; -1 when it isn't a segment's name.
  static long baseOf(String name) {
    if (name.length() != SUFFIX_DIGITS + SUFFIX.length() || !name.endsWith(SUFFIX)) {
      return -1;
    }
    for (int i = 0; i < SUFFIX_DIGITS; i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
    }
    try {
      return Long.parseLong(name.substring(0, SUFFIX_DIGITS));
    } catch (NumberFormatException e) {
      return -1; // More than a long holds: not ours.
    }
  }

  String name() {
    return nameOf(header.base());
  }

  SegmentHeader header() {
    return header;
  }

  long base() {
    return header.base();
  }

  /// Bytes of the file that hold durable records.
  long durableEnd() {
    return durableEnd;
  }

  /// True when nothing will be added any more.
  boolean isClosed() {
    return closed;
  }

  void advance(long newDurableEnd) {
    durableEnd = newDurableEnd;
  }

  void markClosed() {
    closed = true;
  }

  /// Remembers where the record `sequence` begins, if it is far enough from the last point.
  void note(long sequence, long offset) {
    Map.Entry<Long, Long> last = index.floorEntry(sequence);
    if (last == null || offset - last.getValue() >= INDEX_STEP_BYTES) {
      index.put(sequence, offset);
    }
  }

  /// The nearest known record at or before `sequence`: its sequence and offset.
  Map.Entry<Long, Long> floor(long sequence) {
    Map.Entry<Long, Long> found = index.floorEntry(sequence);
    return found == null ? index.firstEntry() : found;
  }
}
