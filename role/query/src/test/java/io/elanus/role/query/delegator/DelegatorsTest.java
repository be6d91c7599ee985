package io.elanus.role.query.delegator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.index.vector.BuildContext;
import io.elanus.engine.index.vector.IndexParams;
import io.elanus.engine.index.vector.IndexType;
import io.elanus.engine.index.vector.VectorIndex;
import io.elanus.engine.index.vector.VectorIndexBuilder;
import io.elanus.engine.index.vector.VectorIndexFormat;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.role.query.delegator.TestShard.Row;
import io.elanus.role.query.load.LoadedSegment;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.message.Message;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DelegatorService.FindShardStatus;
import io.elanus.wire.service.DelegatorService.UnwatchShard;
import io.elanus.wire.service.DelegatorService.ViewSegment;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.ReadReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DelegatorsTest {
  private final TestThreads threads = new TestThreads();
  private final TestShard shard = new TestShard(threads);

  private void watch() {
    threads.await(shard.watch(new MessageId(0)));
  }

  private List<String> rows() {
    return TestShard.rowsOf(threads.await(shard.query(shard.tail.lastTick())));
  }

  /// Flushes a growing segment, loads it and makes it part of the view.
  private SegmentMeta handOver(long segment) {
    SegmentMeta meta = shard.flush(segment);
    threads.await(shard.load(TestShard.NODE, meta));
    shard.viewSegments.add(new ViewSegment(meta.id(), TestShard.NODE));
    threads.await(shard.updateView());
    return meta;
  }

  private static ErrorCode codeOf(Throwable e) {
    return e instanceof DbException known
        ? known.code()
        : ((DbException) Objects.requireNonNull(e.getCause())).code();
  }

  @Test
  void readWaitsForItsGuaranteeAndAsksForATickAtOnce() {
    watch();
    shard.tail.holdTicks(true);
    HybridTs future = shard.tail.lastTick().plus(50);

    CompletableFuture<ReadReply> read = shard.query(future);
    threads.pump();

    assertThat(read).isNotDone();
    assertThat(shard.tail.demanded()).contains(future);
    shard.insert(1, new Row(1, 1, 0));
    threads.pump();
    assertThat(read).isNotDone();
    shard.tail.holdTicks(false);
    shard.tail.demandTick(TestShard.VCHANNEL, future);
    assertThat(TestShard.rowsOf(threads.await(read))).containsExactly("1:1");
  }

  @Test
  void readAtReachedGuaranteeDoesNotWait() {
    watch();
    shard.tail.holdTicks(true);

    ReadReply reply = threads.await(shard.query(new HybridTs(1)));

    assertThat(reply.cost().readTs()).isEqualTo(shard.tail.lastTick());
  }

  @Test
  void waitersAreServedInTheOrderOfTheirGuarantees() {
    watch();
    shard.tail.holdTicks(true);
    HybridTs base = shard.tail.lastTick();
    CompletableFuture<ReadReply> late = shard.query(base.plus(3));
    CompletableFuture<ReadReply> early = shard.query(base.plus(1));

    shard.insert(1, new Row(1, 1, 0));
    threads.pump();

    assertThat(early).isDone();
    assertThat(late).isNotDone();
  }

  @Test
  void readPastItsDeadlineIsRefusedNotAnsweredInPart() {
    watch();
    shard.tail.holdTicks(true);
    Deadline deadline = Deadline.after(threads.clock(), Duration.ofSeconds(2));
    CompletableFuture<ReadReply> read =
        shard.query("", shard.tail.lastTick().plus(9), null, deadline);

    threads.advance(Duration.ofMillis(1900));
    assertThat(read).isNotDone();
    threads.advance(Duration.ofMillis(200));

    assertThatThrownBy(() -> threads.await(read))
        .hasMessageContaining("deadline exceeded")
        .satisfies(e -> assertThat(codeOf(e)).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
  }

  @Test
  void guaranteeADayAheadIsRefusedAtOnce() {
    watch();
    HybridTs far =
        HybridTs.of(shard.tail.lastTick().physicalMs() + Duration.ofDays(2).toMillis(), 0);

    assertThat(shard.query(far)).isCompletedExceptionally();
    assertThat(shard.tail.demanded()).doesNotContain(far);
  }

  @Test
  void upsertInOneTransactionShowsExactlyOneVersionAtEveryTick() {
    watch();
    HybridTs first = shard.insert(1, new Row(5, 1, 0));
    HybridTs second = shard.append(List.of(5L), 1, new Row(5, 2, 0));

    assertThat(rows()).containsExactly("5:2");
    ReadReply before = threads.await(shard.query("", second, first, Deadline.NONE));
    assertThat(TestShard.rowsOf(before)).containsExactly("5:1");
  }

  @Test
  void rowsAreSeenOnceBeforeAndAfterTheHandOver() {
    watch();
    shard.insert(1, new Row(3, 1, 0), new Row(1, 1, 0));
    shard.insert(2, new Row(2, 1, 0));
    shard.delete(1);

    assertThat(rows()).containsExactly("2:1", "3:1");
    handOver(1);

    assertThat(rows()).containsExactly("2:1", "3:1");
    assertThat(status().growing()).extracting(g -> g.segment().value()).containsExactly(2L);
    shard.append(List.of(3L), 2, new Row(3, 2, 0));
    assertThat(rows()).containsExactly("2:1", "3:2");
    assertThat(((ReadReply.Counted) threads.await(shard.count(shard.tail.lastTick()))).rows())
        .isEqualTo(2);
  }

  private io.elanus.wire.service.DelegatorService.ShardStatus status() {
    return threads.await(
        shard.delegators.status(
            CallContext.background("status"), new FindShardStatus(TestShard.VCHANNEL)));
  }

  @Test
  void deletesBetweenFlushAndHandOverAreNotLost() {
    watch();
    shard.insert(1, new Row(1, 1, 0), new Row(2, 1, 0), new Row(3, 1, 0));
    SegmentMeta meta = shard.flush(1);
    shard.delete(1);
    shard.storeDeletes();
    threads.await(shard.load(TestShard.NODE, meta));
    shard.delete(2);
    threads.pump();
    shard.viewSegments.add(new ViewSegment(meta.id(), TestShard.NODE));

    threads.await(shard.updateView());
    shard.delete(9);

    assertThat(rows()).containsExactly("3:1");
  }

  @Test
  void compactedSegmentReplacesItsInputsInOneStep() {
    watch();
    shard.insert(1, new Row(1, 1, 0), new Row(2, 1, 0));
    shard.insert(2, new Row(3, 1, 0));
    handOver(1);
    handOver(2);
    shard.delete(2);
    shard.storeDeletes();
    HybridTs ts = shard.tail.lastTick();
    SegmentMeta merged =
        shard.write(
            9,
            List.of(new Row(1, 1, 0), new Row(3, 1, 0)),
            List.of(ts.value() - 3, ts.value() - 2));
    threads.await(shard.load(TestShard.NODE, merged));
    shard.viewSegments.clear();
    shard.viewSegments.add(new ViewSegment(merged.id(), TestShard.NODE));
    shard.replaced.addAll(List.of(new SegmentId(1), new SegmentId(2)));

    threads.await(shard.updateView());

    assertThat(rows()).containsExactly("1:1", "3:1");
  }

  @Test
  void watchingAgainFromTheCheckpointSkipsRowsOfTheViewAndReplaysTheRest() {
    watch();
    shard.insert(1, new Row(1, 1, 0), new Row(2, 1, 0));
    MessageId checkpoint = shard.tail.end();
    shard.insert(2, new Row(3, 1, 0));
    shard.delete(1);
    handOver(1);
    shard.append(List.of(2L), 2, new Row(2, 2, 0));
    List<String> before = rows();

    threads.await(
        shard.delegators.unwatch(
            CallContext.background("unwatch"), new UnwatchShard(TestShard.VCHANNEL)));
    assertThatThrownBy(this::rows)
        .satisfies(e -> assertThat(codeOf(e)).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE));
    threads.await(shard.watch(new MessageId(0)));
    List<String> fromTheStart = rows();
    threads.await(
        shard.delegators.unwatch(
            CallContext.background("unwatch"), new UnwatchShard(TestShard.VCHANNEL)));
    threads.await(shard.watch(checkpoint));

    assertThat(before).containsExactly("2:2", "3:1");
    assertThat(fromTheStart).isEqualTo(before);
    assertThat(rows()).isEqualTo(before);
  }

  @Test
  void watchOfAServedShardOnlyMovesItsView() {
    watch();
    shard.insert(1, new Row(1, 1, 0));
    SegmentMeta meta = shard.flush(1);
    threads.await(shard.load(TestShard.NODE, meta));
    shard.viewSegments.add(new ViewSegment(meta.id(), TestShard.NODE));
    shard.version = 17;

    threads.await(shard.watch(new MessageId(0)));

    assertThat(status().viewVersion()).isEqualTo(17);
    assertThat(rows()).containsExactly("1:1");
  }

  @Test
  void viewWithASegmentThatIsNotLoadedIsRefusedAndTheOldOneStays() {
    watch();
    shard.insert(1, new Row(1, 1, 0));
    shard.viewSegments.add(new ViewSegment(new SegmentId(1), TestShard.NODE));

    assertThatThrownBy(() -> threads.await(shard.updateView()))
        .satisfies(e -> assertThat(codeOf(e)).isEqualTo(ErrorCode.SEGMENT_NOT_LOADED));
    assertThat(rows()).containsExactly("1:1");
  }

  @Test
  void droppedPartitionIsGoneFromGrowingAndSealedSegments() {
    watch();
    shard.insert(1, new Row(1, 1, 0));
    shard.insert(2, new Row(2, 1, 0));
    handOver(1);

    shard.tail.append(new Message.DropPartition(TestShard.COLLECTION, TestShard.PARTITION));

    assertThat(rows()).isEmpty();
  }

  @Test
  void closedChannelFailsWaitersAndReadsAsRetriable() {
    watch();
    shard.tail.holdTicks(true);
    CompletableFuture<ReadReply> waiting = shard.query(shard.tail.lastTick().plus(5));

    shard.tail.fail(new IllegalStateException("log is gone"));
    threads.pump();

    assertThatThrownBy(() -> threads.await(waiting))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CHANNEL_NOT_AVAILABLE);
              assertThat(e.isRetriable()).isTrue();
            });
    assertThat(shard.query(new HybridTs(1))).isCompletedExceptionally();
  }

  @Test
  void searchMergesSegmentsByScoreAndKeyAndFetchesWinners() {
    watch();
    shard.insert(1, new Row(10, 1, 1), new Row(11, 1, 5), new Row(14, 1, 2));
    shard.insert(2, new Row(12, 2, 3), new Row(13, 2, 1));
    handOver(1);

    ReadReply.Hits hits =
        (ReadReply.Hits) threads.await(shard.search(shard.tail.lastTick(), 3, Map.of(), 0f, 4f));

    assertThat(hits.counts()).containsExactly(3, 3);
    assertThat(hits.keys()).hasToString("6 int64 keys");
    List<Object> keys = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      keys.add(hits.keys().keyAt(i));
    }
    assertThat(keys).containsExactly(10L, 13L, 14L, 11L, 12L, 14L);
    assertThat(hits.scores()).containsExactly(1f, 1f, 4f, 1f, 1f, 4f);
    var tags = java.util.Objects.requireNonNull(hits.fields().column(TestShard.TAG));
    assertThat(tags.longAt(0)).isEqualTo(1);
    assertThat(tags.longAt(1)).isEqualTo(2);
    assertThat(hits.searchedRows()).isEqualTo(5);
  }

  @Test
  void manyQueriesInOneSearchAnswerAsEachAlone() {
    watch();
    io.elanus.base.random.Rng rng = new io.elanus.base.random.Rng(5);
    for (int segment = 1; segment <= 3; segment++) {
      Row[] some = new Row[3000];
      for (int i = 0; i < some.length; i++) {
        some[i] = new Row(10_000L * segment + i, 1, rng.nextInt(100_000) / 10f);
      }
      shard.insert(segment, some);
    }
    handOver(1);
    float[] queries = new float[150];
    for (int i = 0; i < queries.length; i++) {
      queries[i] = rng.nextInt(10_000);
    }

    ReadReply.Hits all =
        (ReadReply.Hits) threads.await(shard.search(new HybridTs(1), 7, Map.of(), queries));

    for (int q = 0; q < queries.length; q += 10) {
      ReadReply.Hits one =
          (ReadReply.Hits) threads.await(shard.search(new HybridTs(1), 7, Map.of(), queries[q]));
      for (int i = 0; i < 7; i++) {
        assertThat(all.keys().keyAt(7 * q + i)).isEqualTo(one.keys().keyAt(i));
        assertThat(all.scores()[7 * q + i]).isEqualTo(one.scores()[i]);
      }
    }
  }

  @Test
  void loadingAgainWithAnIndexSwapsItInAndChecksItsParameters() throws Exception {
    watch();
    Row[] many = new Row[2000];
    for (int i = 0; i < many.length; i++) {
      many[i] = new Row(i, 1, i);
    }
    shard.insert(1, many);
    SegmentMeta meta = handOver(1);
    SealedSegment stored = SealedSegment.open(shard.store, meta.path());
    VectorIndex index =
        VectorIndexBuilder.build(
            IndexParams.parseBuild(IndexType.HNSW, Map.of("M", "8", "efConstruction", "50")),
            MetricType.L2,
            java.util.Objects.requireNonNull(stored.column(TestShard.VECTOR)),
            BuildContext.onCaller(1));
    shard.store.put("indexes/1", out -> VectorIndexFormat.write(index, out));
    shard.indexes =
        List.of(
            new IndexMeta(
                new IndexId(1),
                TestShard.COLLECTION,
                TestShard.VECTOR,
                "i",
                Map.of("index_type", "HNSW"),
                Map.of("index_type", "HNSW", "metric_type", "L2"),
                HybridTs.ZERO));
    SegmentMeta indexed =
        shard.withIndex(
            meta, new SegmentIndexMeta(new IndexId(1), TestShard.VECTOR, "indexes/1", 1, 2000));

    threads.await(shard.load(TestShard.NODE, indexed));
    threads.await(shard.updateView());

    LoadedSegment held = java.util.Objects.requireNonNull(shard.node.hold(meta.id()));
    VectorIndex used = held.segment().index(TestShard.VECTOR);
    held.segment().release();
    assertThat(used).isNotNull();
    ReadReply.Hits hits =
        (ReadReply.Hits)
            threads.await(shard.search(shard.tail.lastTick(), 5, Map.of("ef", "64"), 1000.2f));
    assertThat(hits.keys().keyAt(0)).isEqualTo(1000L);
    assertThatThrownBy(() ->
            threads.await(shard.search(shard.tail.lastTick(), 50, Map.of("ef", "20"), 1000.2f)))
        .hasMessageContaining("ef(20) should be larger than k(50)");
    stored.release();
  }

  @Test
  void outOfDateRowsExpire() {
    shard.properties = Map.of("collection.ttl.seconds", "4");
    watch();
    shard.insert(1, new Row(1, 1, 0));
    handOver(1);
    HybridTs later = HybridTs.of(shard.tail.lastTick().physicalMs() + 5000, 0);
    shard.tail.demandTick(TestShard.VCHANNEL, later);
    shard.insert(2, new Row(2, 1, 0));

    assertThat(rows()).containsExactly("2:1");
  }

  @Test
  void partitionsThatAreAskedForAreReadAlone() {
    watch();
    shard.insert(1, new Row(1, 1, 0));
    shard.tail.append(
        new Message.Insert(
            TestShard.COLLECTION,
            new PartitionId(71),
            new SegmentId(2),
            1,
            TestShard.batch(List.of(new Row(2, 1, 0)))));

    ReadReply reply =
        threads.await(
            shard.delegators.read(
                CallContext.background("q"),
                new io.elanus.wire.service.ReadRequest.Query(
                    new io.elanus.wire.service.ReadRequest.Scope(
                        TestShard.VCHANNEL,
                        TestShard.COLLECTION,
                        List.of(new PartitionId(71)),
                        false),
                    new io.elanus.wire.service.ReadRequest.Guarantee(shard.tail.lastTick(), null),
                    "",
                    List.of(TestShard.TAG),
                    -1)));

    assertThat(TestShard.rowsOf(reply)).containsExactly("2:1");
  }

  @Test
  void segmentsOnAnotherNodeAnswerAsThoseHereDo() {
    NodeId other = new NodeId(2);
    LinkedNode remote = new LinkedNode(shard.node);
    shard.nodes.put(other, remote);
    watch();
    shard.insert(1, new Row(10, 1, 1), new Row(11, 1, 5));
    shard.insert(2, new Row(12, 2, 3));
    shard.delete(11);
    SegmentMeta meta = shard.flush(1);
    threads.await(shard.load(other, meta));
    shard.viewSegments.add(new ViewSegment(meta.id(), other));
    threads.await(shard.updateView());
    shard.append(List.of(10L), 2, new Row(10, 3, 4));
    shard.insert(1000, new Row(20, 1, 9));

    assertThat(rows()).containsExactly("10:3", "12:2", "20:1");
    ReadReply.Hits hits =
        (ReadReply.Hits) threads.await(shard.search(shard.tail.lastTick(), 9, Map.of(), 0f));
    assertThat(hits.counts()).containsExactly(3);
    ReadReply old =
        threads.await(
            shard.query(
                "tag == 1",
                shard.tail.lastTick(),
                new HybridTs(Objects.requireNonNull(shard.growingTs.get(new SegmentId(1))).get(0)),
                Deadline.NONE));
    assertThat(TestShard.rowsOf(old)).containsExactly("10:1", "11:1");
    assertThat(remote.calls()).contains("search", "query", "fetch", "applyDeletes");
    assertThat(((ReadReply.Counted) threads.await(shard.count(shard.tail.lastTick()))).rows())
        .isEqualTo(3);
  }

  @Test
  void serviceTimeWaitsUntilAnotherNodeHasTheDeletes() {
    NodeId other = new NodeId(2);
    LinkedNode remote = new LinkedNode(shard.node);
    shard.nodes.put(other, remote);
    watch();
    shard.insert(1, new Row(10, 1, 1), new Row(11, 1, 5));
    SegmentMeta meta = shard.flush(1);
    threads.await(shard.load(other, meta));
    shard.viewSegments.add(new ViewSegment(meta.id(), other));
    threads.await(shard.updateView());

    remote.hold("applyDeletes");
    HybridTs tick = shard.delete(10);
    threads.pump();

    assertThat(status().serviceTime()).isLessThan(tick);
    CompletableFuture<ReadReply> read = shard.query(tick);
    threads.pump();
    assertThat(read).isNotDone();
    remote.failHeld();
    threads.advance(Duration.ofMillis(150));
    assertThat(TestShard.rowsOf(threads.await(read))).containsExactly("11:1");
  }

  @Test
  void serviceTimeDoesNotWaitForANodeThatIsGone() {
    NodeId other = new NodeId(2);
    LinkedNode remote = new LinkedNode(shard.node);
    shard.nodes.put(other, remote);
    watch();
    shard.insert(1, new Row(10, 1, 1), new Row(11, 1, 5));
    SegmentMeta meta = shard.flush(1);
    threads.await(shard.load(other, meta));
    shard.viewSegments.add(new ViewSegment(meta.id(), other));
    threads.await(shard.updateView());

    remote.hold("applyDeletes");
    HybridTs tick = shard.delete(10);
    threads.pump();
    shard.nodes.remove(other);
    remote.failHeld();
    threads.advance(Duration.ofMillis(150));

    assertThat(status().serviceTime()).isGreaterThanOrEqualTo(tick);
    // What was only there can't be read without the delete: the read fails.
    CompletableFuture<ReadReply> read = shard.query(tick);
    threads.pump();
    assertThat(read).isCompletedExceptionally();
  }

  @Test
  void aReadOlderThanACompactionOfItsSegmentsIsRefusedAndALaterOneIsNot() {
    watch();
    shard.insert(1, new Row(10, 1, 1), new Row(11, 1, 5));
    HybridTs before = shard.tail.lastTick();
    shard.delete(10);
    SegmentMeta meta = shard.flush(1);
    threads.await(shard.load(TestShard.NODE, meta));
    shard.viewSegments.add(new ViewSegment(meta.id(), TestShard.NODE));
    shard.readableFrom = shard.tail.lastTick();
    threads.await(shard.updateView());

    CompletableFuture<ReadReply> old = shard.query("", before, before, Deadline.NONE);
    threads.pump();
    assertThatThrownBy(() -> threads.await(old))
        .hasMessageContaining("older than a compaction")
        .extracting("code")
        .isEqualTo(ErrorCode.INCONSISTENT_REQUERY);
    assertThat(TestShard.rowsOf(threads.await(shard.query(shard.tail.lastTick()))))
        .containsExactly("11:1");
  }

  @Test
  void updateOfTheViewAnswersOnlyWhenNoReadUsesAnOlderOne() {
    NodeId other = new NodeId(2);
    LinkedNode remote = new LinkedNode(shard.node);
    shard.nodes.put(other, remote);
    watch();
    shard.insert(1, new Row(10, 1, 1));
    SegmentMeta meta = shard.flush(1);
    threads.await(shard.load(other, meta));
    shard.viewSegments.add(new ViewSegment(meta.id(), other));
    threads.await(shard.updateView());
    remote.hold("query");
    CompletableFuture<ReadReply> slow = shard.query(shard.tail.lastTick());
    threads.pump();

    shard.viewSegments.clear();
    shard.viewSegments.add(new ViewSegment(meta.id(), TestShard.NODE));
    CompletableFuture<Done> update = shard.updateView();
    threads.pump();

    assertThat(update).isNotDone();
    assertThat(rows()).containsExactly("10:1");
    remote.releaseHeld();
    assertThat(TestShard.rowsOf(threads.await(slow))).containsExactly("10:1");
    threads.pump();
    assertThat(update).isDone();
  }

  @Test
  void unknownOutputFieldIsAnError() {
    watch();
    CompletableFuture<ReadReply> read =
        shard.delegators.read(
            CallContext.background("q"),
            new io.elanus.wire.service.ReadRequest.Query(
                TestShard.scope(),
                new io.elanus.wire.service.ReadRequest.Guarantee(new HybridTs(1), null),
                "",
                List.of(new FieldId(999)),
                -1));

    assertThatThrownBy(() -> threads.await(read))
        .satisfies(e -> assertThat(codeOf(e)).isEqualTo(ErrorCode.FIELD_NOT_FOUND));
  }
}
