package io.elanus.role.streaming.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.InvariantViolation;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageCodec;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.WalMessage;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChannelTailTest {
  private static final PChannel PCHANNEL = new PChannel("p_0");
  private static final VChannel A = VChannel.of(PCHANNEL, new CollectionId(1), 0);
  private static final VChannel B = VChannel.of(PCHANNEL, new CollectionId(2), 0);
  private static final long CAPACITY_BYTES = 16 << 10;

  private final TestThreads threads = new TestThreads();
  private final WalLog log = new MemoryWal().open(PCHANNEL, 1, WalOpenOptions.DEFAULT).join();
  private final ChannelTail tail =
      new ChannelTail(
          log,
          MessageId.NONE,
          HybridTs.ZERO,
          threads,
          new TailConfig(Long.toString(CAPACITY_BYTES), 1),
          new TailMetrics(new SimpleMeterRegistry()));
  private long lastTick;

  private static final class Listener implements UnitListener {
    final List<WalUnit> units = new ArrayList<>();
    HybridTs tick = HybridTs.ZERO;
    int calls;

    @Override
    public void onUnits(List<WalUnit> more, HybridTs upTo, MessageId position) {
      calls++;
      units.addAll(more);
      tick = upTo;
    }

    @Override
    public void onClosed(Throwable reason) {}
  }

  private void publish(VChannel vchannel) {
    HybridTs tick = new HybridTs(++lastTick);
    WalMessage message =
        new WalMessage(
            MessageHeader.of(vchannel).stamped(tick, MessageId.NONE),
            new Message.Delete(
                new CollectionId(1), Message.Delete.ALL_PARTITIONS, PrimaryKeys.of(lastTick)));
    MessageId id = log.appendBytes(List.of(MessageCodec.encode(message))).join().getFirst();
    tail.publish(List.of(WalUnit.of(message, id)), id, tick);
  }

  private Listener follow(VChannel vchannel, Loop loop) {
    Listener listener = new Listener();
    tail.cursor(vchannel, MessageId.NONE, loop, listener).wake();
    return listener;
  }

  @Test
  void aReaderThatDoesNotReadDoesNotMakeMemoryGrow() {
    Listener slow = follow(A, threads.loop("slow", 100));
    for (int i = 0; i < 1000; i++) {
      publish(A);
      assertThat(tail.heldBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
    }

    threads.pump();

    assertThat(slow.units).hasSize(1000);
    assertThat(slow.units.getLast().tick()).isEqualTo(new HybridTs(1000));
    assertThat(tail.heldBytes()).isZero();
  }

  @Test
  void whatEveryReaderHasReadIsForgotten() {
    follow(A, threads.loop("a", 100));
    publish(A);
    assertThat(tail.heldBytes()).isPositive();

    threads.pump();

    assertThat(tail.heldBytes()).isZero();
  }

  @Test
  void readersOfOtherChannelsAreNotWoken() {
    Listener other = follow(B, threads.loop("b", 100));
    threads.pump();
    int calls = other.calls;

    publish(A);
    threads.pump();
    assertThat(other.calls).isEqualTo(calls);

    tail.wakeAll();
    threads.pump();
    assertThat(other.tick).isEqualTo(new HybridTs(1));
    assertThat(other.units).isEmpty();
  }

  @Test
  void aReaderThatAskedIsWokenByTheNextTick() {
    Listener reader = follow(B, threads.loop("b", 100));
    publish(A);
    threads.pump();

    assertThat(tail.demand(B, new HybridTs(1))).isTrue();
    assertThat(tail.demand(B, new HybridTs(7))).isFalse();
    tail.publishTick(new HybridTs(9));
    threads.pump();

    assertThat(reader.tick).isEqualTo(new HybridTs(9));
  }

  @Test
  void nothingIsPublishedAtOrBelowASyncedTick() {
    publish(A);
    tail.publishTick(new HybridTs(50));
    lastTick = 49;

    assertThatThrownBy(() -> publish(A)).isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> tail.publishTick(new HybridTs(50)))
        .isInstanceOf(InvariantViolation.class);
  }

  @Test
  void theLogIsKeptForTheSlowestReader() {
    publish(A);
    publish(A);
    assertThat(tail.needed()).isEqualTo(tail.end().next());

    follow(A, threads.loop("a", 100));
    assertThat(tail.needed()).isEqualTo(MessageId.NONE);
    threads.pump();
    assertThat(tail.needed()).isEqualTo(tail.end().next());
  }
}
