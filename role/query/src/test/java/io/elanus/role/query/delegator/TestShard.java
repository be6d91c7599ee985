package io.elanus.role.query.delegator;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.config.ConfigBinder;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Threads;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.DeltaLog;
import io.elanus.engine.segment.SegmentWriter;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.role.query.QueryConfig;
import io.elanus.role.query.QueryMetrics;
import io.elanus.role.query.load.QueryNode;
import io.elanus.role.query.search.FilterCache;
import io.elanus.role.query.search.ReadPool;
import io.elanus.wire.message.Message;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import io.elanus.wire.service.DataCoordService.ChannelRecovery;
import io.elanus.wire.service.DelegatorService.QueryView;
import io.elanus.wire.service.DelegatorService.UpdateView;
import io.elanus.wire.service.DelegatorService.ViewSegment;
import io.elanus.wire.service.DelegatorService.WatchShard;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.QueryNodeService.LoadSegment;
import io.elanus.wire.service.QueryNodeService.SegmentLoaded;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A shard with its WAL, one QueryNode and an object store, and a writer that plays the other
/// roles.
///
/// Confined to the caller, but for reads.
final class TestShard implements NodeLinks<QueryNodeService> {
  static final CollectionId COLLECTION = new CollectionId(7);
  static final VChannel VCHANNEL = new VChannel("by-dev-rootcoord-dml_0_7v0");
  static final PartitionId PARTITION = new PartitionId(70);
  static final FieldId KEY = new FieldId(100);
  static final FieldId VECTOR = new FieldId(101);
  static final FieldId TAG = new FieldId(102);
  static final NodeId NODE = new NodeId(1);

  /// A row: `tag` tells versions of a key apart.
  record Row(long key, long tag, float x) {}

  final Threads threads;
  final ScriptedTail tail;
  final MemoryObjectStore store = new MemoryObjectStore();
  final QueryNode node;
  final Delegators delegators;
  final Map<NodeId, QueryNodeService> nodes = new TreeMap<>();
  final Map<SegmentId, List<Row>> growing = new TreeMap<>();
  final Map<SegmentId, List<Long>> growingTs = new TreeMap<>();
  final List<ViewSegment> viewSegments = new ArrayList<>();
  final List<SegmentId> replaced = new ArrayList<>();
  private final List<Deleted> unstoredDeletes = new ArrayList<>();
  private final List<DeltaLogMeta> deltas = new ArrayList<>();
  List<IndexMeta> indexes = List.of();
  HybridTs deltaTick = HybridTs.ZERO;
  Map<String, String> properties = Map.of();
  HybridTs readableFrom = HybridTs.ZERO;
  long version = 1;
  private long nextDelta = 1;

  private record Deleted(long key, long tick) {}

  TestShard(Threads threads) {
    this.threads = threads;
    this.tail = new ScriptedTail(VCHANNEL, HybridTs.of(threads.clock().wallMs() - 1000, 0));
    QueryConfig config = ConfigBinder.defaults(QueryConfig.class);
    QueryMetrics metrics = new QueryMetrics(new SimpleMeterRegistry());
    ReadPool pool = new ReadPool(threads.pool("query/read", 2, 1000));
    FilterCache filters = new FilterCache(100);
    this.node = new QueryNode(store, threads, pool, filters, metrics);
    nodes.put(NODE, node);
    this.delegators =
        new Delegators(new DelegatorDeps(tail, this, threads, pool, filters, config, metrics));
  }

  @Override
  public List<NodeId> nodes() {
    return List.copyOf(nodes.keySet());
  }

  @Override
  public QueryNodeService node(NodeId id) {
    QueryNodeService known = nodes.get(id);
    if (known == null) {
      throw DbException.withFields(ErrorCode.NODE_NOT_FOUND, "node", id);
    }
    return known;
  }

  static CollectionSchema schema() {
    return new CollectionSchema(
        "c",
        "",
        false,
        1,
        List.of(
            FieldSchema.of(KEY.value(), "pk", DataType.INT64)
                .withFlags(new FieldSchema.Flags(true, false, false, false, false, false, false)),
            FieldSchema.of(VECTOR.value(), "vec", DataType.FLOAT_VECTOR)
                .withTypeParams(Map.of("dim", "2")),
            FieldSchema.of(TAG.value(), "tag", DataType.INT64)));
  }

  CollectionMeta collection() {
    return new CollectionMeta(
        new CollectionMeta.Owner(new DatabaseId(1), "default", COLLECTION),
        schema(),
        List.of(VCHANNEL),
        List.of(new PartitionMeta(PARTITION, "_default", HybridTs.ZERO)),
        new CollectionMeta.Options(ConsistencyLevel.STRONG, properties),
        HybridTs.ZERO,
        HybridTs.ZERO);
  }

  static LoadMeta load() {
    return new LoadMeta(COLLECTION, true, List.of(PARTITION), List.of(), 1, HybridTs.ZERO);
  }

  static ColumnBatch batch(List<Row> rows) {
    ColumnBuilder keys = new ColumnBuilder(DataType.INT64, 0, rows.size());
    ColumnBuilder vectors = new ColumnBuilder(DataType.FLOAT_VECTOR, 2, rows.size());
    ColumnBuilder tags = new ColumnBuilder(DataType.INT64, 0, rows.size());
    for (Row row : rows) {
      keys.addInteger(row.key);
      vectors.addFloatVector(new float[] {row.x, 0}, 0);
      tags.addInteger(row.tag);
    }
    Map<FieldId, Column> columns = new TreeMap<>();
    columns.put(KEY, keys.build());
    columns.put(VECTOR, vectors.build());
    columns.put(TAG, tags.build());
    return new ColumnBatch(rows.size(), columns);
  }

  static Message.Insert insertOf(long segment, Row... rows) {
    return new Message.Insert(
        COLLECTION, PARTITION, new SegmentId(segment), 1, batch(Arrays.asList(rows)));
  }

  static Message.Delete deleteOf(long... keys) {
    return new Message.Delete(COLLECTION, Message.Delete.ALL_PARTITIONS, PrimaryKeys.of(keys));
  }

  HybridTs insert(long segment, Row... rows) {
    return append(List.of(), segment, rows);
  }

  HybridTs delete(long... keys) {
    return append(Arrays.stream(keys).boxed().toList(), 0);
  }

  /// One transaction: deletes, then inserts.
  HybridTs append(List<Long> deletedKeys, long segment, Row... rows) {
    List<Message> bodies = new ArrayList<>();
    if (!deletedKeys.isEmpty()) {
      bodies.add(deleteOf(deletedKeys.stream().mapToLong(Long::longValue).toArray()));
    }
    if (rows.length > 0) {
      bodies.add(insertOf(segment, rows));
    }
    HybridTs tick = tail.append(bodies.toArray(new Message[0]));
    for (long key : deletedKeys) {
      unstoredDeletes.add(new Deleted(key, tick.value()));
    }
    if (rows.length > 0) {
      List<Row> to = growing.computeIfAbsent(new SegmentId(segment), id -> new ArrayList<>());
      List<Long> ts = growingTs.computeIfAbsent(new SegmentId(segment), id -> new ArrayList<>());
      for (Row row : rows) {
        to.add(row);
        ts.add(tick.value());
      }
    }
    return tick;
  }

  /// Stores the rows of a growing segment; what the coordinator knows of it then.
  SegmentMeta flush(long segment) {
    SegmentId id = new SegmentId(segment);
    return write(
        segment,
        Objects.requireNonNull(growing.get(id)),
        Objects.requireNonNull(growingTs.get(id)));
  }

  SegmentMeta write(long segment, List<Row> rows, List<Long> ts) {
    String path = "segments/7/70/" + segment;
    SegmentWriter writer = new SegmentWriter(store, path, schema());
    writer.add(batch(rows), ts.stream().mapToLong(Long::longValue).toArray());
    SegmentWriter.Written written = writer.finish();
    return new SegmentMeta(
        new SegmentId(segment),
        new SegmentMeta.Place(COLLECTION, PARTITION, VCHANNEL),
        SegmentState.FLUSHED,
        path,
        new SegmentMeta.Stats(
            written.rows(), written.sizeBytes(), written.minTs(), written.maxTs(), 1),
        HybridTs.ZERO,
        List.of());
  }

  /// Stores all deletes so far in a delta log; the next view's delta tick covers them.
  void storeDeletes() {
    if (unstoredDeletes.isEmpty()) {
      return;
    }
    long[] keys = unstoredDeletes.stream().mapToLong(Deleted::key).toArray();
    long[] ticks = unstoredDeletes.stream().mapToLong(Deleted::tick).toArray();
    long[] partitions = new long[keys.length];
    Arrays.fill(partitions, DeltaLog.ALL_PARTITIONS);
    String path = "deltas/" + nextDelta;
    DeltaLog.Written written =
        new DeltaLog(PrimaryKeys.of(keys), ticks, partitions).write(store, path);
    deltas.add(
        new DeltaLogMeta(
            nextDelta++,
            COLLECTION,
            VCHANNEL,
            path,
            written.entries(),
            written.minTs(),
            written.maxTs()));
    deltaTick = written.maxTs();
    unstoredDeletes.clear();
  }

  CompletableFuture<SegmentLoaded> load(NodeId on, SegmentMeta segment) {
    return node(on)
        .load(
            CallContext.background("load"),
            new LoadSegment(segment, collection(), indexes, deltas));
  }

  SegmentMeta withIndex(SegmentMeta segment, SegmentIndexMeta index) {
    return segment.withIndexes(List.of(index));
  }

  QueryView view() {
    return new QueryView(
        version, List.copyOf(viewSegments), List.copyOf(replaced), deltaTick, readableFrom);
  }

  CompletableFuture<Done> watch(MessageId from) {
    ChannelRecovery recovery =
        new ChannelRecovery(
            collection(),
            new ChannelCheckpoint(VCHANNEL, from, HybridTs.ZERO),
            List.of(),
            List.of());
    return delegators.watch(
        CallContext.background("watch"), new WatchShard(recovery, load(), indexes, view()));
  }

  /// The next version of the view, as the lists say.
  CompletableFuture<Done> updateView() {
    version++;
    return delegators.updateView(
        CallContext.background("update"), new UpdateView(VCHANNEL, load(), indexes, view()));
  }

  static ReadRequest.Scope scope() {
    return new ReadRequest.Scope(VCHANNEL, COLLECTION, List.of(), false);
  }

  CompletableFuture<ReadReply> query(
      String filter, HybridTs guarantee, @Nullable HybridTs readTs, Deadline deadline) {
    return delegators.read(
        new CallContext(deadline, "query"),
        new ReadRequest.Query(
            scope(), new ReadRequest.Guarantee(guarantee, readTs), filter, List.of(KEY, TAG), -1));
  }

  CompletableFuture<ReadReply> query(HybridTs guarantee) {
    return query("", guarantee, null, Deadline.NONE);
  }

  CompletableFuture<ReadReply> count(HybridTs guarantee) {
    return delegators.read(
        CallContext.background("count"),
        new ReadRequest.Count(scope(), new ReadRequest.Guarantee(guarantee, null), ""));
  }

  CompletableFuture<ReadReply> search(
      HybridTs guarantee, int k, Map<String, String> params, float... queries) {
    float[] vectors = new float[2 * queries.length];
    for (int i = 0; i < queries.length; i++) {
      vectors[2 * i] = queries[i];
    }
    return delegators.read(
        CallContext.background("search"),
        new ReadRequest.Search(
            scope(),
            new ReadRequest.Guarantee(guarantee, null),
            "",
            new ReadRequest.Search.Target(VECTOR, MetricType.L2, 2, vectors, k, params),
            List.of(TAG)));
  }

  /// `key:tag` of a query's rows, in order.
  static List<String> rowsOf(ReadReply reply) {
    ReadReply.Rows rows = (ReadReply.Rows) reply;
    Column tags = Objects.requireNonNull(rows.fields().column(TAG));
    List<String> found = new ArrayList<>();
    for (int i = 0; i < rows.keys().size(); i++) {
      found.add(rows.keys().keyAt(i) + ":" + tags.longAt(i));
    }
    return found;
  }
}
