package io.elanus.role.streaming.pchannel;

import io.elanus.base.bytes.ByteWriter;
import io.elanus.base.error.Invariant;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.role.streaming.shard.SegmentAssigner;
import io.elanus.role.streaming.shard.ShardState;
import io.elanus.role.streaming.timetick.TickWatermark;
import io.elanus.role.streaming.txn.TxnAssembler;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageCodec;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.MessageType;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.TsoService.TimestampRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Stamps appends one after another into a [Batch], using up a range of ticks: segments, ticks,
/// last confirmed position, transaction ids. Applies what it stamps to the working state.
///
/// Owned by: the sequencer's loop.
final class BatchStamper {
  private static final long KEEPALIVE_MS = 10_000;

  private final ChannelState working;
  private final TickWatermark ticks;
  private final SegmentAssigner assigner;
  private final SegmentIds ids;
  private final MessageId lastConfirmed;
  private final Batch batch = new Batch();
  private HybridTs next;
  private int left;

  BatchStamper(
      ChannelState working,
      TickWatermark ticks,
      SegmentAssigner assigner,
      SegmentIds ids,
      MessageId lastConfirmed,
      TimestampRange range) {
    this.working = working;
    this.ticks = ticks;
    this.assigner = assigner;
    this.ids = ids;
    this.lastConfirmed = lastConfirmed;
    this.next = range.first();
    this.left = range.count();
  }

  Batch batch() {
    return batch;
  }

  int ticksLeft() {
    return left;
  }

  /// Ticks that stamping `append` may take at most.
  static int ticksFor(PendingAppend append, ChannelState state) {
    int messages = append.request().messages().size();
    ShardState shard = state.shard(append.vchannel());
    int growing = 0;
    for (WalMessage message : append.request().messages()) {
      boolean seals =
          message.body() instanceof Message.ManualFlush
              || message.body() instanceof Message.AlterCollection;
      growing = seals && shard != null ? shard.growing().size() : growing;
    }
    return 3 * messages + 3 + growing;
  }

  int segmentsFor(PendingAppend append) {
    ShardState shard = working.shard(append.vchannel());
    return shard == null ? 0 : assigner.newSegments(shard, append.bodies());
  }

  /// Stamps one append that has passed its checks.
  void stamp(PendingAppend append) {
    ShardState shard =
        append.vchannel().isControlChannel() ? null : working.shard(append.vchannel());
    if (shard == null) {
      stampMessages(append, append.bodies());
      return;
    }
    if (append.isTxn() || isData(append)) {
      SegmentAssigner.Assigned assigned = assigner.assign(shard, append.bodies(), ids::take);
      stampSelfMade(append.vchannel(), assigned.before());
      stampMessages(append, assigned.bodies());
      stampSelfMade(append.vchannel(), assigner.full(shard, assigned.bodies()));
      return;
    }
    List<Message> bodies = new ArrayList<>();
    for (Message body : append.bodies()) {
      bodies.add(sealFirst(append.vchannel(), shard, body));
    }
    stampMessages(append, bodies);
  }

  private static boolean isData(PendingAppend append) {
    return append.bodies().stream()
        .allMatch(body -> body instanceof Message.Insert || body instanceof Message.Delete);
  }

  private Message sealFirst(VChannel vchannel, ShardState shard, Message body) {
    if (body instanceof Message.ManualFlush flush) {
      Message.ManualFlush filled =
          new Message.ManualFlush(flush.collectionId(), SegmentAssigner.withRows(shard));
      stampSelfMade(vchannel, assigner.all(shard));
      return filled;
    }
    if (body instanceof Message.AlterCollection alter && alter.schemaChanged()) {
      stampSelfMade(vchannel, assigner.all(shard));
    }
    return body;
  }

  /// Stamps CreateSegment or Flush bodies on their own account.
  void stampSelfMade(VChannel vchannel, List<Message> bodies) {
    for (Message body : bodies) {
      int at = batch.size();
      HybridTs tick = take();
      add(new WalMessage(MessageHeader.of(vchannel).stamped(tick, lastConfirmed), body));
      batch.addSpan(at, at + 1, false);
      batch.markBarrier();
      working.apply(WalUnit.of(batch.records().get(at), MessageId.NONE));
    }
  }

  private void stampMessages(PendingAppend append, List<Message> bodies) {
    if (append.isTxn()) {
      stampTxn(append, bodies);
      return;
    }
    int from = batch.size();
    List<WalMessage> messages = append.request().messages();
    for (int i = 0; i < bodies.size(); i++) {
      MessageHeader header = messages.get(i).header().stamped(take(), lastConfirmed);
      WalMessage message = new WalMessage(header, bodies.get(i));
      int at = batch.size();
      add(message);
      batch.addSpan(at, at + 1, false);
      if (message.scope() == MessageType.Scope.VCHANNEL
          || message.scope() == MessageType.Scope.PCHANNEL) {
        batch.markExclusive(message.vchannel());
      }
      working.apply(WalUnit.of(message, MessageId.NONE));
    }
    batch.addWaiting(append, from, batch.size(), batch.lastTick());
  }

  private void stampTxn(PendingAppend append, List<Message> bodies) {
    int begin = batch.size();
    HybridTs beginTick = take();
    long txnId = beginTick.value();
    MessageHeader plain = MessageHeader.of(append.vchannel());
    add(
        new WalMessage(
            plain.stamped(beginTick, lastConfirmed).inTxn(txnId),
            new Message.BeginTxn(KEEPALIVE_MS)));
    List<WalMessage> messages = append.request().messages();
    for (int i = 0; i < bodies.size(); i++) {
      MessageHeader header = messages.get(i).header().stamped(take(), lastConfirmed);
      add(new WalMessage(header.inTxn(txnId), bodies.get(i)));
    }
    int commit = batch.size();
    HybridTs commitTick = take();
    add(
        new WalMessage(
            plain.stamped(commitTick, lastConfirmed).inTxn(txnId),
            new Message.CommitTxn(bodies.size())));
    batch.addSpan(begin, commit + 1, true);
    List<WalMessage> stamped = batch.records().subList(begin + 1, commit);
    working.apply(
        TxnAssembler.unit(
            stamped,
            Collections.nCopies(stamped.size(), MessageId.NONE),
            commitTick,
            MessageId.NONE,
            MessageId.NONE));
    batch.addWaiting(append, begin + 1, commit, commitTick);
  }

  private HybridTs take() {
    Invariant.check(left > 0, "ticks of a batch ran out");
    HybridTs tick = next;
    ticks.allocate(tick);
    next = tick.plus(1);
    left--;
    return tick;
  }

  private void add(WalMessage message) {
    ByteWriter out =
        new ByteWriter((int) Math.min(Integer.MAX_VALUE - 64, 128 + PendingAppend.sizeOf(message)));
    MessageCodec.encode(message, out);
    batch.addRecord(message, ByteBuffer.wrap(out.buffer(), 0, out.size()));
  }
}
