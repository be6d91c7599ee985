package io.elanus.role.proxy.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.HybridTs;
import io.elanus.testkit.Seeds;
import io.elanus.wire.service.ReadReply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SearchReduceProperties {
  private static final FieldSchema FIELD = FieldSchema.of(102, "n", DataType.INT64);
  private static final ReadReply.Cost COST = new ReadReply.Cost(HybridTs.ZERO, 0, 0, 0);

  private record Hit(long key, float score, long value) {}

  private static Comparator<Hit> order(MetricType metric) {
    Comparator<Hit> byScore = Comparator.comparingDouble(Hit::score);
    return (metric.isLargerBetter() ? byScore.reversed() : byScore).thenComparingLong(Hit::key);
  }

  /// Few distinct scores and keys, so that ties and duplicates are common.
  private static List<Hit> randomHits(Rng rng, MetricType metric) {
    List<Hit> hits = new ArrayList<>();
    Set<Long> keys = new HashSet<>();
    int count = rng.nextInt(8);
    while (hits.size() < count) {
      long key = rng.nextInt(20);
      if (keys.add(key)) {
        hits.add(new Hit(key, rng.nextInt(5) / 4f, rng.nextInt(1000)));
      }
    }
    hits.sort(order(metric));
    return hits;
  }

  private static ReadReply.Hits reply(List<List<Hit>> perQuery) {
    int[] counts = new int[perQuery.size()];
    List<Hit> all = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      counts[i] = perQuery.get(i).size();
      all.addAll(perQuery.get(i));
    }
    long[] keys = new long[all.size()];
    float[] scores = new float[all.size()];
    ColumnBuilder values = new ColumnBuilder(DataType.INT64, 0, all.size());
    for (int i = 0; i < keys.length; i++) {
      keys[i] = all.get(i).key();
      scores[i] = all.get(i).score();
      values.addInteger(all.get(i).value());
    }
    ColumnBatch fields = new ColumnBatch(all.size(), Map.of(FIELD.id(), values.build()));
    return new ReadReply.Hits(counts, PrimaryKeys.of(keys), scores, fields, all.size(), COST);
  }

  private static List<Hit> naive(List<List<Hit>> shards, MetricType metric, int offset, int limit) {
    List<Hit> all = new ArrayList<>();
    shards.forEach(all::addAll);
    all.sort(order(metric));
    Set<Long> seen = new HashSet<>();
    all.removeIf(hit -> !seen.add(hit.key()));
    int from = Math.min(offset, all.size());
    return all.subList(from, Math.min(all.size(), from + limit));
  }

  @Test
  void mergesAsSortingEverythingWould() {
    Seeds.forEach(
        "searchReduce",
        500,
        rng -> {
          MetricType metric = rng.nextInt(2) == 0 ? MetricType.L2 : MetricType.IP;
          int nq = 1 + rng.nextInt(3);
          int shardCount = 1 + rng.nextInt(4);
          int offset = rng.nextInt(4);
          int limit = 1 + rng.nextInt(6);
          List<List<List<Hit>>> shards = new ArrayList<>();
          List<ReadReply.Hits> replies = new ArrayList<>();
          for (int s = 0; s < shardCount; s++) {
            List<List<Hit>> perQuery = new ArrayList<>();
            for (int q = 0; q < nq; q++) {
              perQuery.add(randomHits(rng, metric));
            }
            shards.add(perQuery);
            replies.add(reply(perQuery));
          }

          Ranked ranked = SearchReduce.merge(replies, metric, nq, offset, limit);

          Column values = ranked.column(FIELD);
          int row = 0;
          for (int q = 0; q < nq; q++) {
            int query = q;
            List<Hit> expected =
                naive(shards.stream().map(s -> s.get(query)).toList(), metric, offset, limit);
            assertThat(ranked.counts()[q]).isEqualTo(expected.size());
            for (Hit hit : expected) {
              assertThat(ranked.keys().keyAt(row)).isEqualTo(hit.key());
              assertThat(ranked.scores()[row]).isEqualTo(hit.score());
              if (shardCount == 1) {
                assertThat(values.longAt(row)).isEqualTo(hit.value());
              }
              row++;
            }
          }
          assertThat(ranked.keys().size()).isEqualTo(row);
          assertThat(values.rows()).isEqualTo(row);
        });
  }

  @Test
  void mergesRowsAsSortingByKeyWould() {
    Seeds.forEach(
        "queryReduce",
        500,
        rng -> {
          List<ReadReply.Rows> shards = new ArrayList<>();
          Set<Long> all = new java.util.TreeSet<>();
          for (int s = 0; s < 1 + rng.nextInt(4); s++) {
            Set<Long> keys = new java.util.TreeSet<>();
            for (int i = rng.nextInt(8); i > 0; i--) {
              keys.add((long) rng.nextInt(25) - 10);
            }
            all.addAll(keys);
            long[] values = keys.stream().mapToLong(Long::longValue).toArray();
            ColumnBuilder column = new ColumnBuilder(DataType.INT64, 0, values.length);
            for (long key : values) {
              column.addInteger(key * 10);
            }
            shards.add(
                new ReadReply.Rows(
                    PrimaryKeys.of(values),
                    new ColumnBatch(values.length, Map.of(FIELD.id(), column.build())),
                    COST));
          }
          long offset = rng.nextInt(4);
          long limit = rng.nextInt(3) == 0 ? -1 : 1 + rng.nextInt(10);

          Ranked rows = QueryReduce.merge(shards, offset, limit);

          long[] expected =
              all.stream()
                  .skip(offset)
                  .limit(limit < 0 ? Long.MAX_VALUE : limit)
                  .mapToLong(Long::longValue)
                  .toArray();
          assertThat(rows.keys()).isEqualTo(PrimaryKeys.of(expected));
          Column values = rows.column(FIELD);
          for (int i = 0; i < expected.length; i++) {
            assertThat(values.longAt(i)).isEqualTo(expected[i] * 10);
          }
        });
  }
}
