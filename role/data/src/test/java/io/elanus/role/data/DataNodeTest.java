package io.elanus.role.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.Column;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.random.Rng;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.index.vector.SearchParams;
import io.elanus.engine.index.vector.TopK;
import io.elanus.engine.index.vector.VectorIndex;
import io.elanus.engine.index.vector.VectorIndexFormat;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.role.data.TestSegments.Row;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataNodeService.BuildIndex;
import io.elanus.wire.service.DataNodeService.Compact;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DataNodeTest {
  private static final CallContext CONTEXT = CallContext.background("test");
  private static final String INDEX_PATH = "indexes/1/11/5-1";

  private final MemoryObjectStore store = new MemoryObjectStore();
  private final TestThreads threads = new TestThreads();
  private final TestSegments segments = new TestSegments(store, new Rng(42));
  private final DataNode node = new DataNode(threads, store, DataConfig.DEFAULT);

  private static IndexMeta index(Map<String, String> params) {
    return new IndexMeta(
        new IndexId(5),
        TestSegments.COLLECTION,
        TestSegments.VECTOR,
        "vec",
        params,
        params,
        HybridTs.ZERO);
  }

  private SegmentIndexMeta build(SegmentMeta segment, Map<String, String> params) {
    return threads
        .await(
            node.buildIndex(
                CONTEXT,
                new BuildIndex(segment, TestSegments.collection(), index(params), INDEX_PATH)))
        .index();
  }

  private SegmentMeta compact(List<SegmentMeta> inputs, List<DeltaLogMeta> deltas, long readTs) {
    return threads
        .await(
            node.compact(
                CONTEXT,
                new Compact(
                    TestSegments.collection(),
                    inputs,
                    deltas,
                    new Compact.Output(
                        new SegmentId(99), "segments/1/7/99", new HybridTs(readTs)))))
        .segment();
  }

  private List<Row> rows(long fromKey, int count, long ts) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(segments.row(fromKey + i, ts + i));
    }
    return rows;
  }

  @Test
  void builtIndexIsStoredAndFindsEachRowByItsVector() {
    SegmentMeta segment = segments.write(11, rows(0, 2000, 100));

    SegmentIndexMeta built =
        build(segment, Map.of("index_type", "HNSW", "metric_type", "L2", "M", "16"));

    assertThat(built.path()).isEqualTo(INDEX_PATH);
    assertThat(built.rows()).isEqualTo(2000);
    assertThat(built.sizeBytes()).isEqualTo(store.size(INDEX_PATH).orElseThrow());
    assertThat(foundThemselves(segment)).isGreaterThan(1990);
  }

  @SuppressWarnings("NullAway") // A missing column is a failure of the test.
  private int foundThemselves(SegmentMeta meta) {
    SealedSegment segment = SealedSegment.open(store, meta.path());
    try (Arena arena = Arena.ofConfined()) {
      Column vectors = segment.column(TestSegments.VECTOR);
      VectorIndex index = VectorIndexFormat.open(INDEX_PATH, store.map(INDEX_PATH, arena), vectors);
      SearchParams params = SearchParams.ofEf(64);
      TopK top = new TopK();
      int found = 0;
      for (int row = 0; row < meta.stats().rows(); row++) {
        index.search(vectors.floatVectorAt(row), 0, 1, params, null, top);
        found += top.size() == 1 && top.rowAt(0) == row ? 1 : 0;
      }
      return found;
    } finally {
      segment.release();
    }
  }

  @Test
  void refusesIndexTypesThatItCanNotBuild() {
    SegmentMeta segment = segments.write(11, rows(0, 10, 100));

    assertThatThrownBy(() -> build(segment, Map.of("index_type", "DISKANN", "metric_type", "L2")))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INDEX_NOT_SUPPORTED));
    assertThat(store.exists(INDEX_PATH)).isFalse();
  }

  @Test
  void damagedVectorsGiveNoIndex() {
    SegmentMeta segment = segments.write(11, rows(0, 100, 100));
    String key = segment.path() + "/f101.col";
    byte[] bytes = store.get(key);
    bytes[500] ^= 1;
    store.put(key, bytes);

    assertThatThrownBy(() -> build(segment, Map.of("index_type", "HNSW", "metric_type", "L2")))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY);
              assertThat(e).hasMessageContaining(key);
            });
    assertThat(store.exists(INDEX_PATH)).isFalse();
  }

  @Test
  void compactionMergesRowsWithTheirTimestamps() {
    List<Row> first = rows(0, 50, 100);
    List<Row> second = rows(1000, 70, 300);

    SegmentMeta merged =
        compact(List.of(segments.write(11, first), segments.write(12, second)), List.of(), 900);

    List<Row> expected = new ArrayList<>(first);
    expected.addAll(second);
    assertThat(segments.read(merged)).isEqualTo(expected);
    assertThat(merged.stats().rows()).isEqualTo(120);
    assertThat(merged.stats().minTs()).isEqualTo(new HybridTs(100));
    assertThat(merged.stats().maxTs()).isEqualTo(new HybridTs(369));
    assertThat(merged.deletesAppliedTs()).isEqualTo(new HybridTs(900));
  }

  @Test
  void compactionDropsRowsOnlyByDeletesBehindThemAndUpToTheReadTimestamp() {
    SegmentMeta input =
        segments.write(
            11,
            List.of(
                new Row(1, "old", 100),
                new Row(1, "new", 300),
                new Row(2, "deleted later than asked", 100),
                new Row(3, "deleted in another partition", 100),
                new Row(4, "deleted at its own tick", 200),
                new Row(5, null, 100)));
    DeltaLogMeta deltas =
        segments.deletes(
            1,
            new long[] {1, 2, 3, 4, 5},
            new long[] {200, 501, 200, 200, 500},
            new long[] {-1, -1, 8, -1, 7});

    SegmentMeta compacted = compact(List.of(input), List.of(deltas), 500);

    assertThat(segments.read(compacted))
        .containsExactly(
            new Row(1, "new", 300),
            new Row(2, "deleted later than asked", 100),
            new Row(3, "deleted in another partition", 100),
            new Row(4, "deleted at its own tick", 200));
  }

  @Test
  void compactionOfDeletedRowsStoresNothing() {
    SegmentMeta input = segments.write(11, rows(0, 3, 100));
    DeltaLogMeta deltas = segments.deletes(1, new long[] {0, 1, 2}, new long[] {400, 400, 400});

    SegmentMeta compacted = compact(List.of(input), List.of(deltas), 500);

    assertThat(compacted.stats().rows()).isZero();
    assertThat(store.list("segments/1/7/99")).isEmpty();
  }

  @Test
  void failedCompactionLeavesNothing() {
    SegmentMeta input = segments.write(11, rows(0, 3, 100));
    SegmentMeta lost = segments.write(12, rows(10, 3, 100));
    store.deleteAll(lost.path());
    store.put("segments/1/7/99/f100.col", new byte[] {1});

    assertThatThrownBy(() -> compact(List.of(input, lost), List.of(), 500))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SEGMENT_LOAD_FAILED));
    assertThat(store.list("segments/1/7/99")).isEmpty();
  }

  @Test
  void compactionEqualsDeletingRowByRow() {
    for (long seed = 0; seed < 60; seed++) {
      Rng rng = new Rng(seed);
      MemoryObjectStore own = new MemoryObjectStore();
      TestSegments made = new TestSegments(own, rng);
      List<Row> rows = new ArrayList<>();
      List<SegmentMeta> inputs = new ArrayList<>();
      for (int s = 0; s < 1 + rng.nextInt(3); s++) {
        List<Row> part = new ArrayList<>();
        for (int i = 0; i < 1 + rng.nextInt(40); i++) {
          part.add(made.row(rng.nextInt(30), 1 + rng.nextInt(50)));
        }
        inputs.add(made.write(20 + s, part));
        rows.addAll(part);
      }
      int n = rng.nextInt(30);
      long[] keys = new long[n];
      long[] ticks = new long[n];
      for (int i = 0; i < n; i++) {
        keys[i] = rng.nextInt(30);
        ticks[i] = 1L + rng.nextInt(60);
      }
      int readTs = rng.nextInt(60);
      rows.removeIf(row -> isDeleted(row, keys, ticks, readTs));
      DataNode fresh = new DataNode(threads, own, DataConfig.DEFAULT);
      CompletableFuture<SegmentMeta> done =
          fresh
              .compact(
                  CONTEXT,
                  new Compact(
                      TestSegments.collection(),
                      inputs,
                      List.of(made.deletes(1, keys, ticks)),
                      new Compact.Output(
                          new SegmentId(99), "segments/1/7/99", new HybridTs(readTs))))
              .thenApply(compacted -> compacted.segment());

      SegmentMeta compacted = threads.await(done);

      List<Row> left = compacted.stats().rows() == 0 ? List.of() : made.read(compacted);
      assertThat(left).as("seed " + seed).isEqualTo(rows);
    }
  }

  private static boolean isDeleted(Row row, long[] keys, long[] ticks, long readTs) {
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] == row.key() && ticks[i] > row.ts() && ticks[i] <= readTs) {
        return true;
      }
    }
    return false;
  }

  @Test
  void refusesTasksBeyondItsQueue() {
    SegmentMeta segment = segments.write(11, rows(0, 3, 100));
    DataNode small = new DataNode(threads, store, new DataConfig(1, 1, 1));
    Compact request =
        new Compact(
            TestSegments.collection(),
            List.of(segment),
            List.of(),
            new Compact.Output(new SegmentId(99), "segments/1/7/99", HybridTs.ZERO));

    CompletableFuture<?> first = small.compact(CONTEXT, request);
    CompletableFuture<?> second = small.compact(CONTEXT, request);

    assertThat(second).isCompletedExceptionally();
    threads.await(first);
  }
}
