package io.elanus.role.streaming.pchannel;

import io.elanus.base.error.Invariant;
import io.elanus.base.error.InvariantViolation;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.role.streaming.txn.TxnAssembler;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.StreamingService.AppendReply;
import io.elanus.wire.service.StreamingService.AppendResult;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What one append to the log carries, in log order, and who waits for it; possibly nothing but a
/// granted tick.
///
/// Owned by: the sequencer's loop.
final class Batch {
  private final List<WalMessage> records = new ArrayList<>();
  private final List<ByteBuffer> encoded = new ArrayList<>();
  private final List<Span> spans = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final TreeSet<VChannel> exclusive = new TreeSet<>();
  private long bytes;
  private boolean barrier;
  private HybridTs lastTick = HybridTs.ZERO;
  private @Nullable HybridTs granted;
  private boolean done;
  private @Nullable List<MessageId> ids;
  private @Nullable Throwable failure;

  /// Records `[from, to)` that become visible together.
  private record Span(int from, int to, boolean txn) {}

  /// A caller, and the records `[from, to)` that carry its messages.
  private record Waiting(PendingAppend append, int from, int to, HybridTs tick) {}

  void addRecord(WalMessage message, ByteBuffer bytesOfIt) {
    records.add(message);
    encoded.add(bytesOfIt);
    bytes += bytesOfIt.remaining();
    lastTick = message.timeTick();
  }

  int size() {
    return records.size();
  }

  void addSpan(int from, int to, boolean txn) {
    spans.add(new Span(from, to, txn));
  }

  void addWaiting(PendingAppend append, int from, int to, HybridTs tick) {
    waiting.add(new Waiting(append, from, to, tick));
  }

  /// The batch changes more than rows: none that relies on it may be in flight before it is
  /// durable.
  void markBarrier() {
    barrier = true;
  }

  boolean isBarrier() {
    return barrier;
  }

  void markExclusive(VChannel vchannel) {
    exclusive.add(vchannel);
    barrier = true;
  }

  /// Whether a message of this batch has `vchannel` for itself.
  boolean excludes(VChannel vchannel) {
    return exclusive.contains(vchannel);
  }

  void grant(HybridTs tick) {
    granted = tick;
    lastTick = tick;
  }

  @Nullable HybridTs granted() {
    return granted;
  }

  /// The largest tick that is decided with this batch.
  HybridTs lastTick() {
    return lastTick;
  }

  List<ByteBuffer> encoded() {
    return encoded;
  }

  List<WalMessage> records() {
    return records;
  }

  long bytes() {
    return bytes;
  }

  List<PendingAppend> appends() {
    return waiting.stream().map(Waiting::append).toList();
  }

  void succeed(List<MessageId> positions) {
    Invariant.check(
        positions.size() == records.size(),
        "%d positions for %d records",
        positions.size(),
        records.size());
    ids = positions;
    done = true;
  }

  void fail(Throwable cause) {
    failure = cause;
    done = true;
  }

  boolean isDone() {
    return done;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  MessageId lastId() {
    return positions().getLast();
  }

  private List<MessageId> positions() {
    List<MessageId> known = ids;
    if (known == null) {
      throw new InvariantViolation("positions of a batch that is not durable");
    }
    return known;
  }

  /// The durable units, in order.
  List<WalUnit> units() {
    List<MessageId> at = positions();
    List<WalUnit> units = new ArrayList<>(spans.size());
    for (Span span : spans) {
      if (!span.txn) {
        units.add(WalUnit.of(records.get(span.from), at.get(span.from)));
        continue;
      }
      int commit = span.to - 1;
      units.add(
          TxnAssembler.unit(
              records.subList(span.from + 1, commit),
              at.subList(span.from + 1, commit),
              records.get(commit).timeTick(),
              at.get(span.from),
              at.get(commit)));
    }
    return units;
  }

  /// Completes every caller with its results.
  void answer() {
    List<MessageId> at = positions();
    for (Waiting each : waiting) {
      List<AppendResult> results = new ArrayList<>(each.to - each.from);
      for (int i = each.from; i < each.to; i++) {
        WalMessage record = records.get(i);
        HybridTs tick = each.append.isTxn() ? each.tick : record.timeTick();
        results.add(new AppendResult(record.vchannel(), at.get(i), tick, sealedBy(record)));
      }
      each.append.reply().complete(new AppendReply(List.copyOf(results)));
    }
  }

  private static List<SegmentId> sealedBy(WalMessage record) {
    return record.body() instanceof Message.ManualFlush flush ? flush.segmentIds() : List.of();
  }
}
