package io.elanus.role.proxy.reduce;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.Invariant;
import io.elanus.base.schema.MetricType;
import io.elanus.wire.service.ReadReply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Merges the hits of shards, each best first, into the best of all: by score, ties by ascending
/// key, every key once a query, then offset and limit.
///
/// Thread-safe: stateless.
public final class SearchReduce {
  private SearchReduce() {}

  /// Hits of all queries one after another; query `i` has `counts[i]`.
  public static Ranked merge(
      List<ReadReply.Hits> shards, MetricType metric, int nq, int offset, int limit) {
    for (ReadReply.Hits hits : shards) {
      Invariant.check(hits.counts().length == nq, "a shard answered %s queries", nq);
    }
    int[] counts = new int[nq];
    int[] next = new int[shards.size()];
    Picks picks = new Picks(nq * Math.min(limit, 1024));
    for (int query = 0; query < nq; query++) {
      int[] end = new int[next.length];
      for (int shard = 0; shard < end.length; shard++) {
        end[shard] = next[shard] + shards.get(shard).counts()[query];
      }
      counts[query] = mergeQuery(shards, metric, next, end, offset, limit, picks);
      System.arraycopy(end, 0, next, 0, end.length);
    }
    List<PrimaryKeys> keys = new ArrayList<>();
    List<float[]> scores = new ArrayList<>();
    List<ColumnBatch> fields = new ArrayList<>();
    for (ReadReply.Hits hits : shards) {
      keys.add(hits.keys());
      scores.add(hits.scores());
      fields.add(hits.fields());
    }
    return new Ranked(
        counts, picks.keys(keys), picks.scores(scores), new Ranked.Source(picks, fields));
  }

  private static int mergeQuery(
      List<ReadReply.Hits> shards,
      MetricType metric,
      int[] start,
      int[] end,
      int offset,
      int limit,
      Picks picks) {
    int[] at = start.clone();
    Set<Object> seen = shards.size() > 1 ? new HashSet<>() : Set.of();
    int skipped = 0;
    int taken = 0;
    while (taken < limit) {
      int best = best(shards, metric, at, end);
      if (best < 0) {
        break;
      }
      int row = at[best]++;
      if (shards.size() > 1 && !seen.add(shards.get(best).keys().keyAt(row))) {
        continue;
      }
      if (skipped < offset) {
        skipped++;
      } else {
        picks.add(best, row);
        taken++;
      }
    }
    return taken;
  }

  private static int best(List<ReadReply.Hits> shards, MetricType metric, int[] at, int[] end) {
    int best = -1;
    for (int shard = 0; shard < at.length; shard++) {
      if (at[shard] < end[shard]
          && (best < 0 || isBetter(shards, metric, shard, at[shard], best, at[best]))) {
        best = shard;
      }
    }
    return best;
  }

  private static boolean isBetter(
      List<ReadReply.Hits> shards, MetricType metric, int a, int i, int b, int j) {
    float x = shards.get(a).scores()[i];
    float y = shards.get(b).scores()[j];
    if (x != y) {
      return metric.isLargerBetter() ? x > y : x < y;
    }
    return PrimaryKeys.compare(shards.get(a).keys(), i, shards.get(b).keys(), j) < 0;
  }

  /// Rounds in place to `digits` decimals; -1 leaves the scores as they are.
  public static void round(float[] scores, int digits) {
    if (digits < 0) {
      return;
    }
    double scale = Math.pow(10, digits);
    for (int i = 0; i < scores.length; i++) {
      double scaled = scores[i] * scale;
      if (!Double.isNaN(scaled) && !Double.isInfinite(scaled)) {
        scores[i] = (float) (Math.floor(scaled + 0.5) / scale);
      }
    }
  }
}
