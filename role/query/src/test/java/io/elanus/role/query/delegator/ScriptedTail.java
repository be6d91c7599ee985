package io.elanus.role.query.delegator;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.WalTail;
import java.util.ArrayList;
import java.util.List;

/// The WAL of one VChannel as a list of batches. Each batch is one position; a tick that is
/// demanded is published at once, unless the test holds ticks back.
///
/// Thread-safe: guarded by `this`.
final class ScriptedTail implements WalTail {
  private final VChannel vchannel;
  private final List<TailBatch> log = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private final List<HybridTs> demanded = new ArrayList<>();
  private HybridTs lastTick;
  private boolean holdsTicks;

  private static final class Reader {
    final Loop loop;
    final Listener listener;
    volatile boolean cancelled;

    Reader(Loop loop, Listener listener) {
      this.loop = loop;
      this.listener = listener;
    }
  }

  ScriptedTail(VChannel vchannel, HybridTs firstTick) {
    this.vchannel = vchannel;
    this.lastTick = firstTick;
  }

  @Override
  public synchronized Subscription subscribe(
      VChannel of, MessageId from, Loop loop, Listener listener) {
    Reader reader = new Reader(loop, listener);
    for (int i = (int) Math.max(0, from.value()); i < log.size(); i++) {
      deliver(reader, log.get(i));
    }
    deliver(reader, new TailBatch(List.of(), lastTick, new MessageId(log.size())));
    readers.add(reader);
    return () -> reader.cancelled = true;
  }

  private void deliver(Reader reader, TailBatch batch) {
    try {
      reader.loop.execute(() -> {
        if (!reader.cancelled) {
          reader.listener.onBatch(batch);
        }
      });
    } catch (java.util.concurrent.RejectedExecutionException e) {
      reader.cancelled = true; // The shard was stopped.
    }
  }

  @Override
  public synchronized void demandTick(VChannel of, HybridTs atLeast) {
    demanded.add(atLeast);
    if (!holdsTicks && atLeast.isAfter(lastTick)) {
      lastTick = atLeast;
      publish(new TailBatch(List.of(), lastTick, new MessageId(log.size())));
    }
  }

  private void publish(TailBatch batch) {
    for (Reader reader : readers) {
      deliver(reader, batch);
    }
  }

  /// The tick of the next append.
  synchronized HybridTs nextTick() {
    return lastTick.plus(1);
  }

  /// Appends messages as one transaction; its tick.
  synchronized HybridTs append(Message... bodies) {
    HybridTs tick = nextTick();
    lastTick = tick;
    List<WalMessage> messages = new ArrayList<>();
    for (Message body : bodies) {
      messages.add(new WalMessage(MessageHeader.of(vchannel).stamped(tick, MessageId.NONE), body));
    }
    TailBatch batch = new TailBatch(messages, tick, new MessageId(log.size() + 1));
    log.add(batch);
    publish(batch);
    return tick;
  }

  synchronized MessageId end() {
    return new MessageId(log.size());
  }

  synchronized HybridTs lastTick() {
    return lastTick;
  }

  synchronized void holdTicks(boolean hold) {
    holdsTicks = hold;
  }

  synchronized List<HybridTs> demanded() {
    return new ArrayList<>(demanded);
  }

  synchronized void fail(Throwable reason) {
    for (Reader reader : readers) {
      reader.loop.execute(() -> reader.listener.onClosed(reason));
    }
  }
}
