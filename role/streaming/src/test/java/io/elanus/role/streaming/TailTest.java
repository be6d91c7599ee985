package io.elanus.role.streaming;

import static io.elanus.role.streaming.Samples.insert;
import static io.elanus.role.streaming.Samples.manualFlush;
import static io.elanus.role.streaming.Samples.vchannel;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.loop.Loop;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.StreamingService.AppendResult;
import io.elanus.wire.service.WalTail;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class TailTest {
  @Test
  void aReaderThatComesLateReadsTheLogAndThenTheTail() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      for (long i = 0; i < 50; i++) {
        h.appendOne(insert(1, i, 1));
      }

      Reader reader = h.readAll(1);
      h.appendOne(insert(1, 50, 1));
      h.threads.pump();

      assertThat(reader.insertedKeys())
          .containsExactlyElementsOf(LongStream.rangeClosed(0, 50).boxed().toList());
    }
  }

  @Test
  void readingStartsAtThePositionGivenInclusive() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      h.appendOne(insert(1, 1, 1));
      AppendResult second = h.appendOne(insert(1, 2, 1));
      h.appendOne(insert(1, 3, 1));

      Reader reader = h.read(1, second.id());
      h.threads.pump();
      assertThat(reader.insertedKeys()).containsExactly(2L, 3L);

      Reader following = h.read(1, reader.position);
      h.appendOne(insert(1, 4, 1));
      h.threads.pump();
      assertThat(following.insertedKeys()).containsExactly(4L);
    }
  }

  @Test
  void otherChannelsMessagesAreNotDelivered() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      h.createCollection(2);
      Reader live = h.readAll(1);
      h.appendOne(insert(2, 7, 1));
      h.appendOne(insert(1, 8, 1));

      h.threads.pump();
      assertThat(live.insertedKeys()).containsExactly(8L);
      assertThat(h.readAll(1).insertedKeys()).containsExactly(8L);
      assertThat(h.readAll(2).insertedKeys()).containsExactly(7L);
    }
  }

  @Test
  void aSlowReaderFallsBackToTheLog() {
    try (Harness h =
        new Harness()
            .with("streaming.walWriteAheadBuffer.capacity", "4k")
            .with("elanus.streaming.readChunkKb", "1")
            .open()) {
      h.createCollection(1);
      Reader reader = new Reader();
      Loop stuck = h.threads.loop("stuck", 1 << 16);
      h.node.subscribe(vchannel(1), MessageId.NONE, stuck, reader);
      h.threads.pump();
      long keys = 300;
      for (long i = 0; i < keys; i++) {
        h.append(false, insert(1, i, 1));
        for (int step = 0; step < 5; step++) {
          h.threads.step();
        }
      }
      h.threads.pump();

      assertThat(reader.insertedKeys())
          .containsExactlyElementsOf(LongStream.range(0, keys).boxed().toList());
    }
  }

  @Test
  void aCancelledReaderGetsNothingMore() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      Reader reader = new Reader();
      WalTail.Subscription subscription =
          h.node.subscribe(vchannel(1), MessageId.NONE, h.threads.loop("reader", 100), reader);
      h.threads.pump();
      int batches = reader.batches;

      subscription.cancel();
      subscription.cancel();
      h.appendOne(insert(1, 1, 1));
      h.threads.advance(Duration.ofSeconds(1));

      assertThat(reader.batches).isEqualTo(batches);
    }
  }

  @Test
  void readingFromAPositionThatWasTruncatedIsAClearError() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      AppendResult first = h.appendOne(insert(1, 1, 1));
      h.appendOne(manualFlush(1));
      h.threads.advance(Duration.ofSeconds(90));

      Reader reader = h.read(1, first.id());
      h.threads.pump();

      assertThat(reader.closed)
          .isInstanceOfSatisfying(
              DbException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE);
                assertThat(e.getMessage()).contains("truncated");
              });
      Reader fromCheckpoint = h.read(1, h.coord.checkpoint(vchannel(1)).position());
      h.threads.pump();
      assertThat(fromCheckpoint.closed).isNull();
    }
  }

  @Test
  void subscribingToAChannelThatIsNotOpenFails() {
    try (Harness h = new Harness()) {
      assertThatThrownBy(() -> h.read(1, MessageId.NONE))
          .isInstanceOfSatisfying(
              DbException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE));
    }
  }

  @Test
  void transactionsAreDeliveredWhole() {
    try (Harness h = new Harness().open()) {
      h.createCollection(1);
      Reader live = h.readAll(1);
      h.appendTxn(insert(1, 1, 1), insert(1, 2, 1));
      h.threads.pump();

      assertThat(live.insertedKeys()).isEqualTo(List.of(1L, 2L));
      Reader late = h.readAll(1);
      assertThat(late.insertedKeys()).isEqualTo(live.insertedKeys());
      assertThat(late.messages.stream().map(WalMessage::header).toList())
          .isEqualTo(live.messages.stream().map(WalMessage::header).toList());
    }
  }
}
