package io.elanus.role.coord.load;

import static io.elanus.role.coord.world.DataWorld.CONTEXT;
import static io.elanus.role.coord.world.DataWorld.ID;
import static io.elanus.role.coord.world.DataWorld.P1;
import static io.elanus.role.coord.world.DataWorld.P2;
import static io.elanus.role.coord.world.DataWorld.QUERY;
import static io.elanus.role.coord.world.DataWorld.STREAMING;
import static io.elanus.role.coord.world.DataWorld.V0;
import static io.elanus.role.coord.world.DataWorld.V1;
import static io.elanus.role.coord.world.DataWorld.VECTOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.role.coord.world.DataWorld;
import io.elanus.role.coord.world.FakeDelegator;
import io.elanus.role.coord.world.FakeQueryNode;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.DelegatorService.QueryView;
import io.elanus.wire.service.QueryCoordService.FindLoad;
import io.elanus.wire.service.QueryCoordService.FindShards;
import io.elanus.wire.service.QueryCoordService.ListLoadedSegments;
import io.elanus.wire.service.QueryCoordService.LoadState;
import io.elanus.wire.service.QueryCoordService.LoadStatus;
import io.elanus.wire.service.QueryCoordService.Shard;
import io.elanus.wire.service.QueryCoordService.ShardList;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadPartTest {
  private final DataWorld world = new DataWorld(2);

  private ShardList shards() {
    return world.await(world.loads.shards(CONTEXT, new FindShards(ID)));
  }

  private void assertRefused(ErrorCode code, String text) {
    assertThatThrownBy(this::shards)
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e).hasMessageContaining(text);
            });
  }

  private QueryView served() {
    FakeDelegator.Served served = world.delegator.shards.get(V0);
    if (served == null) {
      throw new AssertionError("shard is not served");
    }
    return served.view();
  }

  private List<String> indexPaths(long segment) {
    var request = world.queryNode.loaded.get(new SegmentId(segment));
    return request == null
        ? List.of()
        : request.segment().indexes().stream()
            .map(SegmentIndexMeta::path)
            .filter(path -> !path.isEmpty())
            .toList();
  }

  @Test
  void emptyCollectionIsLoadedWithoutAnyTimePassing() {
    assertThat(world.status()).isEqualTo(new LoadStatus(LoadState.NOT_LOADED, 0, List.of()));
    assertRefused(ErrorCode.COLLECTION_NOT_LOADED, "collection not loaded[collection=1]");

    world.load();

    assertThat(world.status()).isEqualTo(new LoadStatus(LoadState.LOADED, 100, List.of(P1, P2)));
    assertThat(shards())
        .isEqualTo(
            new ShardList(
                List.of(new Shard(V0, STREAMING), new Shard(V1, STREAMING)), List.of(P1, P2)));
  }

  @Test
  void progressCountsSegmentsAndChannels() {
    world.flush(1, P1, V0, 10);
    world.flush(2, P1, V0, 10);
    world.queryNode.auto = false;

    world.load();

    assertThat(world.status()).isEqualTo(new LoadStatus(LoadState.LOADING, 25, List.of(P1, P2)));
    assertRefused(
        ErrorCode.COLLECTION_NOT_FULLY_LOADED, "collection not fully loaded[collection=1]");
    world.queryNode.finish(world.queryNode.loading.getFirst());
    world.threads.pump();
    assertThat(world.status().progress()).isEqualTo(50);
    world.queryNode.finish(world.queryNode.loading.getFirst());
    world.threads.pump();
    assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
    assertThat(world.view(V0)).containsExactly(1L, 2L);
    assertThat(world.view(V1)).isEmpty();
  }

  @Test
  void stateOfAFreshLoadIsAnsweredWhenItEndsOrAfterAMoment() {
    world.flush(1, P1, V0, 10);
    world.queryNode.auto = false;
    world.load();

    var first = world.loads.loadStatus(CONTEXT, new FindLoad(ID, List.of()));
    world.threads.advance(Duration.ofMillis(49));
    assertThat(first).isNotDone();
    world.threads.advance(Duration.ofMillis(1));
    assertThat(first.join().state()).isEqualTo(LoadState.LOADING);

    var second = world.loads.loadStatus(CONTEXT, new FindLoad(ID, List.of()));
    world.queryNode.finish(world.queryNode.loading.getFirst());
    world.threads.pump();
    assertThat(second.join().state()).isEqualTo(LoadState.LOADED);
  }

  @Test
  void segmentsThatAreNotIndexedAreLoadedRawAndAgainWithTheirIndex() {
    world.dataNode.auto = false;
    world.createIndex(1, VECTOR, "HNSW");
    world.flush(1, 2000);

    world.load();
    assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
    assertThat(indexPaths(1)).isEmpty();
    long version = served().version();
    world.dataNode.finish(world.dataNode.builds.getFirst());
    world.threads.pump();

    assertThat(indexPaths(1)).hasSize(1);
    assertThat(served().version()).isEqualTo(version);
  }

  @Test
  void flushedSegmentJoinsTheViewOnceIndexed() {
    world.createIndex(1, VECTOR, "HNSW");
    world.load();
    world.dataNode.auto = false;

    world.flush(1, 2000);
    world.flush(2, 100);

    assertThat(world.view(V0)).containsExactly(2L);
    world.dataNode.finish(world.dataNode.builds.getFirst());
    world.threads.pump();
    assertThat(world.view(V0)).containsExactly(1L, 2L);
    assertThat(indexPaths(1)).hasSize(1);
  }

  @Test
  void flushedSegmentWhoseIndexFailsJoinsRaw() {
    world.createIndex(1, VECTOR, "HNSW");
    world.load();
    world.dataNode.failure = DbException.of(ErrorCode.INDEX_NOT_SUPPORTED);

    world.flush(1, 2000);

    assertThat(world.view(V0)).containsExactly(1L);
    assertThat(indexPaths(1)).isEmpty();
  }

  @Test
  void segmentJoinsWithEveryDeltaLogLoaded() {
    world.load();
    world.queryNode.auto = false;
    world.flush(1, 100);
    world.delta(5, V0, 3, 50, 60);
    world.checkpoint(V0, 70);

    world.queryNode.finish(world.queryNode.loading.getFirst());
    world.threads.pump();
    assertThat(world.view(V0)).isEmpty(); // It was asked for before the delta log came.
    world.queryNode.finish(world.queryNode.loading.getFirst());
    world.threads.pump();

    assertThat(world.view(V0)).containsExactly(1L);
    assertThat(world.loadedWith(1).deltas()).hasSize(1);
    assertThat(served().deltaTick()).isEqualTo(new HybridTs(70));
  }

  @Test
  void laterDeltaLogsOnlyRaiseTheDeltaTick() {
    world.flush(1, 100);
    world.load();
    int loads = world.queryNode.loads;

    world.delta(5, V0, 3, 50, 60);
    world.checkpoint(V0, 70);

    assertThat(world.queryNode.loads).isEqualTo(loads);
    assertThat(served().deltaTick()).isEqualTo(new HybridTs(70));
  }

  @Test
  void damagedIndexIsBuiltAgainWhileTheSegmentIsServedRaw() {
    world.createIndex(1, VECTOR, "HNSW");
    world.flush(1, 2000);
    String path = world.live().getFirst().indexes().getFirst().path();
    world.objects.put(path, new byte[] {0});
    world.dataNode.auto = false;

    world.load();

    assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
    assertThat(world.indexStatus().indexedRows()).isZero();
    world.dataNode.finish(world.dataNode.builds.getFirst());
    world.threads.pump();
    SegmentMeta loaded = world.loadedWith(1).segment();
    assertThat(loaded.indexes()).hasSize(1);
    assertThat(loaded.indexes().getFirst().path()).isNotEmpty().isNotEqualTo(path);
  }

  @Test
  void onlyTheDamagedIndexOfASegmentIsDroppedAndBuiltAgain() {
    world.createIndex(1, VECTOR, "HNSW");
    world.createIndex(2, VECTOR, "HNSW");
    world.flush(1, 2000);
    List<String> paths = indexPaths(world.live().getFirst());
    assertThat(paths).hasSize(2).doesNotContain("");
    world.objects.put(paths.get(1), new byte[] {0});
    world.dataNode.auto = false;

    world.load();

    assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
    assertThat(indexPaths(world.loadedWith(1).segment())).containsExactly(paths.get(0));
    assertThat(world.dataNode.builds).hasSize(1);
    assertThat(world.dataNode.builds.getFirst().request().index().id()).isEqualTo(new IndexId(2));
    world.dataNode.finish(world.dataNode.builds.getFirst());
    world.threads.pump();
    assertThat(indexPaths(world.loadedWith(1).segment()))
        .hasSize(2)
        .contains(paths.get(0))
        .doesNotContain(paths.get(1), "");
  }

  @Test
  void dataThatCouldNotBeReadForAMomentCostsNoIndex() {
    world.createIndex(1, VECTOR, "HNSW");
    SegmentMeta segment = world.flush(1, 2000);
    List<String> paths = indexPaths(world.live().getFirst());
    world.objects.put(segment.path() + "/manifest", new byte[] {0});
    world.queryNode.auto = false;
    world.load();
    world.queryNode.finish(world.queryNode.loading.getFirst());
    world.objects.put(segment.path() + "/manifest", new byte[] {1});
    world.queryNode.auto = true;

    world.threads.pump();
    List.copyOf(world.queryNode.loading).forEach(world.queryNode::finish);
    world.threads.advance(Duration.ofMinutes(1));

    assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
    assertThat(indexPaths(world.loadedWith(1).segment())).isEqualTo(paths);
    assertThat(indexPaths(world.live().getFirst())).isEqualTo(paths);
  }

  private static List<String> indexPaths(SegmentMeta segment) {
    return segment.indexes().stream().map(SegmentIndexMeta::path).toList();
  }

  @Test
  void damagedDataKeepsTheCollectionFromBeingLoadedAndSaysWhy() {
    SegmentMeta segment = world.flush(1, 100);
    String key = segment.path() + "/manifest";
    world.objects.put(key, new byte[] {0});

    world.load();
    world.threads.advance(Duration.ofMinutes(1));

    assertThat(world.status().state()).isEqualTo(LoadState.LOADING);
    assertRefused(ErrorCode.COLLECTION_NOT_FULLY_LOADED, key);
    world.objects.put(key, new byte[] {1}); // Restored from a copy.
    world.threads.advance(Duration.ofMinutes(1));
    assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
  }

  @Test
  void partitionsAreAddedAndTakenAway() {
    world.flush(1, P1, V0, 100);
    world.flush(2, P2, V0, 100);
    world.load(P1);
    assertThat(world.view(V0)).containsExactly(1L);
    assertThat(world.status(P2).state()).isEqualTo(LoadState.NOT_LOADED);
    assertThat(shards().loadedPartitions()).containsExactly(P1);

    world.queryNode.auto = false;
    world.load(P1, P2);
    assertThat(world.status(P2).state()).isEqualTo(LoadState.LOADING);
    assertThat(world.status(P1).state()).isEqualTo(LoadState.LOADED);
    assertThat(shards().loadedPartitions()).containsExactly(P1);
    world.queryNode.finish(world.queryNode.loading.getFirst());
    world.threads.pump();
    assertThat(world.view(V0)).containsExactly(1L, 2L);
    assertThat(shards().loadedPartitions()).containsExactly(P1, P2);

    world.load(P2);
    assertThat(world.view(V0)).containsExactly(2L);
    assertThat(world.loadedIds()).containsExactly(2L);
  }

  @Test
  void releaseStopsShardsAndFreesSegments() {
    world.flush(1, 100);
    world.load();

    world.release();

    assertThat(world.delegator.shards).isEmpty();
    assertThat(world.queryNode.loaded).isEmpty();
    assertThat(world.status().state()).isEqualTo(LoadState.NOT_LOADED);
  }

  @Test
  void releaseDuringALoadAndLoadDuringARelease() {
    world.flush(1, 100);
    world.queryNode.auto = false;
    world.load();

    world.release();
    assertThat(world.status().state()).isEqualTo(LoadState.NOT_LOADED);
    world.load();
    assertThat(world.status().state()).isEqualTo(LoadState.LOADING);
    world.queryNode.auto = true;
    world.queryNode.finish(world.queryNode.loading.getFirst());
    world.threads.pump();

    assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
    assertThat(world.view(V0)).containsExactly(1L);
    assertThat(world.loadedIds()).containsExactly(1L);
  }

  @Test
  void compactedSegmentTakesThePlaceOfItsInputsInOneView() {
    world.createIndex(1, VECTOR, "HNSW");
    for (int i = 1; i <= 4; i++) {
      world.flush(i, 500);
    }
    world.checkpoint(V0, 100);
    world.load();
    world.threads.advance(Duration.ofSeconds(1));
    int views = world.delegator.history.size();
    world.dataNode.auto = false;
    world.threads.advance(Duration.ofSeconds(10));
    world.dataNode.finish(world.dataNode.merges.getFirst());
    world.threads.pump();

    assertThat(world.view(V0)).containsExactly(1L, 2L, 3L, 4L); // Its index is not built yet.
    world.threads.advance(Duration.ofMinutes(5));
    assertThat(world.objects.list("segments/1/11/1/")).isNotEmpty();

    world.dataNode.finish(world.dataNode.builds.getFirst());
    world.threads.pump();
    long output = world.liveIds().getFirst();
    assertThat(world.view(V0)).containsExactly(output);
    assertThat(world.delegator.history).hasSize(views + 1);
    assertThat(served().replaced().stream().map(SegmentId::value)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(world.loadedIds()).containsExactly(output);
    world.threads.advance(Duration.ofMinutes(5));
    assertThat(world.objects.list("segments/1/11/1/")).isEmpty();
  }

  @Test
  void compactedSegmentWaitsUntilTheShardReadsBehindItsDeletes() {
    world.flush(1, 2000);
    world.load();
    world.delegator.serviceTime = new HybridTs(99);
    world.delta(1, V0, 1500, 50, 90);
    world.checkpoint(V0, 100);
    world.delta(2, V0, 1, 91, 92);
    world.dataNode.compactedRows = 500;
    world.threads.advance(Duration.ofSeconds(20));
    assertThat(world.live().getFirst().stats().rows()).isEqualTo(500);
    assertThat(world.view(V0)).containsExactly(1L);

    world.delegator.serviceTime = new HybridTs(100);
    world.threads.advance(Duration.ofSeconds(1));

    assertThat(world.view(V0)).isEqualTo(world.liveIds());
  }

  @Test
  void vanishedSegmentLeavesTheView() {
    world.flush(1, 2000);
    world.load();
    world.delta(1, V0, 2000, 50, 90);
    world.checkpoint(V0, 100);
    world.delta(2, V0, 1, 91, 92);
    world.dataNode.compactedRows = 0;

    world.threads.advance(Duration.ofMinutes(3));

    assertThat(world.view(V0)).isEmpty();
    assertThat(world.queryNode.loaded).isEmpty();
    assertThat(world.objects.list("segments/")).isEmpty();
  }

  @Test
  void restartTakesOverWhatIsServed() {
    world.flush(1, 100);
    world.load();
    world.delegator.keepsOldViewOnWatch = true;
    long before = served().version();

    world.restart();

    assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
    assertThat(served().version()).isGreaterThan(before);
    assertThat(world.view(V0)).containsExactly(1L);
  }

  @Test
  void restartBetweenSwapAndViewChangeEndsWithTheOutputAlone() {
    for (int i = 1; i <= 4; i++) {
      world.flush(i, 500);
    }
    world.checkpoint(V0, 100);
    world.load();
    world.queryNode.auto = false; // The output's load never ends.
    world.delegator.keepsOldViewOnWatch = true;
    world.threads.advance(Duration.ofSeconds(10));
    assertThat(world.live()).hasSize(1);
    assertThat(world.view(V0)).containsExactly(1L, 2L, 3L, 4L);
    world.queryNode.loading.clear();
    world.queryNode.auto = true;

    world.restart();
    world.threads.advance(Duration.ofMinutes(5));

    assertThat(world.view(V0)).isEqualTo(world.liveIds());
    assertThat(world.objects.list("segments/1/11/1/")).isEmpty();
  }

  @Test
  void segmentsOfALostNodeMoveAndStayInTheViewMeanwhile() {
    FakeQueryNode second = world.addQueryNode(9);
    for (int i = 1; i <= 20; i++) {
      world.flush(i, P1, i % 2 == 0 ? V0 : V1, 600_000); // Too large to be merged.
    }
    world.load();
    int kept = world.queryNode.loaded.size();
    assertThat(kept).isBetween(1, 19);
    assertThat(second.loaded).hasSize(20 - kept);

    world.queryNode.auto = false;
    world.queryNodes.down(new NodeId(9));
    world.threads.advance(Duration.ofSeconds(1));
    assertThat(world.view(V0)).hasSize(10);
    world.queryNode.auto = true;
    List.copyOf(world.queryNode.loading).forEach(world.queryNode::finish);
    world.threads.advance(Duration.ofSeconds(1));

    assertThat(world.queryNode.loaded).hasSize(20);
    assertThat(served().segments()).hasSize(10).allMatch(s -> s.node().equals(QUERY));
  }

  @Test
  void shardIsWatchedWhereItsChannelMoves() {
    world.flush(1, 100);
    world.load();
    FakeDelegator other = new FakeDelegator(_ -> {});
    world.delegators.up(new NodeId(8), other);

    world.owner = new NodeId(8);
    world.loads.ownersChanged();
    world.threads.pump();

    assertThat(other.shards).containsOnlyKeys(V0, V1);
    assertThat(shards().shards().getFirst().leader()).isEqualTo(new NodeId(8));
  }

  @Test
  void shardThatItsDelegatorForgotIsFoundByAskingForRoutes() {
    world.load();
    world.delegator.shards.clear();
    world.threads.advance(Duration.ofSeconds(2));

    shards();
    world.threads.advance(Duration.ofSeconds(1));

    assertThat(world.delegator.shards).containsOnlyKeys(V0, V1);
  }

  @Test
  void watchIsRepeatedUntilItWorks() {
    world.delegator.failure = DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE);
    world.load();
    assertThat(world.status().state()).isEqualTo(LoadState.LOADING);
    assertRefused(ErrorCode.COLLECTION_NOT_FULLY_LOADED, "channel not available");

    world.delegator.failure = null;
    world.threads.advance(Duration.ofSeconds(1));

    assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
  }

  @Test
  void changedPropertiesReachLoadedSegments() {
    world.flush(1, 100);
    world.load();
    CollectionMeta altered =
        world
            .collection()
            .withOptions(
                new CollectionMeta.Options(
                    world.collection().options().consistency(),
                    Map.of("collection.ttl.seconds", "60")));
    world.catalog.collections.put(ID, altered);

    world.loads.collectionAltered(altered);
    world.threads.pump();

    assertThat(world.loadedWith(1).collection()).isEqualTo(altered);
    assertThat(world.queryNode.loads).isEqualTo(2);
  }

  @Test
  void loadedSegmentsSayWhere() {
    world.flush(1, 100);
    world.load();

    var segments =
        world.await(world.loads.loadedSegments(CONTEXT, new ListLoadedSegments(ID))).segments();

    assertThat(segments)
        .singleElement()
        .satisfies(segment -> {
          assertThat(segment.node()).isEqualTo(QUERY);
          assertThat(segment.rows()).isEqualTo(100);
          assertThat(segment.partitionId()).isEqualTo(P1);
        });
  }
}
