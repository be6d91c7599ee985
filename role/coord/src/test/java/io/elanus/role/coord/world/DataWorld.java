package io.elanus.role.coord.world;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.role.coord.load.LoadConfig;
import io.elanus.role.coord.load.LoadPart;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.role.coord.part.CoordinatorDeps;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.role.coord.part.PartContext;
import io.elanus.role.coord.segments.SegmentsConfig;
import io.elanus.role.coord.segments.SegmentsPart;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import io.elanus.wire.service.DataCoordService.FindChannelRecovery;
import io.elanus.wire.service.DataCoordService.IndexStatus;
import io.elanus.wire.service.DataCoordService.ListIndexes;
import io.elanus.wire.service.DataCoordService.ListSegments;
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.DelegatorService.QueryView;
import io.elanus.wire.service.DelegatorService.ViewSegment;
import io.elanus.wire.service.QueryCoordService.FindLoad;
import io.elanus.wire.service.QueryCoordService.LoadStatus;
import io.elanus.wire.service.QueryNodeService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// The coordinator's data parts among fake nodes, on one thread and manual time. [#restart] kills
/// the parts and starts new ones on the same stores and nodes.
public final class DataWorld {
  public static final CallContext CONTEXT = CallContext.background("test");
  public static final CollectionId ID = new CollectionId(1);
  public static final PartitionId P1 = new PartitionId(11);
  public static final PartitionId P2 = new PartitionId(12);
  public static final VChannel V0 = new VChannel("by-dev-rootcoord-dml_0_1v0");
  public static final VChannel V1 = new VChannel("by-dev-rootcoord-dml_1_1v1");
  public static final FieldId KEY = new FieldId(100);
  public static final FieldId VECTOR = new FieldId(101);
  public static final FieldId NUMBER = new FieldId(102);
  public static final NodeId STREAMING = new NodeId(1);
  public static final NodeId QUERY = new NodeId(2);

  public final TestThreads threads;
  public final MemoryMetaStore meta;
  public final MemoryObjectStore objects = new MemoryObjectStore();
  public final FakeCatalog catalog = new FakeCatalog();
  public final FakeTso tso = new FakeTso();
  public final FakeWal wal = new FakeWal();
  public final FakeDataNode dataNode = new FakeDataNode(objects);
  public final FakeQueryNode queryNode = new FakeQueryNode(objects);
  public final FakeDelegator delegator = new FakeDelegator(this::checkView);
  public final FakeLinks<DataNodeService> dataNodes = new FakeLinks<>();
  public final FakeLinks<QueryNodeService> queryNodes = new FakeLinks<>();
  public final FakeLinks<DelegatorService> delegators = new FakeLinks<>();
  public final List<FakeQueryNode> allQueryNodes = new ArrayList<>();
  public NodeId owner = STREAMING;
  public SegmentsConfig config = SegmentsConfig.DEFAULT;
  public SegmentsPart segments;
  public LoadPart loads;

  /// A collection with `shards` shards (1 or 2) and the partitions 11 and 12; parts started.
  public DataWorld(int shards) {
    this(shards, new TestThreads());
  }

  public DataWorld(int shards, TestThreads threads) {
    this.threads = threads;
    this.meta = new MemoryMetaStore(threads.clock(), threads.timers());
    dataNodes.up(new NodeId(3), dataNode);
    queryNodes.up(QUERY, queryNode);
    delegators.up(STREAMING, delegator);
    allQueryNodes.add(queryNode);
    catalog.collections.put(ID, collection(shards));
    segments = makeSegments();
    loads = makeLoads();
    start();
  }

  private static CollectionMeta collection(int shards) {
    FieldSchema key =
        FieldSchema.of(KEY.value(), "pk", DataType.INT64)
            .withFlags(new FieldSchema.Flags(true, false, false, false, false, false, false));
    FieldSchema vector =
        FieldSchema.of(VECTOR.value(), "vec", DataType.FLOAT_VECTOR)
            .withTypeParams(Map.of("dim", "8"));
    FieldSchema number = FieldSchema.of(NUMBER.value(), "num", DataType.INT64);
    return new CollectionMeta(
        new CollectionMeta.Owner(new DatabaseId(1), "default", ID),
        new CollectionSchema("c", "", false, 1, List.of(key, vector, number)),
        shards == 1 ? List.of(V0) : List.of(V0, V1),
        List.of(
            new PartitionMeta(P1, "_default", HybridTs.ZERO),
            new PartitionMeta(P2, "p2", HybridTs.ZERO)),
        new CollectionMeta.Options(ConsistencyLevel.BOUNDED, Map.of()),
        HybridTs.ZERO,
        HybridTs.ZERO);
  }

  private FencedStore store() {
    FencedStore store = new FencedStore(meta);
    store.takeTerm().join();
    return store;
  }

  private PartContext context(FencedStore store) {
    CoordinatorDeps deps =
        new CoordinatorDeps(
            new CoordinatorDeps.Seams(
                threads,
                threads.clock(),
                new Rng(1),
                (component, fault) -> {
                  throw new AssertionError(component, fault);
                },
                new SimpleMeterRegistry()),
            new CoordinatorDeps.Stores(meta, objects),
            new CoordinatorDeps.Nodes(
                new FakeLinks<>(), delegators, queryNodes, dataNodes, new FakeLinks<>()),
            wal,
            CoordConfig.DEFAULT);
    return new PartContext(deps, store, catalog, tso);
  }

  private SegmentsPart makeSegments() {
    return new SegmentsPart(context(store()), config);
  }

  private LoadPart makeLoads() {
    return new LoadPart(
        context(new FencedStore(meta)), segments, pchannel -> owner, LoadConfig.DEFAULT);
  }

  private void start() {
    threads.await(segments.start());
    threads.await(loads.start());
  }

  /// Stops the parts where they stand and starts new ones; what nodes answer the old ones is lost.
  public void restart() {
    loads.close();
    segments.close();
    threads.pump();
    segments = makeSegments();
    loads = makeLoads();
    start();
    threads.pump();
  }

  public FakeQueryNode addQueryNode(long id) {
    FakeQueryNode node = new FakeQueryNode(objects);
    queryNodes.up(new NodeId(id), node);
    allQueryNodes.add(node);
    return node;
  }

  /// A view names only segments that are loaded where it says, none twice, and no segment beside
  /// the one that replaced it.
  private void checkView(QueryView view) {
    TreeSet<SegmentId> seen = new TreeSet<>();
    for (ViewSegment segment : view.segments()) {
      if (!seen.add(segment.segment())) {
        throw new AssertionError("twice in view: " + segment);
      }
      FakeQueryNode node = (FakeQueryNode) queryNodes.node(segment.node());
      if (!node.loaded.containsKey(segment.segment())) {
        throw new AssertionError("not loaded: " + segment);
      }
      if (view.replaced().contains(segment.segment())) {
        throw new AssertionError("in the view and replaced: " + segment);
      }
    }
  }

  // What a test does.

  public SegmentMeta flush(long id, PartitionId partition, VChannel vchannel, int rows) {
    String path = "segments/" + ID + "/" + partition + "/" + id;
    objects.put(path + "/manifest", new byte[] {1});
    SegmentMeta segment =
        new SegmentMeta(
            new SegmentId(id),
            new SegmentMeta.Place(ID, partition, vchannel),
            SegmentState.FLUSHED,
            path,
            new SegmentMeta.Stats(
                rows, 10L * rows, new HybridTs(id * 10), new HybridTs(id * 10 + 9), 1),
            HybridTs.ZERO,
            List.of());
    await(segments.reportFlushed(CONTEXT, segment));
    threads.pump();
    return segment;
  }

  public SegmentMeta flush(long id, int rows) {
    return flush(id, P1, V0, rows);
  }

  public void delta(long id, VChannel vchannel, int entries, long minTs, long maxTs) {
    String path = "deltas/" + ID + "/" + vchannel + "/" + id;
    objects.put(path, new byte[] {1});
    await(
        segments.reportDelta(
            CONTEXT,
            new DeltaLogMeta(
                id, ID, vchannel, path, entries, new HybridTs(minTs), new HybridTs(maxTs))));
    threads.pump();
  }

  public void checkpoint(VChannel vchannel, long tick) {
    await(
        segments.reportCheckpoint(
            CONTEXT, new ChannelCheckpoint(vchannel, new MessageId(tick), new HybridTs(tick))));
    threads.pump();
  }

  public IndexMeta createIndex(long id, FieldId field, String type) {
    Map<String, String> params = Map.of("index_type", type, "metric_type", "L2");
    IndexMeta index =
        new IndexMeta(new IndexId(id), ID, field, "i" + id, params, params, new HybridTs(1));
    catalog.indexes.add(index);
    segments.indexCreated(index);
    loads.indexCreated(index);
    threads.pump();
    return index;
  }

  public void load(PartitionId... partitions) {
    LoadMeta load =
        new LoadMeta(
            ID, partitions.length == 0, List.of(partitions), List.of(), 1, new HybridTs(1));
    catalog.loads.put(ID, load);
    loads.loadChanged(load);
    threads.pump();
  }

  public void release() {
    catalog.loads.remove(ID);
    loads.loadDropped(ID);
    threads.pump();
  }

  public <T> T await(CompletableFuture<T> future) {
    return threads.await(future);
  }

  public LoadStatus status(PartitionId... partitions) {
    return threads.await(
        loads.loadStatus(CONTEXT, new FindLoad(ID, List.of(partitions))), Duration.ofMillis(50));
  }

  public IndexStatus indexStatus() {
    return await(segments.indexes(CONTEXT, new ListIndexes(ID))).indexes().getFirst();
  }

  public List<SegmentMeta> live() {
    return await(segments.segments(CONTEXT, new ListSegments(ID))).segments();
  }

  /// The collection as the catalog holds it.
  public CollectionMeta collection() {
    return Objects.requireNonNull(catalog.collections.get(ID));
  }

  /// With what a segment was loaded on the first QueryNode.
  public QueryNodeService.LoadSegment loadedWith(long segment) {
    return Objects.requireNonNull(queryNode.loaded.get(new SegmentId(segment)));
  }

  public List<Long> liveIds() {
    return live().stream().map(segment -> segment.id().value()).toList();
  }

  /// All segments that a replay has to know, live or not.
  public List<Long> knownIds(VChannel vchannel) {
    return await(segments.channelRecovery(CONTEXT, new FindChannelRecovery(vchannel)))
        .segments()
        .stream()
        .map(segment -> segment.id().value())
        .toList();
  }

  /// Segments of the view that a shard is served with.
  public List<Long> view(VChannel vchannel) {
    FakeDelegator.Served served = delegator.shards.get(vchannel);
    return served == null
        ? List.of()
        : served.view().segments().stream().map(s -> s.segment().value()).toList();
  }

  public List<Long> loadedIds() {
    return queryNode.loaded.keySet().stream().map(SegmentId::value).toList();
  }
}
