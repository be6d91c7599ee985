package io.elanus.role.coord.broadcast;

import static io.elanus.role.coord.broadcast.BroadcastWorld.CONTEXT;
import static io.elanus.role.coord.broadcast.BroadcastWorld.CONTROL;
import static io.elanus.role.coord.broadcast.BroadcastWorld.message;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.InvariantViolation;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.Deadline;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.coord.broadcast.BroadcasterDeps.ClusterRole;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.wire.message.BroadcastHeader;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.ResourceKey;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class BroadcasterTest {
  private final BroadcastWorld world = new BroadcastWorld();

  private BroadcastWorld.Life life() {
    return world.new Life().recovered();
  }

  private static void assertCode(CompletableFuture<?> future, ErrorCode code) {
    assertThat(future).isCompletedExceptionally();
    assertThatThrownBy(future::join)
        .cause()
        .isInstanceOfSatisfying(DbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void everyTargetGetsOneCopyWithTheHeaderThenTheCallbackRuns() {
    BroadcastWorld.Life life = life();

    BroadcastResult result = life.threads.await(life.send("a", "7"));

    assertThat(world.wal.log()).hasSize(3);
    for (WalMessage copy : world.wal.log()) {
      BroadcastHeader header = requireNonNull(copy.header().broadcast());
      assertThat(header.id()).isEqualTo(result.id());
      assertThat(header.keys())
          .containsExactly(ResourceKey.exclusiveCollection("d", "a"), ResourceKey.sharedCluster());
    }
    assertThat(result.copies()).hasSize(3);
    assertThat(result.largestTick()).isEqualTo(world.wal.log().getLast().timeTick());
    assertThat(life.applied).containsExactly("7");
    assertThat(world.keys("effect/")).containsExactly("effect/7");
    assertThat(world.tasks()).singleElement().matches(TaskCodec.Stored::tombstone);
    assertThat(world.wal.forgotten()).containsExactly(result.id());
  }

  @Test
  void messageWithoutControlChannelIsRejectedBeforeAnythingIsStored() {
    BroadcastWorld.Life life = life();
    BroadcastMessage whole = message("7", false);
    BroadcastMessage partial = BroadcastMessage.of(whole.body(), whole.targets().subList(1, 3));

    assertThatThrownBy(() -> life.threads.await(life.send("a", partial)))
        .hasMessageContaining("control channel");

    assertThat(world.tasks()).isEmpty();
    assertThat(world.wal.log()).isEmpty();
    life.threads.await(life.send("a", "8"));
  }

  @Test
  void taskIsStoredBeforeTheFirstAppend() {
    BroadcastWorld.Life life = life();
    world.meta.hold();

    CompletableFuture<BroadcastResult> sent = life.send("a", "7");
    life.threads.pump();
    assertThat(world.wal.log()).isEmpty();

    world.meta.release();
    life.threads.await(sent);
    assertThat(world.wal.log()).hasSize(3);
  }

  @Test
  void crashAtAnyStepLeavesAllOrNothing() {
    int steps = 0;
    boolean finished = false;
    int withoutTrace = 0;
    while (!finished) {
      BroadcastWorld fresh = new BroadcastWorld();
      BroadcastWorld.Life first = fresh.new Life().recovered();
      CompletableFuture<BroadcastResult> sent = first.send("a", "7");
      for (int i = 0; i < steps; i++) {
        finished = !first.threads.step();
      }
      boolean answered = sent.isDone();
      boolean stored = !fresh.tasks().isEmpty();

      BroadcastWorld.Life second = fresh.new Life().recovered();
      second.threads.pump();

      if (stored || answered) {
        assertThat(fresh.wal.log()).as("copies after a crash at step %d", steps).hasSize(3);
        assertThat(fresh.keys("effect/")).containsExactly("effect/7");
        assertThat(fresh.tasks()).singleElement().matches(TaskCodec.Stored::tombstone);
      } else {
        withoutTrace++;
        assertThat(fresh.wal.log()).isEmpty();
        assertThat(fresh.keys("effect/")).isEmpty();
      }
      second.threads.await(second.send("a", "8"));
      steps++;
    }
    assertThat(withoutTrace).isPositive();
    assertThat(steps).isGreaterThan(withoutTrace + 3);
  }

  @Test
  void zombieThatGoesOnAfterItsSuccessorStartedChangesNothingTwice() {
    for (int steps = 0; steps < 40; steps++) {
      BroadcastWorld fresh = new BroadcastWorld();
      BroadcastWorld.Life zombie = fresh.new Life().recovered();
      zombie.send("a", "7");
      for (int i = 0; i < steps; i++) {
        zombie.threads.step();
      }
      BroadcastWorld.Life successor = fresh.new Life().recovered();
      zombie.threads.advance(Duration.ofSeconds(1));
      successor.threads.advance(Duration.ofSeconds(1));

      int copies = fresh.wal.log().size();
      assertThat(copies).isIn(0, 3);
      assertThat(fresh.keys("effect/")).hasSize(copies / 3);
      successor.threads.await(successor.send("a", "8"));
    }
  }

  @Test
  void failedAndLostAppendsAreRepeatedUntilEveryTargetHasOne() {
    BroadcastWorld.Life life = life();
    VChannel second = message("7", false).targets().get(1);
    VChannel third = message("7", false).targets().get(2);
    world.wal.failBefore(m -> m.vchannel().equals(second));
    world.wal.failAfter(m -> m.vchannel().equals(third));

    CompletableFuture<BroadcastResult> sent = life.send("a", "7");
    life.threads.advance(Duration.ofSeconds(3));
    assertThat(sent).isNotDone();
    assertThat(life.applied).isEmpty();

    world.wal.failBefore(_ -> false);
    world.wal.failAfter(_ -> false);
    life.threads.await(sent, Duration.ofSeconds(10));
    assertThat(world.wal.log()).hasSize(3);
    assertThat(world.wal.on(third)).hasSize(1);
  }

  @Test
  void taskWhoseStorageOutcomeIsUnknownIsStoredAgainAndRunsOnce() {
    BroadcastWorld.Life life = life();
    world.meta.failNextAfterApply(1, DbException.of(ErrorCode.IO_FAILED));

    life.threads.await(life.send("a", "7"), Duration.ofSeconds(1));

    assertThat(world.tasks()).hasSize(1);
    assertThat(world.wal.log()).hasSize(3);
  }

  @Test
  void storeThatIsFullFailsTheBroadcastAndFreesItsKeys() {
    BroadcastWorld.Life life = life();
    world.meta.failNext(1, DbException.of(ErrorCode.TOO_MANY_REQUESTS));

    CompletableFuture<BroadcastResult> refused = life.send("a", "7");
    life.threads.pump();

    assertCode(refused, ErrorCode.TOO_MANY_REQUESTS);
    life.threads.await(life.send("a", "8"));
    assertThat(life.applied).containsExactly("8");
  }

  @Test
  void failingCallbackHoldsUpConflictingBroadcastsOnly() {
    BroadcastWorld.Life life = life();
    life.failing = "1";
    CompletableFuture<BroadcastResult> failing = life.send("a", "1");
    CompletableFuture<BroadcastResult> behind = life.send("a", "2");

    life.threads.await(life.send("b", "3"));
    life.threads.advance(Duration.ofSeconds(5));

    assertThat(failing).isNotDone();
    assertThat(behind).isNotDone();
    assertThat(life.applied).containsExactly("3");
    TaskView stuck = life.threads.await(life.broadcaster.tasks()).getFirst();
    assertThat(stuck.progress().callbackAttempts()).isGreaterThan(3);
    assertThat(stuck.progress().lastError()).isEqualTo("told to fail");
    assertThat(stuck.age()).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
    assertThat(life.threads.await(life.broadcaster.contendedKeys()))
        .containsExactly(
            new LockView("COLLECTION_NAME:d/a", true, List.of("test"), List.of("test")));

    life.failing = "";
    life.threads.await(behind, Duration.ofSeconds(20));
    assertThat(life.applied).containsExactly("3", "1", "2");
  }

  @Test
  void lostAnswerOfTheCatalogChangeMakesTheCallbackRunAgain() {
    BroadcastWorld.Life life = life();
    CompletableFuture<BroadcastResult> sent = life.send("a", "7");
    while (world.wal.log().size() < 3) {
      life.threads.step();
    }
    world.meta.failNextAfterApply(1, DbException.of(ErrorCode.IO_FAILED));

    life.threads.await(sent, Duration.ofSeconds(1));

    assertThat(life.applied).containsExactly("7");
    assertThat(world.tasks()).singleElement().matches(TaskCodec.Stored::tombstone);
  }

  @Test
  void handleThatIsClosedFreesItsKeysAndOneThatBroadcastDoesNot() {
    BroadcastWorld.Life life = life();
    BroadcastHandle unused = life.threads.await(life.lock("a"));
    CompletableFuture<BroadcastHandle> next = life.lock("a");
    life.threads.pump();
    assertThat(next).isNotDone();

    unused.close();
    BroadcastHandle handle = life.threads.await(next);
    life.failing = "1";
    handle.broadcast(message("1", false));
    handle.close();
    CompletableFuture<BroadcastHandle> third = life.lock("a");
    life.threads.advance(Duration.ofMillis(50));

    assertThat(third).isNotDone();
    assertThat(handle.broadcast(message("2", false))).isCompletedExceptionally();
    life.failing = "";
    life.threads.await(third, Duration.ofSeconds(5));
  }

  @Test
  void waiterLeavesTheQueueAtItsDeadline() {
    BroadcastWorld.Life life = life();
    BroadcastHandle holder = life.threads.await(life.lock("a"));
    CallContext short1 =
        new CallContext(Deadline.after(life.threads.clock(), Duration.ofMillis(100)), "short");
    CompletableFuture<BroadcastHandle> waiting =
        life.broadcaster.withResourceKeys(
            short1, List.of(ResourceKey.exclusiveCollection("d", "a")));

    life.threads.advance(Duration.ofMillis(99));
    assertThat(waiting).isNotDone();
    life.threads.advance(Duration.ofMillis(2));

    assertCode(waiting, ErrorCode.DEADLINE_EXCEEDED);
    holder.close();
    life.threads.await(life.send("a", "8"));
  }

  @Test
  void frontDoorWaitsForTheChannelsUntilTheDeadline() {
    BroadcastWorld.Life life = life();
    life.ready = new CompletableFuture<>();
    CallContext short1 =
        new CallContext(Deadline.after(life.threads.clock(), Duration.ofMillis(100)), "short");
    CompletableFuture<BroadcastHandle> impatient =
        life.broadcaster.withResourceKeys(
            short1, List.of(ResourceKey.exclusiveCollection("d", "a")));
    CompletableFuture<BroadcastResult> patient = life.send("a", "8");

    life.threads.advance(Duration.ofMillis(200));
    assertCode(impatient, ErrorCode.DEADLINE_EXCEEDED);
    assertThat(patient).isNotDone();

    life.ready.complete(null);
    life.threads.await(patient);
  }

  @Test
  void clusterThatIsNotPrimaryRefusesDdlWithTheLocksFreed() {
    BroadcastWorld.Life life = life();
    BroadcastHandle holder = life.threads.await(life.lock("a"));
    CompletableFuture<BroadcastHandle> waiting = life.lock("a");
    life.threads.pump();
    life.role = ClusterRole.SECONDARY;

    holder.close();
    life.threads.pump();

    assertThatThrownBy(waiting::join)
        .hasMessageContaining("cluster is not primary, cannot do any DDL/DCL");
    BroadcastHandle promoted =
        life.threads.await(life.broadcaster.withSecondaryClusterResourceKey(CONTEXT));
    promoted.close();
    life.role = ClusterRole.PRIMARY;
    life.threads.await(life.send("a", "8"));
  }

  @Test
  void ackSyncUpWaitsForEveryConsumerAlsoOverARestart() {
    BroadcastWorld.Life first = life();
    CompletableFuture<BroadcastResult> sent = first.send("a", message("7", true));
    first.threads.pump();
    List<WalMessage> copies = List.copyOf(world.wal.log());
    first.threads.await(first.broadcaster.ack(CONTEXT, copies.get(0)));
    first.threads.await(first.broadcaster.ack(CONTEXT, copies.get(1)));
    assertThat(sent).isNotDone();
    assertThat(first.applied).isEmpty();

    BroadcastWorld.Life second = life();
    second.threads.pump();
    assertThat(second.applied).isEmpty();
    second.threads.await(second.broadcaster.ack(CONTEXT, copies.get(1)));
    second.threads.await(second.broadcaster.ack(CONTEXT, copies.get(2)));
    second.threads.pump();

    assertThat(second.applied).containsExactly("7");
    assertThat(world.wal.log()).hasSize(3);
    second.threads.await(second.broadcaster.ack(CONTEXT, copies.get(2)));
  }

  @Test
  void deposedBroadcasterStopsAndReportsIt() {
    BroadcastWorld.Life old = life();
    life();

    CompletableFuture<BroadcastResult> sent = old.send("a", "7");
    old.threads.advance(Duration.ofSeconds(1));

    assertCode(sent, ErrorCode.SERVICE_UNAVAILABLE);
    assertThat(old.faults).hasSize(1);
    assertThat(world.wal.log()).isEmpty();
    CompletableFuture<BroadcastResult> later = old.send("a", "8");
    old.threads.pump();
    assertCode(later, ErrorCode.SERVICE_UNAVAILABLE);
  }

  @Test
  void twoUnfinishedTasksWithOneKeyStopTheRecovery() {
    BroadcastWorld.Life first = life();
    world.wal.failBefore(_ -> true);
    first.send("a", "1");
    first.send("b", "2");
    first.threads.pump();
    List<TaskCodec.Stored> stored = world.tasks();
    BroadcastTask task = requireNonNull(stored.get(0).task());
    world
        .memory
        .txn(
            Txn.put(
                TaskCodec.key(stored.get(1).id()),
                TaskCodec.encode(task, BroadcastTask.State.PENDING)))
        .join();

    BroadcastWorld.Life second = world.new Life();

    assertThatThrownBy(second::recovered).isInstanceOf(InvariantViolation.class);
  }

  @Test
  void taskOfANewerVersionStopsTheRecoveryForGood() {
    assertRefusesNewer("broadcast task", stored -> stored[0] = 6, "format version 6");
  }

  @Test
  void taskWithAMessageOfANewerVersionStopsTheRecoveryForGood() {
    // Version, state and keyed take a byte each, the message's length two.
    assertRefusesNewer("broadcast task", stored -> stored[5] = 4, "WAL message", "version 4");
  }

  private void assertRefusesNewer(String what, Consumer<byte[]> change, String... texts) {
    BroadcastWorld.Life first = life();
    world.wal.failBefore(_ -> true);
    first.send("a", "1");
    first.threads.pump();
    String key = world.keys(TaskCodec.PREFIX).getFirst();
    byte[] stored = world.memory.get(key).join().orElseThrow().value().clone();
    change.accept(stored);
    world.memory.txn(Txn.put(key, stored)).join();

    BroadcastWorld.Life second = world.new Life();

    String id = Long.toString(Long.parseLong(key.substring(TaskCodec.PREFIX.length())));
    assertThatThrownBy(second::recovered)
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.OPERATION_UNSUPPORTED);
              assertThat(e.isRetriable()).isFalse();
            })
        .hasMessageContainingAll(what + " " + id, "reads up to 1", "the newer version")
        .hasMessageContainingAll(texts);
  }

  @Test
  void unfinishedBroadcastsKeepTheirKeysAfterARestart() {
    BroadcastWorld.Life first = life();
    world.wal.failBefore(_ -> true);
    first.send("a", "1");
    first.threads.pump();

    BroadcastWorld.Life second = life();
    CompletableFuture<BroadcastResult> behind = second.send("a", "2");
    CompletableFuture<BroadcastHandle> beside = second.lock("b");
    second.threads.advance(Duration.ofSeconds(1));
    assertThat(behind).isNotDone();
    assertThat(beside).isCompleted();

    world.wal.failBefore(_ -> false);
    second.threads.await(behind, Duration.ofSeconds(20));
    assertThat(second.applied).containsExactly("1", "2");
  }

  @Test
  void tombstonesLeaveByNumberTheUnkeyedOnesFirst() {
    world.config = new CoordConfig.Broadcasts(4, Duration.ofMinutes(5), 10, Duration.ofHours(1));
    BroadcastWorld.Life life = life();
    BroadcastMessage plain = message("1", false);
    BroadcastMessage keyed =
        new BroadcastMessage(
            plain.body(), plain.targets(), false, Map.of(MessageHeader.IDEMPOTENCY_KEY, "1:0:k"));
    life.threads.await(life.send("a", keyed));

    for (int i = 0; i < 30; i++) {
      life.threads.await(life.send("a", "2"));
    }
    life.threads.pump();

    assertThat(world.tasks()).hasSizeLessThanOrEqualTo(10).hasSizeGreaterThan(5);
    assertThat(world.tasks().getFirst().keyed()).isTrue();
    assertThat(world.tasks().getFirst().task()).isNotNull();
  }

  @Test
  void tombstonesLeaveByAgeWhichStartsAnewWithARestart() {
    world.config = new CoordConfig.Broadcasts(4, Duration.ofMinutes(5), 8192, Duration.ofHours(1));
    BroadcastWorld.Life first = life();
    first.threads.await(first.send("a", "1"));
    first.threads.advance(Duration.ofMinutes(50));

    BroadcastWorld.Life second = life();
    second.threads.advance(Duration.ofMinutes(55));
    assertThat(world.tasks()).hasSize(1);

    second.threads.advance(Duration.ofMinutes(11));
    assertThat(world.tasks()).isEmpty();
  }

  @Test
  void controlChannelOrderIsTheOrderOfConflictingCallbacks() {
    BroadcastWorld.Life life = life();
    for (int i = 1; i <= 20; i++) {
      life.send(i % 2 == 0 ? "a" : "b", Integer.toString(i));
    }
    life.threads.pump();

    List<String> onControl =
        world.wal.on(CONTROL).stream().map(m -> BroadcastWorld.nameOf(m.body())).toList();
    assertThat(onControl).hasSize(20);
    for (int parity = 0; parity < 2; parity++) {
      int wanted = parity;
      assertThat(life.applied.stream().filter(n -> Integer.parseInt(n) % 2 == wanted))
          .containsExactlyElementsOf(
              onControl.stream().filter(n -> Integer.parseInt(n) % 2 == wanted).toList());
    }
  }

  @Test
  void closingAnswersThoseWhoWaitAndThoseWhoRun() {
    BroadcastWorld.Life life = life();
    life.failing = "7";
    CompletableFuture<BroadcastResult> running = life.send("a", "7");
    CompletableFuture<BroadcastResult> queued = life.send("a", "8");
    life.threads.pump();

    life.broadcaster.close();
    life.broadcaster.close();

    assertCode(running, ErrorCode.SERVICE_UNAVAILABLE);
    assertCode(queued, ErrorCode.SERVICE_UNAVAILABLE);
  }

  // Idempotency keys.

  private static BroadcastMessage keyed(String name, String clientKey) {
    return message(name, false).under(IdempotencyKey.inCluster(clientKey));
  }

  @Test
  void retryUnderAKnownKeyAnswersTheOriginalWithoutASecondBroadcast() {
    BroadcastWorld.Life life = life();
    BroadcastResult original = life.threads.await(life.send("a", keyed("7", "k")));

    BroadcastResult retry = life.threads.await(life.send("renamed", keyed("8", "k")));

    assertThat(retry.id()).isEqualTo(original.id());
    assertThat(retry.copies()).isEqualTo(original.copies());
    assertThat(retry.duplicated()).isEqualTo(message("7", false).body());
    assertThat(life.applied).containsExactly("7");
    life.threads.await(life.send("renamed", keyed("9", "other")));
    assertThat(life.applied).containsExactly("7", "9");
  }

  @Test
  void concurrentRequestsOfOneKeyRunOnceWhateverTheyLock() {
    BroadcastWorld.Life life = life();

    List<CompletableFuture<BroadcastResult>> sent = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      sent.add(life.send("c" + i, keyed(Integer.toString(i + 1), "k")));
    }
    life.threads.pump();

    assertThat(life.applied).hasSize(1);
    assertThat(sent.stream().map(future -> future.join().id()).distinct()).hasSize(1);
    assertThat(sent.stream().filter(future -> future.join().duplicated() != null)).hasSize(7);
  }

  @Test
  void retryWaitsForTheOriginalUntilItsOwnDeadline() {
    BroadcastWorld.Life life = life();
    life.failing = "7";
    CompletableFuture<BroadcastResult> original = life.send("a", keyed("7", "k"));
    life.threads.pump();
    CallContext soon =
        new CallContext(Deadline.after(life.threads.clock(), Duration.ofMillis(100)), "soon");
    CompletableFuture<BroadcastResult> impatient =
        life.broadcaster
            .withResourceKeys(soon, List.of(ResourceKey.exclusiveCollection("d", "b")))
            .thenCompose(handle -> handle.broadcast(keyed("8", "k")));
    CompletableFuture<BroadcastResult> patient = life.send("b", keyed("8", "k"));

    life.threads.advance(Duration.ofMillis(200));
    assertCode(impatient, ErrorCode.DEADLINE_EXCEEDED);
    assertThat(patient).isNotDone();
    life.threads.await(life.lock("b"));

    life.failing = "";
    assertThat(life.threads.await(patient, Duration.ofSeconds(20)).id())
        .isEqualTo(original.join().id());
  }

  @Test
  void keysAreKnownAfterARestartInEveryState() {
    BroadcastWorld.Life first = life();
    BroadcastResult finished = first.threads.await(first.send("a", keyed("7", "done")));
    world.wal.failBefore(_ -> true);
    first.send("b", keyed("8", "open"));
    first.threads.pump();

    BroadcastWorld.Life second = life();
    BroadcastResult retry = second.threads.await(second.send("a", keyed("9", "done")));
    assertThat(retry.id()).isEqualTo(finished.id());
    assertThat(retry.copies()).isEqualTo(finished.copies());

    world.wal.failBefore(_ -> false);
    BroadcastResult resumed =
        second.threads.await(second.send("c", keyed("9", "open")), Duration.ofSeconds(20));
    assertThat(resumed.duplicated()).isEqualTo(message("8", false).body());
    assertThat(second.applied).containsExactly("8");
  }

  @Test
  void keyIsFreeOnceItsTombstoneIsGone() {
    world.config = new CoordConfig.Broadcasts(4, Duration.ofMinutes(5), 8192, Duration.ofHours(1));
    BroadcastWorld.Life life = life();
    BroadcastResult first = life.threads.await(life.send("a", keyed("7", "k")));

    life.threads.advance(Duration.ofMinutes(70));
    BroadcastResult second = life.threads.await(life.send("a", keyed("8", "k")));

    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(life.applied).containsExactly("7", "8");
  }

  @Test
  void keysOfDifferentScopesNeverMeet() {
    assertThat(IdempotencyKey.inCluster("").isNone()).isTrue();
    assertThat(IdempotencyKey.inCluster("2:5:x").text()).isEqualTo("1:0:2:5:x");
    assertThat(IdempotencyKey.inDatabase(new DatabaseId(5), "x").text()).isEqualTo("2:5:x");
    assertThat(IdempotencyKey.inCollection(new CollectionId(5), "x").text()).isEqualTo("3:5:x");
  }
}
