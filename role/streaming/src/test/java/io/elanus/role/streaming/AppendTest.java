package io.elanus.role.streaming;

import static io.elanus.role.streaming.Samples.PCHANNEL;
import static io.elanus.role.streaming.Samples.broadcast;
import static io.elanus.role.streaming.Samples.collection;
import static io.elanus.role.streaming.Samples.delete;
import static io.elanus.role.streaming.Samples.drop;
import static io.elanus.role.streaming.Samples.insert;
import static io.elanus.role.streaming.Samples.manualFlush;
import static io.elanus.role.streaming.Samples.vchannel;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PartitionId;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.StreamingService.AppendReply;
import io.elanus.wire.service.StreamingService.AppendResult;
import io.elanus.wire.service.StreamingService.ForgetBroadcast;
import io.elanus.wire.service.StreamingService.OpenChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AppendTest {
  private final Harness h = new Harness();

  @AfterEach
  void noFaults() {
    h.close();
  }

  private static ErrorCode codeOf(CompletableFuture<?> failed) {
    assertThat(failed).isCompletedExceptionally();
    Throwable cause = failed.exceptionNow();
    return ((DbException) cause).code();
  }

  @Test
  void answersAppendsWithRisingTicksAndPositions() {
    h.open().createCollection(1);

    AppendResult first = h.appendOne(insert(1, 1, 2));
    AppendResult second = h.appendOne(delete(1, 1));

    assertThat(second.timeTick()).isGreaterThan(first.timeTick());
    assertThat(second.id()).isGreaterThan(first.id());
    assertThat(h.readAll(1).types())
        .containsExactly("CREATE_COLLECTION", "CREATE_SEGMENT", "INSERT", "DELETE");
  }

  @Test
  void answersOnlyWhenTheLogHasAnswered() {
    h.open().createCollection(1);
    Reader reader = h.readAll(1);
    h.log.holdAnswers();

    CompletableFuture<AppendReply> reply = h.append(false, insert(1, 1, 1));
    h.threads.pump();

    assertThat(reply).isNotDone();
    assertThat(reader.insertedKeys()).isEmpty();
    h.log.release();
    h.threads.pump();
    assertThat(reply).isCompleted();
    assertThat(reader.insertedKeys()).containsExactly(1L);
  }

  @Test
  void whatArrivesWhileABatchFormsSharesOneAppendToTheLog() {
    h.open().createCollection(1);
    h.appendOne(insert(1, 0, 1));
    int before = h.log.appendCount();
    h.tso.hold();
    List<CompletableFuture<AppendReply>> replies = new ArrayList<>();
    replies.add(h.append(false, insert(1, 1, 1)));
    h.threads.pump();
    for (int i = 2; i < 10; i++) {
      replies.add(h.append(false, insert(1, i, 1)));
    }

    h.threads.pump();
    h.tso.release();
    h.threads.pump();

    assertThat(replies).allMatch(CompletableFuture::isDone);
    assertThat(h.log.appendCount() - before).isLessThanOrEqualTo(2);
    assertThat(h.readAll(1).insertedKeys()).hasSize(10);
  }

  @Test
  void aTransactionCarriesOneTick() {
    h.open().createCollection(1);

    List<AppendResult> results = h.appendTxn(delete(1, 5), insert(1, 5, 1), insert(1, 6, 3));

    assertThat(results)
        .extracting(AppendResult::timeTick)
        .containsOnly(results.getFirst().timeTick());
    Reader reader = h.readAll(1);
    assertThat(reader.types())
        .containsExactly("CREATE_COLLECTION", "CREATE_SEGMENT", "DELETE", "INSERT", "INSERT");
    assertThat(reader.messages.subList(2, 5))
        .extracting(WalMessage::timeTick)
        .containsOnly(results.getFirst().timeTick());
  }

  @Test
  void refusesWhatTheChannelDoesNotHave() {
    h.open().createCollection(1);

    CompletableFuture<AppendReply> noCollection = h.append(false, insert(2, 1, 1));
    CompletableFuture<AppendReply> noPartition =
        h.append(false, insert(1, new PartitionId(99), 1, 1, 1));
    CompletableFuture<AppendReply> oldSchema =
        h.append(false, insert(1, Samples.PARTITION, 7, 1, 1));
    CompletableFuture<AppendReply> selfMade =
        h.append(false, WalMessage.of(vchannel(1), new Message.TimeTick()));
    h.threads.pump();

    assertThat(codeOf(noCollection)).isEqualTo(ErrorCode.COLLECTION_NOT_FOUND);
    assertThat(codeOf(noPartition)).isEqualTo(ErrorCode.PARTITION_NOT_FOUND);
    assertThat(codeOf(oldSchema)).isEqualTo(ErrorCode.COLLECTION_SCHEMA_MISMATCH);
    assertThat(codeOf(selfMade)).isEqualTo(ErrorCode.PARAMETER_INVALID);
  }

  @Test
  void refusesAppendsToAChannelThatIsNotOpen() {
    CompletableFuture<AppendReply> reply = h.append(false, insert(1, 1, 1));

    assertThat(codeOf(reply)).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE);
    assertThat(((DbException) reply.exceptionNow()).isRetriable()).isTrue();
  }

  @Test
  void refusesAnOlderTerm() {
    h.open();
    h.open();

    assertThatThrownBy(
            () -> h.threads.await(h.node.open(Harness.CALL, new OpenChannel(PCHANNEL, 1))))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE));
    assertThat(h.threads.await(h.node.open(Harness.CALL, new OpenChannel(PCHANNEL, 2))))
        .isNotNull();
  }

  @Test
  void anExclusiveMessageStandsBetweenTheWritesAroundIt() {
    h.open().createCollection(1);
    CompletableFuture<AppendReply> before = h.append(false, insert(1, 1, 1));
    CompletableFuture<AppendReply> exclusive = h.append(false, drop(1));
    CompletableFuture<AppendReply> after = h.append(false, insert(1, 2, 1));

    h.threads.pump();

    assertThat(before).isCompleted();
    assertThat(exclusive).isCompleted();
    assertThat(codeOf(after)).isEqualTo(ErrorCode.COLLECTION_NOT_FOUND);
  }

  @Test
  void aRepeatedBroadcastIsAnsweredWithItsFirstPosition() {
    h.open();
    WalMessage message = broadcast(77, Samples.create(collection(1)));
    h.log.holdAnswers();
    CompletableFuture<AppendReply> first = h.append(false, message);
    CompletableFuture<AppendReply> whileInFlight = h.append(false, message);
    h.threads.pump();
    assertThat(whileInFlight).isNotDone();
    h.log.release();
    h.threads.pump();

    AppendResult later = h.appendOne(message);

    assertThat(whileInFlight.join()).isEqualTo(first.join());
    assertThat(later).isEqualTo(first.join().results().getFirst());
    assertThat(h.log.appendCount()).isEqualTo(1);
  }

  @Test
  void aRepeatedBroadcastIsKnownAfterACrashAndUntilItIsForgotten() {
    h.open();
    WalMessage message = broadcast(77, Samples.create(collection(1)));
    AppendResult first = h.appendOne(message);

    h.crash();
    assertThat(h.appendOne(message)).isEqualTo(first);

    h.threads.await(
        h.node.forgetBroadcast(
            Harness.CALL, new ForgetBroadcast(new BroadcastId(77), List.of(vchannel(1)))));
    assertThat(h.appendOne(message).id()).isGreaterThan(first.id());
  }

  @Test
  void aFailedAppendFailsItsCallersAndLeavesTheStateAsItWas() {
    h.open().createCollection(1);
    h.log.failNextAppends(1, DbException.of(ErrorCode.IO_FAILED, "disk").asRetriable());

    CompletableFuture<AppendReply> failed = h.append(false, insert(1, 1, 1));
    h.threads.pump();
    h.appendOne(insert(1, 2, 1));

    assertThat(codeOf(failed)).isEqualTo(ErrorCode.IO_FAILED);
    Reader reader = h.readAll(1);
    assertThat(reader.types()).containsExactly("CREATE_COLLECTION", "CREATE_SEGMENT", "INSERT");
    assertThat(reader.insertedKeys()).containsExactly(2L);
  }

  @Test
  void aBatchThatWaitsBehindAFailedOneIsJudgedAnew() {
    h.open();
    h.log.failNextAppends(1, DbException.of(ErrorCode.IO_FAILED, "disk").asRetriable());
    CompletableFuture<AppendReply> create = h.append(false, Samples.create(collection(1)));
    CompletableFuture<AppendReply> insert = h.append(false, insert(1, 1, 1));

    h.threads.pump();

    assertThat(codeOf(create)).isEqualTo(ErrorCode.IO_FAILED);
    assertThat(codeOf(insert)).isEqualTo(ErrorCode.COLLECTION_NOT_FOUND);
  }

  @Test
  void aFencedOwnerStopsAndTellsItsReaders() {
    h.open().createCollection(1);
    Reader reader = h.readAll(1);
    h.wal.open(PCHANNEL, 9, io.elanus.engine.log.WalOpenOptions.DEFAULT).join();

    CompletableFuture<AppendReply> reply = h.append(false, insert(1, 1, 1));
    h.threads.pump();
    CompletableFuture<AppendReply> next = h.append(false, insert(1, 1, 1));

    assertThat(codeOf(reply)).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE);
    assertThat(codeOf(next)).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE);
    assertThat(reader.closed).isNotNull();
  }

  @Test
  void anOwnerThatWasDeposedPublishesNoTick() {
    h.open().createCollection(1);
    Reader reader = h.readAll(1);
    var seen = reader.tick;
    h.tso.raiseTerm(PCHANNEL, 5);

    h.node.demandTick(vchannel(1), h.tso.now());
    h.threads.pump();

    assertThat(reader.tick).isEqualTo(seen);
    assertThat(reader.closed).isNotNull();
  }

  @Test
  void ticksThatDoNotRiseAreAFaultThatClosesTheChannel() {
    h.open().createCollection(1);
    h.appendOne(insert(1, 1, 1));
    h.tso.stepBack(1000);

    CompletableFuture<AppendReply> reply = h.append(false, insert(1, 2, 1));
    h.threads.pump();

    assertThat(codeOf(reply)).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE);
    assertThat(h.faults).hasSize(1);
    assertThat(h.faults.getFirst()).isInstanceOf(io.elanus.base.error.InvariantViolation.class);
    h.faults.clear();
    assertThat(codeOf(h.append(false, insert(1, 3, 1)))).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE);
  }

  @Test
  void refusesMoreThanItsQueueHolds() {
    h.with("elanus.streaming.maxQueuedAppends", "4").open().createCollection(1);
    h.log.holdAnswers();
    List<CompletableFuture<AppendReply>> replies = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      replies.add(h.append(false, insert(1, i, 1)));
    }

    assertThat(codeOf(replies.get(4))).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
    assertThat(((DbException) replies.get(5).exceptionNow()).isRetriable()).isTrue();
    h.threads.pump();
    h.log.release();
    h.threads.pump();
    assertThat(replies.subList(0, 4)).allMatch(r -> r.isDone() && !r.isCompletedExceptionally());
    assertThat(h.appendOne(insert(1, 7, 1))).isNotNull();
  }

  @Test
  void aFailingTimestampOracleFailsTheAppendAndNothingElse() {
    h.open().createCollection(1);
    h.tso.failWith(DbException.of(ErrorCode.SERVICE_NOT_READY, "coordinator"));
    CompletableFuture<AppendReply> failed = h.append(false, insert(1, 1, 1));
    h.threads.pump();
    h.tso.failWith(null);

    assertThat(codeOf(failed)).isEqualTo(ErrorCode.SERVICE_NOT_READY);
    assertThat(h.appendOne(insert(1, 2, 1))).isNotNull();
  }

  @Test
  void manualFlushSealsAndNamesSegmentsWithRows() {
    h.open().createCollection(1);
    h.appendOne(insert(1, 1, 1));
    h.appendOne(insert(1, Samples.OTHER_PARTITION, 1, 2, 1));

    AppendResult flush = h.appendOne(manualFlush(1));
    h.appendOne(insert(1, 3, 1));

    assertThat(flush.sealed()).hasSize(2);
    assertThat(h.readAll(1).types())
        .containsExactly(
            "CREATE_COLLECTION",
            "CREATE_SEGMENT",
            "INSERT",
            "CREATE_SEGMENT",
            "INSERT",
            "FLUSH",
            "FLUSH",
            "MANUAL_FLUSH",
            "CREATE_SEGMENT",
            "INSERT");
  }

  @Test
  void closingAnswersWhatIsInFlightAndRefusesTheRest() {
    h.open().createCollection(1);
    h.log.holdAnswers();
    CompletableFuture<AppendReply> inFlight = h.append(false, insert(1, 1, 1));
    h.threads.pump();
    var closing =
        h.node.close(
            Harness.CALL,
            new io.elanus.wire.service.StreamingService.CloseChannel(PCHANNEL, h.term));
    h.threads.pump();
    CompletableFuture<AppendReply> late = h.append(false, insert(1, 2, 1));

    assertThat(codeOf(late)).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE);
    assertThat(inFlight).isNotDone();
    h.log.release();
    h.threads.pump();
    assertThat(inFlight).isCompleted();
    assertThat(closing).isCompleted();
  }

  @Test
  void partitionsComeAndGo() {
    h.open().createCollection(1);
    h.appendOne(insert(1, Samples.OTHER_PARTITION, 1, 2, 1));
    h.appendOne(
        WalMessage.of(
            vchannel(1), new Message.DropPartition(new CollectionId(1), Samples.OTHER_PARTITION)));

    CompletableFuture<AppendReply> reply =
        h.append(false, insert(1, Samples.OTHER_PARTITION, 1, 3, 1));
    h.threads.pump();

    assertThat(codeOf(reply)).isEqualTo(ErrorCode.PARTITION_NOT_FOUND);
    assertThat(h.read(1, MessageId.NONE)).isNotNull();
  }
}
