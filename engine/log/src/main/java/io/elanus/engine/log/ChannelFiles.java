package io.elanus.engine.log;

import io.elanus.base.error.DbException;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The files of one log: recovery, appending, rolling, truncation. What is readable is published
/// through the segments' ends and [#lastSequence].
///
/// Confined to the log's writer, but for [#segments], [#lastSequence] and [#openForRead], which
/// readers use from any thread.
final class ChannelFiles {
  private static final int BUFFER_BYTES = 256 << 10;

  private final PChannel pchannel;
  private final LogFiles files;
  private final EmbeddedWalOptions options;
  private final IntSupplier salts;
  private final ConcurrentSkipListMap<Long, Segment> segments = new ConcurrentSkipListMap<>();
  private final CRC32C crc = new CRC32C();
  private final DurableMark mark;
  private Segment active;
  private LogFile activeFile;
  private @Nullable ByteBuffer buffer;
  private boolean needsRepair;
  private boolean rollFirst;
  private volatile long lastSequence;

  private ChannelFiles(Opening opening, DurableMark mark, Segment active, LogFile activeFile) {
    this.pchannel = opening.pchannel;
    this.files = opening.files;
    this.options = opening.options;
    this.salts = opening.salts;
    this.mark = mark;
    this.active = active;
    this.activeFile = activeFile;
  }

  /// What is needed to open a log.
  record Opening(
      PChannel pchannel, LogFiles files, EmbeddedWalOptions options, IntSupplier salts) {}

  /// Opens or creates the log; `highWater` is the last sequence that the caller knows to be
  /// durable. DATA_INTEGRITY when an answered record is lost, OPERATION_UNSUPPORTED when a newer
  /// version wrote a segment; both name the file.
  static ChannelFiles open(Opening opening, long highWater) throws IOException {
    List<String> names = opening.files.names();
    TreeSet<Long> bases = new TreeSet<>();
    for (String name : names) {
      long base = Segment.baseOf(name);
      if (base >= 0) {
        bases.add(base);
      }
    }
    DurableMark mark;
    if (names.contains(DurableMark.NAME)) {
      mark = openMark(opening, bases);
    } else if (bases.isEmpty()) {
      mark = DurableMark.create(opening.files);
    } else {
      throw WalErrors.damaged(
          opening.files.describe(DurableMark.NAME), 0, "the file is missing beside log segments");
    }
    try {
      return recover(opening, mark, bases, highWater);
    } catch (IOException | RuntimeException e) {
      mark.close();
      throw e;
    }
  }

  private static DurableMark openMark(Opening opening, SortedSet<Long> bases) throws IOException {
    DurableMark mark = DurableMark.open(opening.files);
    if (mark != null) {
      return mark;
    }
    if (!bases.isEmpty()) {
      throw WalErrors.damaged(
          opening.files.describe(DurableMark.NAME), 0, "neither slot has a valid checksum");
    }
    // The crash came before the mark was synced for the first time: there was no log yet.
    opening.files.delete(DurableMark.NAME);
    return DurableMark.create(opening.files);
  }

  private static ChannelFiles recover(
      Opening opening, DurableMark mark, SortedSet<Long> bases, long highWater) throws IOException {
    DurableMark.State state = mark.state();
    while (!bases.isEmpty() && bases.first() < state.first()) {
      opening.files.delete(Segment.nameOf(bases.removeFirst())); // An interrupted truncation.
    }
    dropUnfinishedRoll(opening, state, bases);
    if (bases.isEmpty()) {
      if (state.durable() >= 0 || state.first() > 0) {
        throw missing(opening, state.first());
      }
      return fresh(opening, mark, highWater);
    }
    if (bases.first() != state.first()) {
      throw missing(opening, state.first());
    }
    return recoverSegments(opening, mark, bases, highWater);
  }

  private static DbException missing(Opening opening, long base) {
    return WalErrors.damaged(
        opening.files.describe(Segment.nameOf(base)), 0, "the segment file is missing");
  }

  /// A segment whose header isn't whole was being created when the process ended, if nothing in it
  /// can have been durable.
  private static void dropUnfinishedRoll(
      Opening opening, DurableMark.State state, SortedSet<Long> bases) throws IOException {
    if (bases.isEmpty() || bases.last() <= state.durable()) {
      return;
    }
    String name = Segment.nameOf(bases.last());
    SegmentHeader header;
    try (LogFile file = opening.files.open(name)) {
      header = SegmentHeader.read(file, opening.files.describe(name));
    }
    if (header == null) {
      opening.files.delete(name);
      opening.files.forceFolder();
      bases.removeLast();
    }
  }

  private static ChannelFiles fresh(Opening opening, DurableMark mark, long highWater)
      throws IOException {
    if (highWater >= 0) {
      throw missing(opening, 0);
    }
    SegmentHeader header =
        new SegmentHeader(0, -1, 0, opening.salts.getAsInt(), opening.pchannel.name());
    Segment segment = new Segment(header, header.bytes());
    LogFile file = createSegment(opening.files, segment);
    ChannelFiles log = new ChannelFiles(opening, mark, segment, file);
    log.segments.put(0L, segment);
    log.lastSequence = -1;
    return log;
  }

  private static LogFile createSegment(LogFiles files, Segment segment) throws IOException {
    LogFile file = files.create(segment.name());
    try {
      file.write(segment.header().encode(), 0);
      file.force();
      files.forceFolder();
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static ChannelFiles recoverSegments(
      Opening opening, DurableMark mark, SortedSet<Long> bases, long highWater) throws IOException {
    ConcurrentSkipListMap<Long, Segment> found = new ConcurrentSkipListMap<>();
    long previousSize = 0;
    for (long base : bases) {
      try (LogFile file = opening.files.open(Segment.nameOf(base))) {
        Segment segment = openSegment(opening, file, base);
        checkFollows(opening, found, segment, previousSize);
        previousSize = file.size();
        segment.advance(previousSize);
        segment.markClosed();
        found.put(base, segment);
      }
    }
    Segment last = new Segment(found.lastEntry().getValue().header(), 0);
    found.put(last.base(), last);
    LogFile file = opening.files.open(last.name());
    try {
      ChannelFiles log = new ChannelFiles(opening, mark, last, file);
      log.segments.putAll(found);
      log.recoverTail(highWater);
      return log;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static Segment openSegment(Opening opening, LogFile file, long base) throws IOException {
    String name = opening.files.describe(Segment.nameOf(base));
    SegmentHeader header = SegmentHeader.read(file, name);
    if (header == null) {
      throw WalErrors.damaged(name, 0, "the segment header isn't intact");
    }
    if (header.base() != base || !header.pchannel().equals(opening.pchannel.name())) {
      throw WalErrors.damaged(
          name, 0, "the file belongs to " + header.pchannel() + " from " + header.base());
    }
    return new Segment(header, header.bytes());
  }

  /// Each header names the file before it and its size, which shows a lost file and a lost end.
  private static void checkFollows(
      Opening opening,
      ConcurrentSkipListMap<Long, Segment> before,
      Segment segment,
      long previousSize) {
    if (before.isEmpty()) {
      return;
    }
    Segment previous = before.lastEntry().getValue();
    if (segment.header().previousBase() != previous.base()) {
      throw missing(opening, segment.header().previousBase());
    }
    if (segment.header().previousBytes() != previousSize) {
      throw WalErrors.damaged(
          opening.files.describe(previous.name()),
          Math.min(previousSize, segment.header().previousBytes()),
          "the file has "
              + previousSize
              + " bytes, the next segment saw "
              + segment.header().previousBytes());
    }
  }

  private void recoverTail(long highWater) throws IOException {
    DurableMark.State state = mark.state();
    long mustHold = Math.max(Math.max(state.durable(), highWater), active.base() - 1);
    String name = files.describe(active.name());
    SegmentScan.End end =
        new SegmentScan(activeFile, name, active, options.maxRecordBytes()).run(mustHold);
    boolean cut = end.offset() < activeFile.size();
    if (cut) {
      activeFile.truncate(end.offset());
    }
    long last = end.nextSequence() - 1;
    if (cut || last > state.durable()) {
      activeFile.force(); // Whole records of an unanswered append become durable here.
    }
    active.advance(end.offset());
    lastSequence = last;
    mark.write(last, state.first(), state.term());
  }

  /// Answers the highest term that opened this log.
  long term() {
    return mark.state().term();
  }

  void setTerm(long term) throws IOException {
    if (term != mark.state().term()) {
      mark.write(lastSequence, mark.state().first(), term);
      mark.force();
    }
  }

  long lastSequence() {
    return lastSequence;
  }

  long firstBase() {
    return segments.firstKey();
  }

  PChannel pchannel() {
    return pchannel;
  }

  ConcurrentSkipListMap<Long, Segment> segments() {
    return segments;
  }

  LogFile openForRead(Segment segment) throws IOException {
    return files.open(segment.name());
  }

  String describe(Segment segment) {
    return files.describe(segment.name());
  }

  /// Appends `records` as one fsync group; answers the sequence of the first. When it throws, none
  /// of them is in the log, and the log can be appended to again as soon as the disk lets it.
  long append(List<ByteBuffer> records) throws IOException {
    if (needsRepair) {
      repair();
    }
    long bytes = 0;
    for (ByteBuffer record : records) {
      bytes += Frame.bytesOf(record);
    }
    boolean full = active.durableEnd() + bytes > options.segmentBytes();
    if (rollFirst || (full && lastSequence >= active.base())) {
      roll();
    }
    long start = active.durableEnd();
    long firstSequence = lastSequence + 1;
    boolean written = false;
    try {
      long end = write(records, start, firstSequence);
      written = true;
      if (!options.unsafeNoFsync()) {
        activeFile.force();
      }
      publish(records, start, end, firstSequence);
    } catch (IOException | RuntimeException e) {
      needsRepair = true;
      rollFirst |= written; // After a failed sync the file's cached pages can't be trusted.
      repairQuietly(e);
      throw e;
    }
    return firstSequence;
  }

  private void publish(List<ByteBuffer> records, long start, long end, long firstSequence) {
    long offset = start;
    long sequence = firstSequence;
    for (ByteBuffer record : records) {
      active.note(sequence++, offset);
      offset += Frame.bytesOf(record);
    }
    active.advance(end);
    lastSequence = sequence - 1;
  }

  /// Writes what is durable into the mark, without sync.
  void refreshMark() throws IOException {
    mark.write(lastSequence, mark.state().first(), mark.state().term());
  }

  private long write(List<ByteBuffer> records, long start, long firstSequence) throws IOException {
    ByteBuffer out = buffer;
    if (out == null) {
      out = ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      buffer = out;
    }
    out.clear();
    long at = start;
    int index = 0;
    for (ByteBuffer record : records) {
      if (out.remaining() < Frame.HEADER_BYTES) {
        at = flush(out, at);
      }
      Frame.putHeader(out, active.header().salt(), firstSequence + index, index, record, crc);
      index++;
      at = copy(record.duplicate(), out, at);
    }
    return flush(out, at);
  }

  /// Small payloads are gathered in `out`; a large off-heap one is written from where it is.
  private long copy(ByteBuffer payload, ByteBuffer out, long at) throws IOException {
    long offset = at;
    if (payload.isDirect() && payload.remaining() > out.remaining()) {
      offset = flush(out, offset);
      int length = payload.remaining();
      activeFile.write(payload, offset);
      return offset + length;
    }
    while (payload.hasRemaining()) {
      int count = Math.min(payload.remaining(), out.remaining());
      out.put(out.position(), payload, payload.position(), count);
      out.position(out.position() + count);
      payload.position(payload.position() + count);
      if (!out.hasRemaining()) {
        offset = flush(out, offset);
      }
    }
    return offset;
  }

  private long flush(ByteBuffer out, long at) throws IOException {
    out.flip();
    int count = out.remaining();
    if (count > 0) {
      activeFile.write(out, at);
    }
    out.clear();
    return at + count;
  }

  private void repairQuietly(Exception cause) {
    try {
      repair();
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e); // Tried again before the next append.
    }
  }

  /// Removes what a failed append left behind the durable end.
  private void repair() throws IOException {
    activeFile.truncate(active.durableEnd());
    activeFile.force();
    needsRepair = false;
  }

  private void roll() throws IOException {
    if (options.unsafeNoFsync()) {
      activeFile.force(); // Only the newest segment is at risk.
    }
    refreshMark();
    mark.force();
    long base = lastSequence + 1;
    if (base == active.base()) {
      replaceEmptyActive();
      return;
    }
    SegmentHeader header =
        new SegmentHeader(
            base, active.base(), active.durableEnd(), salts.getAsInt(), pchannel.name());
    Segment next = new Segment(header, header.bytes());
    LogFile nextFile = createSegmentOrNothing(next);
    activeFile.close();
    active.markClosed();
    segments.put(base, next);
    active = next;
    activeFile = nextFile;
    rollFirst = false;
  }

  /// An empty segment whose file isn't trusted is rewritten under the same name.
  private void replaceEmptyActive() throws IOException {
    activeFile.truncate(0);
    activeFile.write(active.header().encode(), 0);
    activeFile.force();
    rollFirst = false;
  }

  private LogFile createSegmentOrNothing(Segment next) throws IOException {
    try {
      return createSegment(files, next);
    } catch (IOException | RuntimeException e) {
      try {
        files.delete(next.name());
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /// Deletes the segments that hold only records below `before`.
  void truncate(long before) throws IOException {
    long first = segments.firstKey();
    for (Map.Entry<Long, Segment> segment : segments.entrySet()) {
      if (segment.getKey() <= before) {
        first = segment.getKey();
      }
    }
    if (first == segments.firstKey()) {
      return;
    }
    // The mark comes first: a segment that is missing without it would count as damage.
    mark.write(lastSequence, first, mark.state().term());
    mark.force();
    for (Segment gone : List.copyOf(segments.headMap(first).values())) {
      segments.remove(gone.base());
      files.delete(gone.name());
    }
    files.forceFolder();
  }

  void persistMark() throws IOException {
    refreshMark();
    mark.force();
  }

  void checkHolds(long highWater) {
    if (highWater > lastSequence) {
      throw WalErrors.endsEarly(pchannel, lastSequence, new MessageId(highWater));
    }
  }

  void close() throws IOException {
    try {
      persistMark();
    } finally {
      mark.close();
      activeFile.close();
    }
  }
}
