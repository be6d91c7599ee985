package io.elanus.role.proxy.task;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.VChannel;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.TsoService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// The other roles as a proxy's tests need them: one collection, scripted answers, everything that
/// was asked kept for the test to look at.
public final class FakeCluster {
  public static final CollectionId COLLECTION = new CollectionId(7);
  static final PartitionId DEFAULT_PARTITION = new PartitionId(70);
  static final PartitionId OTHER_PARTITION = new PartitionId(71);
  static final long FIRST_TS = HybridTs.of(1_000_000, 0).value();

  final TestThreads threads = new TestThreads();
  final List<WalMessage> appended = new ArrayList<>();
  final List<StreamingService.AppendRequest> appends = new ArrayList<>();
  final List<ReadRequest> reads = new ArrayList<>();
  final List<DdlRequest> ddls = new ArrayList<>();
  final Deque<DbException> appendFailures = new ArrayDeque<>();
  final Deque<DbException> readFailures = new ArrayDeque<>();
  final Set<NodeId> gone = new TreeSet<>();
  NodeId leader = new NodeId(1);
  CollectionMeta meta;
  int collectionLookUps;
  int routeLookUps;
  long nextTs = FIRST_TS;
  long nextId = 5000;
  String metric = "L2";
  boolean loaded = true;
  Function<ReadRequest, ReadReply> reader = FakeCluster::empty;

  FakeCluster(CollectionMeta meta) {
    this.meta = meta;
  }

  static FieldSchema key(DataType type, boolean auto) {
    return FieldSchema.of(100, "id", type)
        .withFlags(new FieldSchema.Flags(true, auto, false, false, false, false, false))
        .withTypeParams(type == DataType.VARCHAR ? Map.of("max_length", "64") : Map.of());
  }

  static FieldSchema vector() {
    return FieldSchema.of(101, "v", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "2"));
  }

  static FieldSchema number() {
    return FieldSchema.of(102, "n", DataType.INT64)
        .withFlags(new FieldSchema.Flags(false, false, false, false, false, true, false));
  }

  static FieldSchema dynamic() {
    return FieldSchema.of(103, "$meta", DataType.JSON)
        .withFlags(new FieldSchema.Flags(false, false, false, false, true, false, false));
  }

  /// A collection `c` with an INT64 key, a vector, a number and dynamic keys.
  public static CollectionMeta collection(int version, int shards) {
    return collection(
        version, shards, List.of(key(DataType.INT64, false), vector(), number(), dynamic()));
  }

  static CollectionMeta collection(int version, int shards, List<FieldSchema> fields) {
    List<VChannel> channels = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      channels.add(VChannel.of(PChannel.of("by-dev-rootcoord-dml", i), COLLECTION, i));
    }
    return new CollectionMeta(
        new CollectionMeta.Owner(new DatabaseId(1), "default", COLLECTION),
        new CollectionSchema("c", "", true, version, fields),
        channels,
        List.of(
            new PartitionMeta(DEFAULT_PARTITION, "_default", HybridTs.ZERO),
            new PartitionMeta(OTHER_PARTITION, "p1", HybridTs.ZERO)),
        new CollectionMeta.Options(ConsistencyLevel.BOUNDED, Map.of()),
        HybridTs.ZERO,
        new HybridTs(11 + version));
  }

  ProxyNode proxy() {
    return new ProxyNode(
        services(),
        new ProxyNode.Surroundings(threads, new Rng(1), new SimpleMeterRegistry()),
        ProxyConfig.DEFAULT);
  }

  ProxyServices services() {
    return new ProxyServices(tso(), new Catalog(), data(), query(), streaming(), new Delegators());
  }

  static ReadReply.Cost cost(ReadRequest request) {
    HybridTs readTs = request.guarantee().readTs();
    return new ReadReply.Cost(readTs == null ? request.guarantee().guaranteeTs() : readTs, 0, 0, 0);
  }

  static ReadReply empty(ReadRequest request) {
    return switch (request) {
      case ReadRequest.Search search ->
          new ReadReply.Hits(
              new int[search.target().nq()],
              PrimaryKeys.of(new long[0]),
              new float[0],
              ColumnBatch.EMPTY,
              0,
              cost(request));
      case ReadRequest.Query query ->
          new ReadReply.Rows(PrimaryKeys.of(new long[0]), ColumnBatch.EMPTY, cost(request));
      case ReadRequest.Count count -> new ReadReply.Counted(0, cost(request));
    };
  }

  /// A service of which only some calls are answered; the others fail the test.
  @SuppressWarnings("unchecked")
  private static <S> S partly(Class<S> type, Function<Object, CompletableFuture<?>> answers) {
    return (S)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> answers.apply(args[args.length - 1]));
  }

  private TsoService tso() {
    return partly(
        TsoService.class,
        request ->
            switch (request) {
              case TsoService.AllocTimestamp ts -> {
                HybridTs first = new HybridTs(nextTs);
                nextTs += ts.count();
                yield CompletableFuture.completedFuture(
                    new TsoService.TimestampRange(first, ts.count()));
              }
              case TsoService.AllocId ids -> {
                long first = nextId;
                nextId += ids.count();
                yield CompletableFuture.completedFuture(new TsoService.IdRange(first, ids.count()));
              }
              default -> throw new AssertionError(request);
            });
  }

  private DataCoordService data() {
    return partly(
        DataCoordService.class,
        request ->
            switch (request) {
              case DataCoordService.ListIndexes list ->
                  CompletableFuture.completedFuture(
                      new DataCoordService.IndexList(
                          List.of(new DataCoordService.IndexStatus(index(), 3, "", 0, 0, 0))));
              default -> throw new AssertionError(request);
            });
  }

  private IndexMeta index() {
    return new IndexMeta(
        new IndexId(1),
        COLLECTION,
        new FieldId(101),
        "v",
        Map.of(),
        Map.of("metric_type", metric),
        HybridTs.ZERO);
  }

  private QueryCoordService query() {
    return partly(
        QueryCoordService.class,
        request ->
            switch (request) {
              case QueryCoordService.FindShards find -> {
                routeLookUps++;
                if (!loaded) {
                  yield CompletableFuture.failedFuture(
                      DbException.withFields(
                          ErrorCode.COLLECTION_NOT_LOADED, "collection", COLLECTION));
                }
                List<QueryCoordService.Shard> shards = new ArrayList<>();
                for (VChannel channel : meta.vchannels()) {
                  shards.add(new QueryCoordService.Shard(channel, leader));
                }
                yield CompletableFuture.completedFuture(
                    new QueryCoordService.ShardList(shards, List.of(DEFAULT_PARTITION)));
              }
              default -> throw new AssertionError(request);
            });
  }

  private StreamingService streaming() {
    return partly(
        StreamingService.class,
        request ->
            switch (request) {
              case StreamingService.AppendRequest append -> append(append);
              default -> throw new AssertionError(request);
            });
  }

  private CompletableFuture<StreamingService.AppendReply> append(
      StreamingService.AppendRequest request) {
    DbException failure = appendFailures.poll();
    if (failure != null) {
      return CompletableFuture.failedFuture(failure);
    }
    appends.add(request);
    appended.addAll(request.messages());
    HybridTs tick = new HybridTs(nextTs++);
    List<StreamingService.AppendResult> results = new ArrayList<>();
    for (WalMessage message : request.messages()) {
      results.add(
          new StreamingService.AppendResult(
              message.vchannel(), new MessageId(appended.size()), tick, List.of()));
    }
    return CompletableFuture.completedFuture(new StreamingService.AppendReply(results));
  }

  <M extends Message> List<M> bodies(Class<M> type) {
    return appended.stream()
        .map(WalMessage::body)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  private final class Delegators implements NodeLinks<DelegatorService> {
    @Override
    public List<NodeId> nodes() {
      return List.of(new NodeId(1));
    }

    @Override
    public DelegatorService node(NodeId id) {
      if (gone.contains(id)) {
        throw DbException.withFields(ErrorCode.NODE_NOT_FOUND, "node", id);
      }
      return partly(
          DelegatorService.class,
          request -> {
            DbException failure = readFailures.poll();
            if (failure != null) {
              return CompletableFuture.failedFuture(failure);
            }
            reads.add((ReadRequest) request);
            return CompletableFuture.completedFuture(reader.apply((ReadRequest) request));
          });
    }
  }

  private final class Catalog extends EmptyCatalog {
    @Override
    public CompletableFuture<CollectionView> collection(
        CallContext context, FindCollection request) {
      collectionLookUps++;
      if (request.name() != null && !request.name().equals("c")) {
        return CompletableFuture.failedFuture(
            DbException.withFields(
                ErrorCode.COLLECTION_NOT_FOUND,
                "database",
                request.database(),
                "collection",
                request.name()));
      }
      return CompletableFuture.completedFuture(new CollectionView(meta, List.of()));
    }

    @Override
    public CompletableFuture<DdlReply> ddl(CallContext context, DdlRequest request) {
      ddls.add(request);
      return CompletableFuture.completedFuture(new DdlReply(new HybridTs(nextTs++)));
    }
  }

  /// A catalog that knows nothing.
  public static class EmptyCatalog implements CatalogService {
    private static <T> CompletableFuture<T> unknown() {
      return CompletableFuture.failedFuture(new AssertionError("not expected"));
    }

    @Override
    public CompletableFuture<DdlReply> ddl(CallContext context, DdlRequest request) {
      return unknown();
    }

    @Override
    public CompletableFuture<CollectionView> collection(
        CallContext context, FindCollection request) {
      return unknown();
    }

    @Override
    public CompletableFuture<CollectionList> collections(
        CallContext context, ListCollections request) {
      return unknown();
    }

    @Override
    public CompletableFuture<DatabaseList> databases(CallContext context, ListDatabases request) {
      return unknown();
    }

    @Override
    public CompletableFuture<AliasView> alias(CallContext context, FindAlias request) {
      return unknown();
    }

    @Override
    public CompletableFuture<AliasList> aliases(CallContext context, ListAliases request) {
      return unknown();
    }
  }
}
