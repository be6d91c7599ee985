package io.elanus.role.proxy.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.service.ReadReply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FusionTest {
  private static final FieldSchema FIELD = FieldSchema.of(102, "n", DataType.INT64);

  private static Fusion.Searched searched(MetricType metric, long[] keys, float... scores) {
    ColumnBuilder column = new ColumnBuilder(DataType.INT64, 0, keys.length);
    for (long key : keys) {
      column.addInteger(key * 100);
    }
    ReadReply.Hits hits =
        new ReadReply.Hits(
            new int[] {keys.length},
            PrimaryKeys.of(keys),
            scores,
            new ColumnBatch(keys.length, Map.of(FIELD.id(), column.build())),
            keys.length,
            new ReadReply.Cost(HybridTs.ZERO, 0, 0, 0));
    return new Fusion.Searched(
        SearchReduce.merge(List.of(hits), metric, 1, 0, keys.length), metric);
  }

  private static long[] keys(long... keys) {
    return keys;
  }

  @Test
  void sumsReciprocalRanks() {
    Ranked fused =
        Fusion.fuse(
            List.of(
                searched(MetricType.L2, keys(1, 2, 3), 0.1f, 0.2f, 0.3f),
                searched(MetricType.IP, keys(3, 1), 9f, 8f)),
            new Fusion.Scorer.Rrf(60),
            1,
            0,
            10);

    assertThat(fused.keys()).isEqualTo(PrimaryKeys.of(1L, 3L, 2L));
    assertThat(fused.scores()[0]).isCloseTo((float) (1.0 / 61 + 1.0 / 62), within(1e-7f));
    assertThat(fused.scores()[1]).isCloseTo((float) (1.0 / 63 + 1.0 / 61), within(1e-7f));
    assertThat(fused.scores()[2]).isCloseTo((float) (1.0 / 62), within(1e-7f));
    assertThat(fused.column(FIELD).longAt(1)).isEqualTo(300);
  }

  @Test
  void breaksTiesByKeyAndCutsThePage() {
    Ranked fused =
        Fusion.fuse(
            List.of(
                searched(MetricType.IP, keys(5, 9), 2f, 1f),
                searched(MetricType.IP, keys(9, 5), 2f, 1f)),
            new Fusion.Scorer.Rrf(60),
            1,
            1,
            1);

    assertThat(fused.counts()).containsExactly(1);
    assertThat(fused.keys()).isEqualTo(PrimaryKeys.of(9L));
    assertThat(fused.column(FIELD).longAt(0)).isEqualTo(900);
  }

  @Test
  void weighsRawScoresInTheDirectionOfTheMetric() {
    Ranked fused =
        Fusion.fuse(
            List.of(
                searched(MetricType.L2, keys(1, 2), 1f, 2f),
                searched(MetricType.L2, keys(2, 1), 1f, 4f)),
            new Fusion.Scorer.Weighted(List.of(0.5, 1.0), false),
            1,
            0,
            10);

    assertThat(fused.keys()).isEqualTo(PrimaryKeys.of(2L, 1L));
    assertThat(fused.scores()).containsExactly(2f, 4.5f);
  }

  @Test
  void normalisesScoresOfMixedSearches() {
    Ranked fused =
        Fusion.fuse(
            List.of(
                searched(MetricType.COSINE, keys(1), 0.5f), searched(MetricType.L2, keys(2), 1f)),
            new Fusion.Scorer.Weighted(List.of(1.0, 1.0), true),
            1,
            0,
            10);

    assertThat(fused.keys()).isEqualTo(PrimaryKeys.of(1L, 2L));
    assertThat(fused.scores()[0]).isCloseTo(0.75f, within(1e-6f));
    assertThat(fused.scores()[1])
        .isCloseTo((float) (1 - 2 * Math.atan(1) / Math.PI), within(1e-6f));
  }

  @Test
  void roundsToDecimals() {
    float[] scores = {0.12345f, -1.005f, 7f};

    SearchReduce.round(scores, 2);

    assertThat(scores[0]).isEqualTo(0.12f);
    assertThat(scores[2]).isEqualTo(7f);
  }

  @Test
  void cutsDynamicRowsToTheKeysAskedFor() {
    ColumnBuilder rows = new ColumnBuilder(DataType.JSON, 0, 2);
    rows.addText("{\"a\":1,\"b\":[2],\"c\":null}");
    rows.addText("{}");

    var trimmed = DynamicKeys.trim(rows.build(), new java.util.TreeSet<>(Set.of("a", "c", "x")));

    assertThat(trimmed.textAt(0)).isEqualTo("{\"a\":1,\"c\":null}");
    assertThat(trimmed.textAt(1)).isEqualTo("{}");
    assertThat(
            new String(
                DynamicKeys.merge(
                    "{\"a\":1,\"b\":2}".getBytes(StandardCharsets.UTF_8),
                    "{\"b\":3}".getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8))
        .isEqualTo("{\"a\":1,\"b\":3}");
  }
}
