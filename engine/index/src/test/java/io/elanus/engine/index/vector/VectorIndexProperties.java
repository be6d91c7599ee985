package io.elanus.engine.index.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elanus.base.schema.MetricType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Every kind of index against brute force.
class VectorIndexProperties {
  private static final List<MetricType> METRICS =
      List.of(MetricType.L2, MetricType.IP, MetricType.COSINE);

  private static final List<BuildParams> KINDS =
      List.of(BuildParams.flat(), BuildParams.hnsw(8, 80), BuildParams.ivfFlat(16));

  private static VectorIndex build(BuildParams kind, MetricType metric, TestVectors vectors) {
    return VectorIndexBuilder.build(kind, metric, vectors.column(), BuildContext.onCaller(7));
  }

  private static SearchParams thorough() {
    return new SearchParams(200, 12, Float.NaN, Float.NaN);
  }

  @Test
  void flatAnswersExactlyForEveryMetricDimensionAndFilter() {
    for (MetricType metric : METRICS) {
      for (int dim : new int[] {2, 3, 8, 33, 100}) {
        TestVectors all = TestVectors.clustered(dim, 1100, dim, 9);
        TestVectors base = all.slice(0, 1050);
        FlatIndex index = FlatIndex.over(base.column(), metric);
        for (double share : new double[] {0, 0.01, 0.5, 1}) {
          RowSet filter = TestVectors.randomSet(dim, 1050, share);
          double recall =
              TestVectors.recall(
                  index, base, all.slice(1050, 1080), 10, SearchParams.DEFAULT, filter);
          assertThat(recall).as("%s dim %d share %s", metric, dim, share).isGreaterThan(0.996);
        }
      }
    }
  }

  @Test
  void graphAndListsFindAlmostAllNeighbours() {
    for (MetricType metric : METRICS) {
      TestVectors all = TestVectors.clustered(3, 6060, 24, 40);
      TestVectors base = all.slice(0, 6000);
      TestVectors queries = all.slice(6000, 6060);
      for (BuildParams kind : KINDS) {
        VectorIndex index = build(kind, metric, base);
        double recall = TestVectors.recall(index, base, queries, 10, thorough(), null);
        assertThat(recall).as("%s %s", kind.type(), metric).isGreaterThan(0.95);
      }
    }
  }

  @Test
  void scoresAreThoseOfTheWire() {
    TestVectors all = TestVectors.clustered(5, 3010, 20, 10);
    TestVectors base = all.slice(0, 3000);
    for (MetricType metric : METRICS) {
      for (BuildParams kind : KINDS) {
        VectorIndex index = build(kind, metric, base);
        TopK out = new TopK();
        for (float[] query : all.slice(3000, 3010).rows) {
          index.search(query, 0, 20, thorough(), null, out);
          assertThat(out.size()).isEqualTo(20);
          for (int i = 0; i < out.size(); i++) {
            double score = TestVectors.score(metric, query, base.rows[out.rowAt(i)]);
            assertThat((double) out.scoreAt(i)).isCloseTo(score, within(1e-3));
            if (i > 0) {
              boolean ordered =
                  metric.isLargerBetter()
                      ? out.scoreAt(i) <= out.scoreAt(i - 1)
                      : out.scoreAt(i) >= out.scoreAt(i - 1);
              assertThat(ordered).isTrue();
            }
          }
        }
      }
    }
  }

  @Test
  void neverReturnsARowOutsideTheSetAndFillsUpFromIt() {
    TestVectors all = TestVectors.clustered(9, 20_020, 16, 50);
    TestVectors base = all.slice(0, 20_000);
    for (BuildParams kind : KINDS) {
      VectorIndex index = build(kind, MetricType.L2, base);
      for (double share : new double[] {0, 0.0002, 0.01, 0.2, 0.4, 0.55, 0.7, 0.95}) {
        RowSet filter = TestVectors.randomSet(4, 20_000, share);
        TopK out = new TopK();
        for (float[] query : all.slice(20_000, 20_020).rows) {
          index.search(query, 0, 10, SearchParams.ofEf(16), filter, out);
          assertThat(TestVectors.rowsOf(out)).allMatch(filter::contains).doesNotHaveDuplicates();
          assertThat(out.size())
              .as("%s share %s", kind.type(), share)
              .isEqualTo(Math.min(10, filter.cardinality()));
        }
      }
    }
  }

  @Test
  void filteredGraphSearchFindsAlmostAllNeighbours() {
    TestVectors all = TestVectors.clustered(9, 40_030, 16, 300);
    TestVectors base = all.slice(0, 40_000);
    VectorIndex index = build(BuildParams.hnsw(12, 100), MetricType.L2, base);
    for (double share : new double[] {0.01, 0.28, 0.5, 0.9}) {
      RowSet filter = TestVectors.randomSet(4, 40_000, share);
      double recall =
          TestVectors.recall(
              index, base, all.slice(40_000, 40_030), 10, SearchParams.ofEf(64), filter);
      assertThat(recall).as("share %s", share).isGreaterThan(0.95);
    }
  }

  @Test
  void kBeyondTheRowsReturnsEveryRow() {
    TestVectors base = TestVectors.clustered(2, 300, 5, 4);
    for (MetricType metric : METRICS) {
      for (BuildParams kind : KINDS) {
        VectorIndex index = build(kind, metric, base);
        TopK out = new TopK();
        index.search(base.rows[0], 0, 16_384, SearchParams.DEFAULT, null, out);
        assertThat(TestVectors.rowsOf(out)).hasSize(300).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void anEmptyColumnAnswersNothing() {
    TestVectors none = TestVectors.clustered(2, 10, 5, 4).slice(0, 0);
    io.elanus.base.column.Column column =
        new io.elanus.base.column.ColumnBuilder(io.elanus.base.schema.DataType.FLOAT_VECTOR, 5, 1)
            .build();
    assertThat(none.rows).isEmpty();
    for (BuildParams kind : KINDS) {
      VectorIndex index =
          VectorIndexBuilder.build(kind, MetricType.COSINE, column, BuildContext.onCaller(1));
      TopK out = new TopK();
      index.search(new float[5], 0, 10, SearchParams.DEFAULT, null, out);
      assertThat(out.size()).isZero();
    }
  }

  @Test
  void duplicatesComeInRowOrder() {
    float[][] rows = new float[2000][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new float[] {i % 500, 1};
    }
    TestVectors base = TestVectors.of(rows);
    for (BuildParams kind : KINDS) {
      VectorIndex index = build(kind, MetricType.L2, base);
      TopK out = new TopK();
      index.search(new float[] {250, 1}, 0, 4, thorough(), null, out);
      assertThat(TestVectors.rowsOf(out))
          .as("%s", kind.type())
          .containsExactly(250, 750, 1250, 1750);
    }
  }

  @Test
  void zeroVectorsScoreZeroUnderCosine() {
    TestVectors base = TestVectors.of(new float[] {0, 0}, new float[] {1, 0}, new float[] {-1, 0});
    for (BuildParams kind : KINDS) {
      VectorIndex index = build(kind, MetricType.COSINE, base);
      TopK out = new TopK();

      index.search(new float[] {2, 0}, 0, 3, SearchParams.DEFAULT, null, out);
      assertThat(TestVectors.rowsOf(out)).containsExactly(1, 0, 2);
      assertThat(List.of(out.scoreAt(0), out.scoreAt(1), out.scoreAt(2)))
          .containsExactly(1f, 0f, -1f);

      index.search(new float[] {0, 0}, 0, 3, SearchParams.DEFAULT, null, out);
      assertThat(TestVectors.rowsOf(out)).containsExactly(0, 1, 2);
      assertThat(out.scoreAt(2)).isZero();
    }
  }

  @Test
  void rangeSearchReturnsTheBestRowsWithinTheBounds() {
    TestVectors all = TestVectors.clustered(8, 12_020, 12, 30);
    TestVectors base = all.slice(0, 12_000);
    TestVectors queries = all.slice(12_000, 12_020);
    for (MetricType metric : METRICS) {
      float[] bounds =
          switch (metric) {
            case L2 -> new float[] {6, 3};
            case IP -> new float[] {5, 9};
            default -> new float[] {0.6f, 0.85f};
          };
      SearchParams params = thorough().withRange(bounds[0], bounds[1]);
      for (BuildParams kind : KINDS) {
        VectorIndex index = build(kind, metric, base);
        double recall = TestVectors.recall(index, base, queries, 50, params, null);
        assertThat(recall).as("%s %s", kind.type(), metric).isGreaterThan(0.93);
        TopK out = new TopK();
        for (float[] query : queries.rows) {
          index.search(query, 0, 50, params, TestVectors.randomSet(1, 12_000, 0.9), out);
          for (int i = 0; i < out.size(); i++) {
            assertThat(params.inRange(out.scoreAt(i), metric)).isTrue();
          }
        }
      }
    }
  }

  @Test
  void searchAllAnswersLikeSingleSearches() {
    TestVectors all = TestVectors.clustered(8, 5100, 100, 30);
    TestVectors base = all.slice(0, 5000);
    RowSet filter = TestVectors.randomSet(6, 5000, 0.3);
    float[] queries = new float[100 * 100];
    for (int i = 0; i < 100; i++) {
      System.arraycopy(all.rows[5000 + i], 0, queries, i * 100, 100);
    }
    for (BuildParams kind : KINDS) {
      VectorIndex index = build(kind, MetricType.COSINE, base);
      TopK[] outs = new TopK[100];
      for (int i = 0; i < outs.length; i++) {
        outs[i] = new TopK();
      }
      index.searchAll(queries, 10, thorough(), filter, outs);
      TopK one = new TopK();
      for (int i = 0; i < outs.length; i++) {
        index.search(queries, i * 100, 10, thorough(), filter, one);
        assertThat(TestVectors.rowsOf(outs[i])).isEqualTo(TestVectors.rowsOf(one));
      }
    }
  }

  @Test
  void oneThreadAndOneSeedGiveOneGraph() {
    TestVectors base = TestVectors.clustered(8, 3000, 10, 30);
    HnswIndex first = (HnswIndex) build(BuildParams.hnsw(6, 50), MetricType.L2, base);
    HnswIndex second = (HnswIndex) build(BuildParams.hnsw(6, 50), MetricType.L2, base);

    assertThat(first.graph().links0.mismatch(second.graph().links0)).isEqualTo(-1);
    assertThat(first.graph().upperLinks.mismatch(second.graph().upperLinks)).isEqualTo(-1);
  }

  @Test
  void aGraphBuiltByFourThreadsSearchesAsWell() throws Exception {
    TestVectors all = TestVectors.clustered(3, 8060, 24, 40);
    TestVectors base = all.slice(0, 8000);
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      for (BuildParams kind : KINDS) {
        VectorIndex index =
            VectorIndexBuilder.build(
                kind, MetricType.L2, base.column(), new BuildContext(7, pool, 4));
        double recall =
            TestVectors.recall(index, base, all.slice(8000, 8060), 10, thorough(), null);
        assertThat(recall).as("%s", kind.type()).isGreaterThan(0.95);
      }
    }
  }

  @Test
  void searchesOnManyThreadsDisturbOneAnotherNot() throws Exception {
    TestVectors all = TestVectors.clustered(3, 8100, 24, 40);
    TestVectors base = all.slice(0, 8000);
    for (BuildParams kind : KINDS) {
      VectorIndex index = build(kind, MetricType.IP, base);
      List<List<Integer>> alone = new ArrayList<>();
      TopK out = new TopK();
      for (float[] query : all.slice(8000, 8100).rows) {
        index.search(query, 0, 10, thorough(), null, out);
        alone.add(TestVectors.rowsOf(out));
      }
      try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
        List<Future<List<List<Integer>>>> answers = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
          answers.add(
              pool.submit(() -> {
                TopK mine = new TopK();
                List<List<Integer>> found = new ArrayList<>();
                for (float[] query : all.slice(8000, 8100).rows) {
                  index.search(query, 0, 10, thorough(), null, mine);
                  found.add(TestVectors.rowsOf(mine));
                }
                return found;
              }));
        }
        for (Future<List<List<Integer>>> answer : answers) {
          assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(alone);
        }
      }
    }
  }

  @Test
  void codesCostHardlyAnyRecallAtEqualEf() {
    for (MetricType metric : METRICS) {
      for (int dim : new int[] {32, 50, 200}) {
        TestVectors all = TestVectors.clustered(13, 6060, dim, 60);
        TestVectors base = all.slice(0, 6000);
        TestVectors queries = all.slice(6000, 6060);
        VectorIndex plain = build(BuildParams.hnsw(8, 60), metric, base);
        VectorIndex coded = build(new BuildParams(IndexType.AUTOINDEX, 8, 60, 0), metric, base);
        assertThat(coded.type()).isEqualTo(IndexType.AUTOINDEX);
        SearchParams params = SearchParams.ofEf(100);
        double without = TestVectors.recall(plain, base, queries, 10, params, null);
        double with = TestVectors.recall(coded, base, queries, 10, params, null);
        assertThat(with).as("%s dim %s", metric, dim).isGreaterThan(without - 0.04);
        double filtered =
            TestVectors.recall(
                coded, base, queries, 10, params, TestVectors.randomSet(2, 6000, 0.5));
        assertThat(filtered).as("%s dim %s filtered", metric, dim).isGreaterThan(0.95);
      }
    }
  }

  @Test
  void shortVectorsGetAPlainGraph() {
    TestVectors base = TestVectors.clustered(13, 500, 8, 6);
    assertThat(build(BuildParams.auto(), MetricType.L2, base).type()).isEqualTo(IndexType.HNSW);
  }

  @Test
  void codedSearchScoresByTheVectorsAndFindsTheEntryToo() {
    TestVectors base = TestVectors.clustered(17, 3000, 40, 12);
    HnswIndex index =
        (HnswIndex) build(new BuildParams(IndexType.AUTOINDEX, 6, 40, 0), MetricType.L2, base);
    int entry = index.graph().rowOfSlot(index.graph().entrySlot);
    TopK out = new TopK();
    for (int row : new int[] {entry, 0, 1, 1500, 2999}) {
      index.search(base.rows[row], 0, 1, SearchParams.ofEf(64), null, out);
      assertThat(out.rowAt(0)).isEqualTo(row);
      assertThat(out.scoreAt(0)).isZero();
    }
  }
}
