package io.elanus.role.coord.load;

import static io.elanus.role.coord.world.DataWorld.CONTEXT;
import static io.elanus.role.coord.world.DataWorld.ID;
import static io.elanus.role.coord.world.DataWorld.P1;
import static io.elanus.role.coord.world.DataWorld.P2;
import static io.elanus.role.coord.world.DataWorld.STREAMING;
import static io.elanus.role.coord.world.DataWorld.V0;
import static io.elanus.role.coord.world.DataWorld.V1;
import static io.elanus.role.coord.world.DataWorld.VECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.random.Rng;
import io.elanus.base.time.HybridTs;
import io.elanus.role.coord.world.DataWorld;
import io.elanus.role.coord.world.FakeDataNode;
import io.elanus.role.coord.world.FakeQueryNode;
import io.elanus.testkit.Seeds;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.QueryCoordService.LoadState;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Random flushes, compactions, loads, releases, failures, lost nodes and coordinator restarts.
/// After every change of a view each flushed row of a served partition has to be there exactly
/// once: in its own segment, in the one that it was compacted into, or in the delegator's growing
/// copy. When the trouble ends, everything has to come to rest where the catalog says.
class LoadSimulationTest {
  private static final int STEPS = 250;

  @Test
  void everyRowIsServedOnceWhateverHappens() {
    Seeds.forEach("load simulation", 40, rng -> new Run(rng).go());
  }

  /// A flushed segment before any compaction.
  private record Original(SegmentMeta meta) {
    VChannel vchannel() {
      return meta.place().vchannel();
    }
  }

  private static final class Run {
    private final Rng rng;
    private final DataWorld world;
    private final SimDelegator delegator = new SimDelegator();
    private final TreeMap<SegmentId, Original> originals = new TreeMap<>();
    private final TreeSet<SegmentId> acked = new TreeSet<>();
    private final TreeMap<SegmentId, List<SegmentId>> inputs = new TreeMap<>();
    private final FakeQueryNode second;
    private long nextId = 1;
    private long nextDelta = 1;
    private boolean calm;

    Run(Rng rng) {
      this.rng = rng;
      this.world = new DataWorld(2, new TestThreads(rng.split("threads")));
      world.delegators.up(STREAMING, delegator);
      world.dataNode.auto = false;
      world.queryNode.auto = false;
      second = world.addQueryNode(9);
      second.auto = false;
      world.createIndex(1, VECTOR, "HNSW");
    }

    void go() {
      for (int i = 0; i < STEPS; i++) {
        act();
        for (int s = rng.nextInt(12); s > 0; s--) {
          world.threads.step();
        }
      }
      settle();
    }

    private void act() {
      switch (rng.nextInt(22)) {
        case 0, 1, 2 -> flush();
        case 3, 4, 5, 6 -> endLoad();
        case 7, 8 -> endBuild();
        case 9, 10 -> endMerge();
        case 11 -> checkpoint(rng.nextInt(2) == 0 ? V0 : V1);
        case 12 -> delta(rng.nextInt(2) == 0 ? V0 : V1);
        case 13, 14 -> load();
        case 15 -> {
          if (Seeds.oneIn(rng, 3)) {
            world.release();
          }
        }
        case 16 -> report();
        case 17 -> world.threads.advance(Duration.ofMillis(rng.nextInt(8000)));
        case 18 -> world.threads.advance(Duration.ofSeconds(rng.nextInt(90)));
        case 19 -> restart();
        case 20 -> toggleSecond();
        case 21 -> delegator.shards.clear();
        default -> throw new AssertionError();
      }
    }

    private void flush() {
      long id = nextId++;
      PartitionId partition = rng.nextInt(2) == 0 ? P1 : P2;
      VChannel vchannel = rng.nextInt(2) == 0 ? V0 : V1;
      String path = "segments/" + ID + "/" + partition + "/" + id;
      world.objects.put(path + "/manifest", new byte[] {1});
      int rows = rng.nextInt(2) == 0 ? 100 : 2000;
      SegmentMeta meta =
          new SegmentMeta(
              new SegmentId(id),
              new SegmentMeta.Place(ID, partition, vchannel),
              SegmentState.FLUSHED,
              path,
              new SegmentMeta.Stats(
                  rows, 10L * rows, new HybridTs(id * 10), new HybridTs(id * 10 + 9), 1),
              HybridTs.ZERO,
              List.of());
      originals.put(meta.id(), new Original(meta));
      delegator.grow(meta);
      report(meta);
    }

    private void report(SegmentMeta meta) {
      world.segments.reportFlushed(CONTEXT, meta).thenAccept(_ -> acked.add(meta.id()));
    }

    private void report() {
      for (Original original : originals.values()) {
        if (!acked.contains(original.meta().id())) {
          report(original.meta());
        }
      }
    }

    private void endLoad() {
      FakeQueryNode node = rng.nextInt(2) == 0 ? world.queryNode : second;
      if (!node.loading.isEmpty()) {
        FakeQueryNode.Loading load = node.loading.get(rng.nextInt(node.loading.size()));
        if (!calm && Seeds.oneIn(rng, 4)) {
          node.fail(load);
        } else {
          node.finish(load);
        }
      }
    }

    private void endBuild() {
      List<FakeDataNode.Build> builds = world.dataNode.builds;
      if (!builds.isEmpty()) {
        trouble(4);
        world.dataNode.finish(builds.get(rng.nextInt(builds.size())));
        world.dataNode.failure = null;
      }
    }

    private void trouble(int oneIn) {
      if (!calm && Seeds.oneIn(rng, oneIn)) {
        world.dataNode.failure = DbException.of(ErrorCode.IO_FAILED);
      }
    }

    private void endMerge() {
      List<FakeDataNode.Merge> merges = world.dataNode.merges;
      if (!merges.isEmpty()) {
        trouble(4);
        FakeDataNode.Merge merge = merges.get(rng.nextInt(merges.size()));
        inputs.put(
            merge.request().output().id(),
            merge.request().inputs().stream().map(SegmentMeta::id).toList());
        world.dataNode.finish(merge);
        world.dataNode.failure = null;
      }
    }

    private void checkpoint(VChannel vchannel) {
      long tick = nextId * 10 - 1;
      for (Original original : originals.values()) {
        if (original.vchannel().equals(vchannel) && !acked.contains(original.meta().id())) {
          tick = original.meta().stats().minTs().value() - 1;
          break;
        }
      }
      var _ =
          world.segments.reportCheckpoint(
              CONTEXT,
              new ChannelCheckpoint(
                  vchannel, new io.elanus.base.id.MessageId(tick), new HybridTs(tick)));
    }

    private void delta(VChannel vchannel) {
      long id = 100_000 + nextDelta++;
      world.delta(id, vchannel, 200, nextId * 10, nextId * 10 + 5);
      nextId++;
    }

    private void load() {
      List<PartitionId> partitions =
          switch (rng.nextInt(4)) {
            case 0 -> List.of(P1);
            case 1 -> List.of(P1, P2);
            case 2 -> List.of(P2);
            default -> List.of();
          };
      LoadMeta load =
          new LoadMeta(ID, partitions.isEmpty(), partitions, List.of(), 1, new HybridTs(1));
      world.catalog.loads.put(ID, load);
      world.loads.loadChanged(load);
    }

    private void restart() {
      if (Seeds.oneIn(rng, 2)) {
        // Some tasks end where nobody hears of it, some are lost.
        world.dataNode.builds.clear();
        world.queryNode.loading.clear();
        second.loading.clear();
        world.restart();
      }
    }

    private void toggleSecond() {
      NodeId id = new NodeId(9);
      if (world.queryNodes.nodes().contains(id)) {
        world.queryNodes.down(id);
        second.loaded.clear();
        second.loading.clear();
      } else if (Seeds.oneIn(rng, 3)) {
        world.queryNodes.up(id, second);
      }
    }

    private void settle() {
      calm = true;
      world.queryNode.auto = true;
      second.auto = true;
      if (world.queryNodes.nodes().size() == 1) {
        world.queryNodes.up(new NodeId(9), second);
      }
      load();
      for (int i = 0; i < 40; i++) {
        report();
        checkpoint(V0);
        checkpoint(V1);
        while (!world.queryNode.loading.isEmpty() || !second.loading.isEmpty()) {
          endLoad();
        }
        while (!world.dataNode.builds.isEmpty()) {
          endBuild();
        }
        while (!world.dataNode.merges.isEmpty()) {
          endMerge();
        }
        world.threads.advance(Duration.ofSeconds(30));
      }
      world.threads.advance(Duration.ofMinutes(5));
      var loads = world.loads;
      if (world.status().state() == LoadState.LOADED) {
        world.await(
            loads.shards(CONTEXT, new io.elanus.wire.service.QueryCoordService.FindShards(ID)));
        world.threads.advance(Duration.ofMinutes(1)); // A delegator that forgot is found.
      }
      assertAtRest();
    }

    private void assertAtRest() {
      assertThat(world.status().state()).isEqualTo(LoadState.LOADED);
      LoadMeta load = Objects.requireNonNull(world.catalog.loads.get(ID));
      TreeSet<SegmentId> expected = new TreeSet<>();
      long rows = 0;
      for (SegmentMeta segment : world.live()) {
        rows += segment.stats().rows();
        if (load.wholeCollection() || load.partitions().contains(segment.place().partitionId())) {
          expected.add(segment.id());
        }
      }
      assertThat(rows)
          .isEqualTo(originals.values().stream().mapToLong(o -> o.meta().stats().rows()).sum());
      TreeSet<SegmentId> viewed = new TreeSet<>();
      delegator.shards.values().forEach(shard -> viewed.addAll(shard.viewed()));
      assertThat(viewed).as("views of %s", delegator.shards).isEqualTo(expected);
      delegator.shards.values().forEach(shard -> assertThat(servedGrowing(shard)).isEmpty());
      assertThat(world.indexStatus().state()).isEqualTo(3);
    }

    private List<SegmentId> servedGrowing(Shard shard) {
      return shard.growing().stream()
          .filter(id -> {
            Original original = originals.get(id);
            return original == null
                || shard.load().wholeCollection()
                || shard.load().partitions().contains(original.meta().place().partitionId());
          })
          .toList();
    }

    /// The originals whose rows a segment has.
    private List<SegmentId> originalsOf(SegmentId segment) {
      List<SegmentId> sources = inputs.get(segment);
      if (sources == null) {
        return List.of(segment);
      }
      List<SegmentId> all = new ArrayList<>();
      sources.forEach(source -> all.addAll(originalsOf(source)));
      return all;
    }

    private record Shard(
        DelegatorService.QueryView view, LoadMeta load, TreeSet<SegmentId> growing) {
      List<SegmentId> viewed() {
        return view.segments().stream().map(DelegatorService.ViewSegment::segment).toList();
      }
    }

    private final class SimDelegator implements DelegatorService {
      final TreeMap<VChannel, Shard> shards = new TreeMap<>();

      /// Up to where a shard's deletes may count as loaded: what it said to have read, or, at a
      /// watch, the checkpoint.
      final TreeMap<VChannel, HybridTs> deltaLimits = new TreeMap<>();

      void grow(SegmentMeta meta) {
        Shard shard = shards.get(meta.place().vchannel());
        if (shard != null) {
          shard.growing().add(meta.id());
        }
      }

      private CompletableFuture<Done> maybeLost() {
        return !calm && Seeds.oneIn(rng, 5)
            ? CompletableFuture.failedFuture(DbException.of(ErrorCode.DEADLINE_EXCEEDED))
            : CompletableFuture.completedFuture(Done.INSTANCE);
      }

      @Override
      public CompletableFuture<Done> watch(CallContext context, WatchShard request) {
        ChannelCheckpoint from = request.recovery().checkpoint();
        if (!calm && Seeds.oneIn(rng, 6)) {
          return CompletableFuture.failedFuture(DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE));
        }
        deltaLimits.merge(from.vchannel(), from.tick(), HybridTs::max);
        if (!shards.containsKey(from.vchannel())) {
          TreeSet<SegmentId> growing = new TreeSet<>();
          for (Original original : originals.values()) {
            if (original.vchannel().equals(from.vchannel())
                && original.meta().stats().maxTs().isAfter(from.tick())) {
              growing.add(original.meta().id());
            }
          }
          request.recovery().segments().forEach(segment -> growing.remove(segment.id()));
          shards.put(from.vchannel(), new Shard(request.view(), request.load(), growing));
          check(from.vchannel());
        }
        return maybeLost();
      }

      @Override
      public CompletableFuture<Done> unwatch(CallContext context, UnwatchShard request) {
        shards.remove(request.vchannel());
        return maybeLost();
      }

      @Override
      public CompletableFuture<Done> updateView(CallContext context, UpdateView request) {
        Shard shard = shards.get(request.vchannel());
        if (shard == null) {
          return CompletableFuture.failedFuture(DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE));
        }
        assertThat(request.view().version()).isGreaterThan(shard.view().version());
        assertThat(request.view().deltaTick().isAtLeast(shard.view().deltaTick())).isTrue();
        HybridTs limit = deltaLimits.getOrDefault(request.vchannel(), HybridTs.ZERO);
        assertThat(
                HybridTs.max(shard.view().deltaTick(), limit).isAtLeast(request.view().deltaTick()))
            .isTrue();
        Shard next = new Shard(request.view(), request.load(), shard.growing());
        next.viewed().forEach(shard.growing()::remove);
        request.view().replaced().forEach(shard.growing()::remove);
        shards.put(request.vchannel(), next);
        check(request.vchannel());
        return maybeLost();
      }

      private void check(VChannel vchannel) {
        Shard shard = shards.get(vchannel);
        if (shard == null) {
          return;
        }
        TreeMap<SegmentId, Integer> copies = new TreeMap<>();
        for (SegmentId segment : shard.viewed()) {
          originalsOf(segment).forEach(o -> copies.merge(o, 1, Integer::sum));
        }
        shard.growing().forEach(o -> copies.merge(o, 1, Integer::sum));
        for (Original original : originals.values()) {
          boolean served =
              shard.load().wholeCollection()
                  || shard.load().partitions().contains(original.meta().place().partitionId());
          if (original.vchannel().equals(vchannel) && served) {
            assertThat(copies.getOrDefault(original.meta().id(), 0))
                .as("copies of %s in %s", original.meta().id(), shard)
                .isEqualTo(1);
          }
        }
      }

      @Override
      public CompletableFuture<ReadReply> read(CallContext context, ReadRequest request) {
        return CompletableFuture.failedFuture(DbException.of(ErrorCode.UNIMPLEMENTED));
      }

      @Override
      public CompletableFuture<ShardStatus> status(CallContext context, FindShardStatus request) {
        Shard shard = shards.get(request.vchannel());
        HybridTs read = new HybridTs(nextId * 10 - (calm ? 0 : rng.nextInt(100)));
        if (shard != null) {
          deltaLimits.merge(request.vchannel(), read, HybridTs::max);
        }
        return shard == null
            ? CompletableFuture.failedFuture(DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE))
            : CompletableFuture.completedFuture(
                new ShardStatus(request.vchannel(), read, shard.view().version(), List.of()));
      }
    }
  }
}
