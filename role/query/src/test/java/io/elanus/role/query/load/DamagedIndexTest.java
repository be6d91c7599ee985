package io.elanus.role.query.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.index.vector.BuildContext;
import io.elanus.engine.index.vector.BuildParams;
import io.elanus.engine.index.vector.VectorIndex;
import io.elanus.engine.index.vector.VectorIndexBuilder;
import io.elanus.engine.index.vector.VectorIndexFormat;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.engine.segment.SegmentWriter;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.role.query.QueryMetrics;
import io.elanus.role.query.search.FilterCache;
import io.elanus.role.query.search.ReadPool;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.QueryNodeService.LoadSegment;
import io.elanus.wire.service.QueryNodeService.ReleaseSegments;
import io.elanus.wire.service.QueryNodeService.SearchSegments;
import io.elanus.wire.service.QueryNodeService.SegmentHits;
import io.elanus.wire.service.ReadRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A segment with two indexed vector fields, one of whose indexes can't be read.
class DamagedIndexTest {
  private static final CallContext CALL = CallContext.background("test");
  private static final CollectionId COLLECTION = new CollectionId(7);
  private static final VChannel VCHANNEL = new VChannel("by-dev-rootcoord-dml_0_7v0");
  private static final PartitionId PARTITION = new PartitionId(70);
  private static final SegmentId SEGMENT = new SegmentId(3);
  private static final String PATH = "segments/7/70/3";
  private static final FieldId KEY = new FieldId(100);
  private static final FieldId UP = new FieldId(101);
  private static final FieldId DOWN = new FieldId(102);
  private static final SegmentIndexMeta UP_INDEX = indexMeta(1, UP, "indexes/7/3/1-9");
  private static final SegmentIndexMeta DOWN_INDEX = indexMeta(2, DOWN, "indexes/7/3/2-9");
  private static final SegmentIndexMeta REBUILT = indexMeta(2, DOWN, "indexes/7/3/2-10");
  private static final int ROWS = 1500;

  private final TestThreads threads = new TestThreads();
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final QueryNode node =
      new QueryNode(
          store,
          threads,
          new ReadPool(threads.pool("query/read", 2, 100)),
          new FilterCache(10),
          new QueryMetrics(new SimpleMeterRegistry()));

  private static SegmentIndexMeta indexMeta(long id, FieldId field, String path) {
    return new SegmentIndexMeta(new IndexId(id), field, path, 1, ROWS);
  }

  private static CollectionSchema schema() {
    FieldSchema key =
        FieldSchema.of(KEY.value(), "pk", DataType.INT64)
            .withFlags(new FieldSchema.Flags(true, false, false, false, false, false, false));
    FieldSchema up =
        FieldSchema.of(UP.value(), "up", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "2"));
    FieldSchema down =
        FieldSchema.of(DOWN.value(), "down", DataType.FLOAT_VECTOR)
            .withTypeParams(Map.of("dim", "2"));
    return new CollectionSchema("c", "", false, 1, List.of(key, up, down));
  }

  private static CollectionMeta collection() {
    return new CollectionMeta(
        new CollectionMeta.Owner(new DatabaseId(1), "default", COLLECTION),
        schema(),
        List.of(VCHANNEL),
        List.of(new PartitionMeta(PARTITION, "_default", HybridTs.ZERO)),
        new CollectionMeta.Options(ConsistencyLevel.STRONG, Map.of()),
        HybridTs.ZERO,
        HybridTs.ZERO);
  }

  /// Rows 0 until ROWS: `up` is (key, 0), `down` is (ROWS - key, 0).
  private SegmentMeta write() {
    ColumnBuilder keys = new ColumnBuilder(DataType.INT64, 0, ROWS);
    ColumnBuilder up = new ColumnBuilder(DataType.FLOAT_VECTOR, 2, ROWS);
    ColumnBuilder down = new ColumnBuilder(DataType.FLOAT_VECTOR, 2, ROWS);
    for (int i = 0; i < ROWS; i++) {
      keys.addInteger(i);
      up.addFloatVector(new float[] {i, 0}, 0);
      down.addFloatVector(new float[] {ROWS - i, 0}, 0);
    }
    Map<FieldId, Column> columns = new TreeMap<>();
    columns.put(KEY, keys.build());
    columns.put(UP, up.build());
    columns.put(DOWN, down.build());
    SegmentWriter writer = new SegmentWriter(store, PATH, schema());
    writer.add(new ColumnBatch(ROWS, columns), new HybridTs(5));
    SegmentWriter.Written written = writer.finish();
    build(columns, UP_INDEX);
    build(columns, DOWN_INDEX);
    build(columns, REBUILT);
    return new SegmentMeta(
        SEGMENT,
        new SegmentMeta.Place(COLLECTION, PARTITION, VCHANNEL),
        SegmentState.FLUSHED,
        PATH,
        new SegmentMeta.Stats(
            written.rows(), written.sizeBytes(), written.minTs(), written.maxTs(), 1),
        HybridTs.ZERO,
        List.of());
  }

  private void build(Map<FieldId, Column> columns, SegmentIndexMeta meta) {
    Column vectors = Objects.requireNonNull(columns.get(meta.fieldId()));
    VectorIndex index =
        VectorIndexBuilder.build(
            BuildParams.hnsw(8, 60), MetricType.L2, vectors, BuildContext.onCaller(1));
    store.put(meta.path(), out -> VectorIndexFormat.write(index, out));
  }

  private void load(SegmentMeta segment, SegmentIndexMeta... indexes) {
    threads.await(
        node.load(
            CALL,
            new LoadSegment(
                segment.withIndexes(List.of(indexes)), collection(), List.of(), List.of())));
  }

  private void loadFailsNamingTheIndex(SegmentMeta segment, String damage) {
    assertThatThrownBy(() -> load(segment, UP_INDEX, DOWN_INDEX))
        .as(damage)
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.SEGMENT_LOAD_FAILED);
              assertThat(e.isRetriable()).isFalse();
            })
        .hasMessageContaining(DOWN_INDEX.path())
        .hasMessageNotContaining(UP_INDEX.path());
  }

  private @Nullable VectorIndex indexOf(FieldId field) {
    LoadedSegment held = Objects.requireNonNull(node.hold(SEGMENT));
    SealedSegment segment = held.segment();
    try {
      return segment.index(field);
    } finally {
      segment.release();
    }
  }

  private long nearest(FieldId field, float x) {
    SegmentHits hits =
        threads.await(
            node.search(
                CALL,
                new SearchSegments(
                    List.of(SEGMENT),
                    new HybridTs(9),
                    new ReadRequest.Search(
                        new ReadRequest.Scope(VCHANNEL, COLLECTION, List.of(), false),
                        new ReadRequest.Guarantee(HybridTs.ZERO, null),
                        "",
                        new ReadRequest.Search.Target(
                            field, MetricType.L2, 2, new float[] {x, 0}, 1, Map.of("ef", "64")),
                        List.of()))));
    assertThat(hits.counts()).containsExactly(1);
    return (Long) hits.keys().keyAt(0);
  }

  private void answersBothFields() {
    for (int key = 0; key < ROWS; key += 97) {
      assertThat(nearest(UP, key)).isEqualTo(key);
      assertThat(nearest(DOWN, ROWS - key)).isEqualTo(key);
    }
  }

  /// What can happen to an object, by name.
  private Map<String, Runnable> damages() {
    byte[] good = store.get(DOWN_INDEX.path());
    Map<String, Runnable> damages = new TreeMap<>();
    damages.put("flipped", () -> put(flipped(good, good.length / 2)));
    damages.put("magic", () -> put(flipped(good, 0)));
    damages.put("cut", () -> put(Arrays.copyOf(good, good.length / 2)));
    damages.put("empty", () -> put(new byte[0]));
    damages.put("missing", () -> store.delete(DOWN_INDEX.path()));
    return damages;
  }

  private void put(byte[] bytes) {
    store.put(DOWN_INDEX.path(), bytes);
  }

  private static byte[] flipped(byte[] good, int at) {
    byte[] bad = good.clone();
    for (int i = at; i < at + 64; i++) {
      bad[i] ^= (byte) 0xFF; // Longer than any padding.
    }
    return bad;
  }

  @Test
  void aDamagedIndexIsNamedAndTheOtherOneIsUsedWithoutIt() {
    SegmentMeta segment = write();
    damages()
        .forEach((damage, run) -> {
          run.run();
          loadFailsNamingTheIndex(segment, damage);
          assertThat(node.hold(SEGMENT)).isNull();

          load(segment, UP_INDEX);

          assertThat(indexOf(UP)).isNotNull();
          assertThat(indexOf(DOWN)).isNull();
          answersBothFields();
          threads.await(node.release(CALL, new ReleaseSegments(List.of(SEGMENT))));
        });
  }

  @Test
  void aDamagedIndexLeavesALoadedSegmentAsItWas() {
    SegmentMeta segment = write();
    load(segment, UP_INDEX);
    VectorIndex up = indexOf(UP);
    damages()
        .forEach((damage, run) -> {
          run.run();
          loadFailsNamingTheIndex(segment, damage);

          assertThat(indexOf(UP)).isNotNull().isSameAs(up);
          assertThat(indexOf(DOWN)).isNull();
        });
    answersBothFields();

    load(segment, UP_INDEX, REBUILT);

    assertThat(indexOf(UP)).isSameAs(up);
    assertThat(indexOf(DOWN)).isNotNull();
    answersBothFields();
  }
}
