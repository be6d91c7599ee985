package io.elanus.role.coord.segments;

import static io.elanus.role.coord.world.DataWorld.CONTEXT;
import static io.elanus.role.coord.world.DataWorld.ID;
import static io.elanus.role.coord.world.DataWorld.NUMBER;
import static io.elanus.role.coord.world.DataWorld.P1;
import static io.elanus.role.coord.world.DataWorld.P2;
import static io.elanus.role.coord.world.DataWorld.V0;
import static io.elanus.role.coord.world.DataWorld.V1;
import static io.elanus.role.coord.world.DataWorld.VECTOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.meta.KeyRange;
import io.elanus.role.coord.world.DataWorld;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import io.elanus.wire.service.DataCoordService.ChannelRecovery;
import io.elanus.wire.service.DataCoordService.CompactCollection;
import io.elanus.wire.service.DataCoordService.CountRows;
import io.elanus.wire.service.DataCoordService.FindChannelRecovery;
import io.elanus.wire.service.DataCoordService.FindFlushState;
import io.elanus.wire.service.DataCoordService.FlushCollection;
import io.elanus.wire.service.DataCoordService.FlushReply;
import io.elanus.wire.service.DataCoordService.IndexStatus;
import io.elanus.wire.service.DataCoordService.ListIndexes;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SegmentsPartTest {
  private static final int IN_PROGRESS = 2;
  private static final int FINISHED = 3;
  private static final int FAILED = 4;

  private final DataWorld world = new DataWorld(2);

  private long rows(@Nullable PartitionId partition) {
    return world.await(world.segments.countRows(CONTEXT, new CountRows(ID, partition))).rows();
  }

  private ChannelRecovery recovery() {
    return world.await(world.segments.channelRecovery(CONTEXT, new FindChannelRecovery(V0)));
  }

  private static void assertCode(Runnable call, ErrorCode code) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(DbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void reportsSurviveRestartAndCountOnceHoweverOftenMade() {
    SegmentMeta segment = world.flush(1, 500);
    world.flush(1, 500);
    world.delta(7, V0, 3, 20, 30);

    world.restart();

    world.await(world.segments.reportFlushed(CONTEXT, segment));
    assertThat(world.live()).containsExactly(segment);
    assertThat(rows(null)).isEqualTo(500);
    assertThat(recovery().deltas()).hasSize(1);
  }

  @Test
  void countsRowsByPartition() {
    world.flush(1, P1, V0, 500);
    world.flush(2, P2, V1, 70);

    assertThat(rows(null)).isEqualTo(570);
    assertThat(rows(P2)).isEqualTo(70);
  }

  @Test
  void checkpointNeverMovesBackwards() {
    world.checkpoint(V0, 50);

    world.checkpoint(V0, 40);
    world.restart();
    world.checkpoint(V0, 30);

    assertThat(recovery().checkpoint())
        .isEqualTo(new ChannelCheckpoint(V0, new MessageId(50), new HybridTs(50)));
  }

  @Test
  void recoveryStartsWhereTheCollectionBeginsWithoutCheckpoint() {
    ChannelCheckpoint start = new ChannelCheckpoint(V0, new MessageId(5), new HybridTs(6));
    world.catalog.starts.add(start);

    assertThat(recovery().checkpoint()).isEqualTo(start);
  }

  @Test
  void recoveryOfADroppedCollectionFails() {
    world.catalog.collections.clear();

    assertCode(this::recovery, ErrorCode.COLLECTION_NOT_FOUND);
  }

  @Test
  void flushAnswersWhatWasSealedAndIsDoneWhenAllCheckpointsPassed() {
    world.flush(1, 10);
    world.wal.growing.put(V0, List.of(new SegmentId(5)));
    world.wal.growing.put(V1, List.of(new SegmentId(4)));

    FlushReply reply = world.await(world.segments.flush(CONTEXT, new FlushCollection(ID)));

    assertThat(reply.sealed()).containsExactly(new SegmentId(4), new SegmentId(5));
    assertThat(reply.flushed()).containsExactly(new SegmentId(1));
    assertThat(reply.flushTs()).isEqualTo(new HybridTs(1010));
    assertThat(isFlushed(reply)).isFalse();
    world.flush(4, P1, V1, 10);
    world.flush(5, P1, V0, 10);
    assertThat(isFlushed(reply)).isFalse();
    world.checkpoint(V0, 1010);
    assertThat(isFlushed(reply)).isFalse();
    world.checkpoint(V1, 1011);
    assertThat(isFlushed(reply)).isTrue();
  }

  private boolean isFlushed(FlushReply reply) {
    return world
        .await(
            world.segments.flushState(
                CONTEXT, new FindFlushState(ID, reply.sealed(), reply.flushTs())))
        .flushed();
  }

  @Test
  void flushStateWithoutTimestampAsksForTheSegments() {
    FindFlushState request = new FindFlushState(ID, List.of(new SegmentId(1)), HybridTs.ZERO);
    assertThat(world.await(world.segments.flushState(CONTEXT, request)).flushed()).isFalse();

    world.flush(1, 10);

    assertThat(world.await(world.segments.flushState(CONTEXT, request)).flushed()).isTrue();
  }

  @Test
  void flushStateNeedsNoCollection() {
    CollectionId unnamed = new CollectionId(0);
    FindFlushState request =
        new FindFlushState(unnamed, List.of(new SegmentId(1)), new HybridTs(1010));
    assertThat(world.await(world.segments.flushState(CONTEXT, request)).flushed()).isFalse();

    world.flush(1, 10);
    world.checkpoint(V0, 1010);
    assertThat(world.await(world.segments.flushState(CONTEXT, request)).flushed()).isFalse();

    world.checkpoint(V1, 1010);
    assertThat(world.await(world.segments.flushState(CONTEXT, request)).flushed()).isTrue();
    FindFlushState nothing = new FindFlushState(unnamed, List.of(), new HybridTs(9999));
    assertThat(world.await(world.segments.flushState(CONTEXT, nothing)).flushed()).isTrue();
  }

  @Test
  void indexOfAnEmptyCollectionIsFinished() {
    IndexMeta index = world.createIndex(1, VECTOR, "HNSW");

    assertThat(world.indexStatus()).isEqualTo(new IndexStatus(index, FINISHED, "", 0, 0, 0));
  }

  @Test
  void smallSegmentsAndScalarAndExactIndexesNeedNoFile() {
    world.createIndex(1, VECTOR, "FLAT");
    world.createIndex(2, NUMBER, "STL_SORT");
    world.flush(1, 5000);
    assertThat(world.dataNode.started).isZero();
    assertThat(world.live().getFirst().indexes())
        .hasSize(2)
        .allSatisfy(index -> assertThat(index.path()).isEmpty());

    world.createIndex(3, VECTOR, "HNSW");
    world.flush(2, 1023);

    assertThat(world.dataNode.started).isOne(); // Segment 1 only.
    assertThat(world.indexStatus().state()).isEqualTo(FINISHED);
  }

  @Test
  void indexIsInProgressUntilEachSegmentIsBuilt() {
    world.dataNode.auto = false;
    world.flush(1, 2000);
    world.flush(2, 100);

    IndexMeta index = world.createIndex(1, VECTOR, "HNSW");

    assertThat(world.indexStatus())
        .isEqualTo(new IndexStatus(index, IN_PROGRESS, "", 2100, 100, 2000));
    world.dataNode.finish(world.dataNode.builds.getFirst());
    world.threads.pump();
    assertThat(world.indexStatus()).isEqualTo(new IndexStatus(index, FINISHED, "", 2100, 2100, 0));
    world.restart();
    assertThat(world.indexStatus().state()).isEqualTo(FINISHED);
    assertThat(world.dataNode.started).isOne();
  }

  @Test
  void progressAsOfATimeLeavesLaterSegmentsOut() {
    world.dataNode.auto = false;
    world.createIndex(1, VECTOR, "HNSW");
    world.flush(1, 100);
    world.flush(50, 2000); // Rows from tick 500 on.

    IndexStatus before =
        world
            .await(world.segments.indexes(CONTEXT, new ListIndexes(ID, new HybridTs(400))))
            .indexes()
            .getFirst();

    assertThat(before.state()).isEqualTo(FINISHED);
    assertThat(before.totalRows()).isEqualTo(100);
    assertThat(world.indexStatus().state()).isEqualTo(IN_PROGRESS);
  }

  @Test
  void restartResumesIndexBuilds() {
    world.dataNode.auto = false;
    world.createIndex(1, VECTOR, "HNSW");
    world.flush(1, 2000);
    world.dataNode.builds.clear(); // The node lost it.
    world.dataNode.auto = true;

    world.restart();

    assertThat(world.indexStatus().state()).isEqualTo(FINISHED);
  }

  @Test
  void boundsBuildsPerNode() {
    world.dataNode.auto = false;
    world.createIndex(1, VECTOR, "HNSW");
    for (int i = 1; i <= 5; i++) {
      world.flush(i, 2000);
    }

    assertThat(world.dataNode.builds).hasSize(2);
    world.dataNode.finish(world.dataNode.builds.getFirst());
    world.threads.pump();
    assertThat(world.dataNode.builds).hasSize(2);
  }

  @Test
  void failedBuildIsRetriedAndShownWithItsReason() {
    world.dataNode.failure = DbException.described(ErrorCode.IO_FAILED, "disk on fire");
    world.createIndex(1, VECTOR, "HNSW");
    world.flush(1, 2000);
    assertThat(world.indexStatus().state()).isEqualTo(IN_PROGRESS);

    world.threads.advance(Duration.ofSeconds(10));

    assertThat(world.indexStatus().state()).isEqualTo(FAILED);
    assertThat(world.indexStatus().failReason()).isEqualTo("1: IO failed: disk on fire;");
    world.dataNode.failure = null;
    world.threads.advance(Duration.ofMinutes(1));
    assertThat(world.indexStatus().state()).isEqualTo(FINISHED);
  }

  @Test
  void refusedIndexFailsWithoutRetry() {
    world.dataNode.failure = DbException.of(ErrorCode.INDEX_NOT_SUPPORTED);
    world.createIndex(1, VECTOR, "HNSW");
    world.flush(1, 2000);

    world.threads.advance(Duration.ofMinutes(10));

    assertThat(world.indexStatus().state()).isEqualTo(FAILED);
    assertThat(world.dataNode.started).isOne();
  }

  @Test
  void droppedIndexLosesItsFiles() {
    IndexMeta index = world.createIndex(1, VECTOR, "HNSW");
    world.flush(1, 2000);
    assertThat(world.objects.list("indexes/")).hasSize(1);

    world.catalog.indexes.clear();
    world.segments.indexDropped(index);
    world.threads.advance(Duration.ofMinutes(2));

    assertThat(world.objects.list("indexes/")).isEmpty();
    assertThat(world.live().getFirst().indexes()).isEmpty();
  }

  private void flushFour() {
    for (int i = 1; i <= 4; i++) {
      world.flush(i, 100);
    }
  }

  @Test
  void smallSegmentsAreMergedAndTheirFilesRemoved() {
    flushFour();
    world.flush(5, P2, V0, 100);
    world.checkpoint(V0, 1000);

    world.threads.advance(Duration.ofSeconds(10));

    assertThat(world.live()).hasSize(2);
    assertThat(rows(P1)).isEqualTo(400);
    world.threads.advance(Duration.ofMinutes(2));
    assertThat(world.objects.list("segments/1/11/1/")).isEmpty();
    assertThat(world.objects.list("segments/1/11/")).hasSize(1);
    assertThat(world.knownIds(V0)).hasSize(2);
  }

  @Test
  void replacedSegmentsAreKnownUntilTheCheckpointPassesThem() {
    flushFour();
    world.checkpoint(V0, 25);

    world.threads.advance(Duration.ofMinutes(5));

    assertThat(world.live()).hasSize(1);
    assertThat(world.knownIds(V0)).contains(2L, 3L, 4L).doesNotContain(1L);
    world.restart();
    assertThat(world.knownIds(V0)).contains(2L, 3L, 4L);
    world.checkpoint(V0, 100);
    world.threads.advance(Duration.ofMinutes(5));
    assertThat(world.knownIds(V0)).hasSize(1);
  }

  @Test
  void crashBeforeTheSwapLeavesTheInputs() {
    world.dataNode.auto = false;
    flushFour();
    world.threads.advance(Duration.ofSeconds(10));
    assertThat(world.dataNode.merges).hasSize(1);

    world.restart();
    // The lost coordinator's task ends after all.
    world.dataNode.finish(world.dataNode.merges.getFirst());
    world.threads.pump();

    assertThat(world.liveIds()).containsExactly(1L, 2L, 3L, 4L);
    assertThat(rows(null)).isEqualTo(400);
  }

  @Test
  void crashAfterTheSwapLeavesTheOutput() {
    flushFour();
    world.threads.advance(Duration.ofSeconds(10));

    world.restart();

    assertThat(world.live()).hasSize(1);
    assertThat(rows(null)).isEqualTo(400);
  }

  @Test
  void failedCompactionLeavesTheInputsAndRunsAgain() {
    world.dataNode.failure = DbException.of(ErrorCode.IO_FAILED);
    flushFour();
    world.threads.advance(Duration.ofSeconds(10));
    assertThat(world.liveIds()).containsExactly(1L, 2L, 3L, 4L);

    world.dataNode.failure = null;
    world.threads.advance(Duration.ofMinutes(1));

    assertThat(world.live()).hasSize(1);
  }

  @Test
  void switchedOffForACollectionNothingIsCompacted() {
    CollectionMeta collection = world.collection();
    world.catalog.collections.put(
        ID,
        collection.withOptions(
            new CollectionMeta.Options(
                collection.options().consistency(),
                java.util.Map.of("collection.autocompaction.enabled", "false"))));
    flushFour();

    world.threads.advance(Duration.ofMinutes(1));

    assertThat(world.live()).hasSize(4);
  }

  @Test
  void segmentWithManyDeletedRowsIsRewrittenAndTheDeltaLogGoes() {
    world.flush(1, 5000);
    world.delta(1, V0, 1500, 50, 90);
    world.checkpoint(V0, 89);
    world.threads.advance(Duration.ofMinutes(1));
    assertThat(world.dataNode.started).isZero(); // Not wholly stored yet: can't be applied whole.

    world.dataNode.compactedRows = 3500;
    world.checkpoint(V0, 100);
    world.delta(2, V0, 1, 91, 91);
    world.threads.advance(Duration.ofMinutes(3));

    assertThat(rows(null)).isEqualTo(3500);
    assertThat(world.live().getFirst().deletesAppliedTs()).isEqualTo(new HybridTs(100));
    assertThat(recovery().deltas()).isEmpty();
    assertThat(world.objects.list("deltas/")).isEmpty();
    assertThat(world.dataNode.started).isOne();
  }

  @Test
  void segmentWithoutRowsLeftDisappears() {
    world.flush(1, 5000);
    world.delta(1, V0, 5000, 50, 90);
    world.checkpoint(V0, 100);
    world.dataNode.compactedRows = 0;
    world.delta(2, V0, 1, 91, 91);

    world.threads.advance(Duration.ofMinutes(3));

    assertThat(world.live()).isEmpty();
    assertThat(world.objects.list("segments/")).isEmpty();
  }

  @Test
  void deltaLogStaysWhileOlderRowsMayStillBeInTheLog() {
    world.flush(9, 5000); // Rows from tick 90 on: the deletes can't concern them.
    world.delta(1, V0, 3, 50, 60);
    world.checkpoint(V0, 55);
    assertThat(recovery().deltas()).hasSize(1);

    world.checkpoint(V0, 60);

    assertThat(recovery().deltas()).isEmpty();
  }

  @Test
  void manualCompactionAnswersItsStepsAndSurvivesRestart() {
    world.flush(1, 100);
    world.flush(2, 100);
    world.dataNode.auto = false;

    var started = world.await(world.segments.compact(CONTEXT, new CompactCollection(ID, false)));
    world.threads.pump();

    assertThat(started.plans()).isOne();
    assertThat(status(started.compactionId()).executing()).isOne();
    world.dataNode.merges.clear();
    world.dataNode.auto = true;
    world.restart();
    var status = status(started.compactionId());
    assertThat(status.completed()).isTrue();
    assertThat(status.done()).isOne();
    assertThat(status.merges().getFirst().sources())
        .containsExactly(new SegmentId(1), new SegmentId(2));
    assertThat(world.live().getFirst().id()).isEqualTo(status.merges().getFirst().target());
  }

  private io.elanus.wire.service.DataCoordService.CompactionStatus status(long id) {
    return world.await(
        world.segments.compactionStatus(
            CONTEXT, new io.elanus.wire.service.DataCoordService.FindCompaction(id)));
  }

  @Test
  void manualCompactionWithoutWorkSaysSo() {
    world.flush(1, 100);

    var started = world.await(world.segments.compact(CONTEXT, new CompactCollection(ID, false)));

    assertThat(started.compactionId()).isEqualTo(-1);
    assertThat(started.plans()).isZero();
  }

  @Test
  void clusteringCompactionNeedsAKey() {
    assertCode(
        () -> world.await(world.segments.compact(CONTEXT, new CompactCollection(ID, true))),
        ErrorCode.COMPACTION_CLUSTERING_UNSUPPORTED);
  }

  @Test
  void droppedCollectionLeavesNothing() {
    world.createIndex(1, VECTOR, "HNSW");
    world.flush(1, 2000);
    world.delta(1, V0, 3, 50, 60);
    world.checkpoint(V0, 100);
    CollectionMeta collection = world.collection();
    world.catalog.collections.remove(ID);

    world.segments.collectionDropped(collection);
    world.threads.advance(Duration.ofSeconds(30));
    assertThat(world.objects.list("segments/")).isNotEmpty();
    world.restart(); // The event is not needed.
    world.threads.advance(Duration.ofMinutes(3));

    assertThat(world.objects.list("")).isEmpty();
    assertThat(world.meta.range(KeyRange.prefix("segments/")).join().entries()).isEmpty();
  }

  @Test
  void droppedPartitionLosesItsSegments() {
    world.flush(1, P1, V0, 100);
    world.flush(2, P2, V0, 100);
    world.checkpoint(V0, 1000);
    CollectionMeta collection = world.collection();
    world.catalog.collections.put(
        ID, collection.withPartitions(List.of(collection.partitions().getFirst())));

    world.segments.partitionDropped(collection, collection.partitions().get(1));
    world.threads.advance(Duration.ofMinutes(2));

    assertThat(world.liveIds()).containsExactly(1L);
    assertThat(world.objects.list("segments/1/12/")).isEmpty();
    world.flush(3, P2, V0, 100); // A flush that was under way.
    assertThat(world.liveIds()).containsExactly(1L);
  }

  @Test
  void objectsThatNothingNamesGoAfterALongTime() {
    world.flush(1, 100);
    world.objects.put("segments/1/11/77/manifest", new byte[] {1});
    world.objects.put("indexes/1/1/5-6", new byte[] {1});
    world.threads.advance(Duration.ofHours(20));
    assertThat(world.objects.exists("segments/1/11/77/manifest")).isTrue();

    world.threads.advance(Duration.ofHours(7));

    assertThat(world.objects.exists("segments/1/11/77/manifest")).isFalse();
    assertThat(world.objects.exists("indexes/1/1/5-6")).isFalse();
    assertThat(world.objects.exists("segments/1/11/1/manifest")).isTrue();
    SegmentMeta late = world.live().getFirst();
    SegmentMeta lost =
        new SegmentMeta(
            new SegmentId(77),
            late.place(),
            late.state(),
            "segments/1/11/77",
            late.stats(),
            HybridTs.ZERO,
            List.of());
    assertCode(
        () -> world.await(world.segments.reportFlushed(CONTEXT, lost)), ErrorCode.IO_KEY_NOT_FOUND);
  }

  @Test
  void idlePartsOnlyWakeForTheirChecks() {
    flushFour();
    world.threads.advance(Duration.ofMinutes(5));

    // The check of nodes and the scan for orphans.
    assertThat(world.threads.manualTimers().armedCount()).isLessThanOrEqualTo(2);
  }
}
