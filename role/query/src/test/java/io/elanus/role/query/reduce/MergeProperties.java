package io.elanus.role.query.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.random.Rng;
import io.elanus.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Merges against sorting everything.
class MergeProperties {
  private record Hit(long key, float score, long ts) {}

  /// A source whose hits for each query are given, best first.
  private record Hits(List<List<Hit>> queries, boolean textKeys) implements HitSource {
    @Override
    public int count(int query) {
      return queries.get(query).size();
    }

    @Override
    public float scoreAt(int query, int rank) {
      return queries.get(query).get(rank).score;
    }

    @Override
    public PrimaryKeys keysOf(int query) {
      return keys(queries.get(query).stream().map(Hit::key).toList(), textKeys);
    }

    @Override
    public long rowTsAt(int query, int rank) {
      return queries.get(query).get(rank).ts;
    }

    @Override
    public int rowAt(int query, int rank) {
      return 1000 * query + rank;
    }
  }

  private static PrimaryKeys keys(List<Long> keys, boolean textKeys) {
    return textKeys
        ? PrimaryKeys.of(keys.stream().map(MergeProperties::text).toArray(String[]::new))
        : PrimaryKeys.of(keys.stream().mapToLong(Long::longValue).toArray());
  }

  /// Ordered like the numbers.
  private static String text(long key) {
    return String.format(java.util.Locale.ROOT, "%05d", key);
  }

  @Test
  void hitsComeByScoreThenKeyAndEachKeyOnce() {
    Seeds.forEach("hit-merge", 300, MergeProperties::mergeHits);
  }

  private static void mergeHits(Rng rng) {
    boolean textKeys = rng.nextInt(2) == 0;
    boolean largerIsBetter = rng.nextInt(2) == 0;
    int nq = 1 + rng.nextInt(4);
    int k = 1 + rng.nextInt(rng.nextInt(3) == 0 ? 200 : 10);
    int scores = 1 + rng.nextInt(1000);
    Comparator<Hit> byScore =
        largerIsBetter
            ? Comparator.comparing(Hit::score, Comparator.reverseOrder())
            : Comparator.comparingDouble(Hit::score);
    List<Hits> sources = new ArrayList<>();
    int count = rng.nextInt(5);
    for (int s = 0; s < count; s++) {
      List<List<Hit>> queries = new ArrayList<>();
      for (int q = 0; q < nq; q++) {
        // Keys of a source are its own, so that every hit of a key is among the best k of
        // somewhere.
        Set<Long> used = new HashSet<>();
        List<Hit> hits = new ArrayList<>();
        int n = rng.nextInt(k + 1);
        for (int i = 0; i < n; i++) {
          long key = rng.nextInt(400);
          if (used.add(key)) {
            hits.add(new Hit(key, rng.nextInt(scores), rng.nextInt(1000)));
          }
        }
        hits.sort(byScore);
        queries.add(hits);
      }
      sources.add(new Hits(queries, textKeys));
    }

    MergedHits merged = HitMerge.merge(sources, nq, k, largerIsBetter, textKeys);

    int at = 0;
    for (int q = 0; q < nq; q++) {
      Map<Long, Hit> best = new LinkedHashMap<>();
      List<Hit> all = new ArrayList<>();
      for (Hits source : sources) {
        all.addAll(source.queries.get(q));
      }
      all.sort(byScore);
      all.forEach(hit -> best.putIfAbsent(hit.key, hit));
      List<Hit> expected = new ArrayList<>(best.values());
      expected.sort(byScore.thenComparingLong(Hit::key));
      int wanted = Math.min(k, expected.size());
      assertThat(merged.counts()[q]).isEqualTo(wanted);
      for (int i = 0; i < wanted; i++, at++) {
        assertThat(merged.scores()[at]).isEqualTo(expected.get(i).score);
        Object key = merged.keys().keyAt(at);
        Hit found =
            sources.get(merged.sources()[at]).queries.get(q).get(merged.rows()[at] - 1000 * q);
        assertThat(key).isEqualTo(textKeys ? text(found.key) : (Object) found.key);
        assertThat(merged.rowTs()[at]).isEqualTo(found.ts);
        boolean isLastScore =
            expected.get(i).score == expected.get(wanted - 1).score && expected.size() > wanted;
        if (!isLastScore) {
          assertThat(found.key).isEqualTo(expected.get(i).key);
        }
      }
    }
    assertThat(merged.size()).isEqualTo(at);
  }

  @Test
  void rowsComeByKeyAndTheNewestOfEach() {
    Seeds.forEach("row-merge", 300, MergeProperties::mergeRows);
  }

  private static void mergeRows(Rng rng) {
    boolean textKeys = rng.nextInt(2) == 0;
    List<RowMerge.Sorted> inputs = new ArrayList<>();
    TreeMap<Long, Long> newest = new TreeMap<>();
    int count = rng.nextInt(6);
    for (int s = 0; s < count; s++) {
      TreeMap<Long, Long> rows = new TreeMap<>();
      int n = rng.nextInt(40);
      for (int i = 0; i < n; i++) {
        rows.put((long) rng.nextInt(60), (long) rng.nextInt(1000));
      }
      rows.forEach((key, ts) -> newest.merge(key, ts, Math::max));
      int[] offsets = new int[rows.size()];
      for (int i = 0; i < offsets.length; i++) {
        offsets[i] = 100 * s + i;
      }
      inputs.add(
          new RowMerge.Sorted(
              keys(new ArrayList<>(rows.keySet()), textKeys),
              rows.values().stream().mapToLong(Long::longValue).toArray(),
              offsets));
    }
    long limit = rng.nextInt(3) == 0 ? -1 : rng.nextInt(70);

    RowMerge.Merged merged = RowMerge.merge(inputs, limit, textKeys);

    List<Long> expected =
        newest.keySet().stream().limit(limit < 0 ? Long.MAX_VALUE : limit).toList();
    assertThat(merged.keys()).isEqualTo(keys(expected, textKeys));
    for (int i = 0; i < merged.size(); i++) {
      assertThat(merged.rowTs()[i]).isEqualTo(newest.get(expected.get(i)));
      RowMerge.Sorted source = inputs.get(merged.sources()[i]);
      int index = merged.rows()[i] - 100 * merged.sources()[i];
      assertThat(source.keys().keyAt(index)).isEqualTo(merged.keys().keyAt(i));
      assertThat(source.rowTs()[index]).isEqualTo(merged.rowTs()[i]);
    }
  }
}
