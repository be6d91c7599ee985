package io.elanus.engine.index.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.elanus.base.error.InvariantViolation;
import io.elanus.base.schema.MetricType;
import org.junit.jupiter.api.Test;

class RowSetTest {
  @Test
  void countsAndFindsItsRows() {
    RowSet set = RowSet.of(new long[] {1L << 63, 0b101}, 67);

    assertThat(set.cardinality()).isEqualTo(3);
    assertThat(set.contains(63)).isTrue();
    assertThat(set.contains(64)).isTrue();
    assertThat(set.contains(65)).isFalse();
    assertThat(set.isFull()).isFalse();
  }

  @Test
  void theFullSetHoldsEveryRowAndNoMore() {
    for (int rows : new int[] {0, 1, 63, 64, 65, 128}) {
      RowSet all = RowSet.all(rows);
      assertThat(all.cardinality()).isEqualTo(rows);
      assertThat(RowSet.of(all.words(), rows).isFull()).isTrue();
    }
  }

  @Test
  void refusesBitsBeyondTheRows() {
    for (long[] words : new long[][] {{0b1000}, {0, 1}, {0, 0, 1L << 63}}) {
      assertThatExceptionOfType(InvariantViolation.class).isThrownBy(() -> RowSet.of(words, 3));
    }
    assertThatExceptionOfType(InvariantViolation.class)
        .isThrownBy(() -> RowSet.of(new long[1], 65));
  }

  @Test
  void indexesRefuseTheSetOfAnotherSegment() {
    TestVectors base = TestVectors.clustered(1, 100, 4, 3);
    for (BuildParams kind :
        new BuildParams[] {BuildParams.flat(), BuildParams.hnsw(4, 20), BuildParams.ivfFlat(2)}) {
      VectorIndex index =
          VectorIndexBuilder.build(kind, MetricType.L2, base.column(), BuildContext.onCaller(1));
      assertThatExceptionOfType(InvariantViolation.class)
          .isThrownBy(() ->
              index.search(base.rows[0], 0, 1, SearchParams.DEFAULT, RowSet.all(101), new TopK()));
    }
  }
}
