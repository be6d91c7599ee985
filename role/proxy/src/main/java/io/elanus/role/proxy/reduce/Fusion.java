package io.elanus.role.proxy.reduce;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.schema.MetricType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Fuses the ranked hits of several searches into one ranking (search contract, section 8).
///
/// Thread-safe: stateless.
public final class Fusion {
  private Fusion() {}

  /// How a hit of one search counts.
  public sealed interface Scorer {
    /// Reciprocal rank: 1 / (k + rank), rank from 1.
    record Rrf(double k) implements Scorer {}

    /// Weighted scores; with `normalised` brought to 0..1 before, else as they are unless searches
    /// differ in direction.
    record Weighted(List<Double> weights, boolean normalised) implements Scorer {
      public Weighted {
        weights = List.copyOf(weights);
      }
    }
  }

  /// One search's hits, merged over its shards, and its metric.
  public record Searched(Ranked hits, MetricType metric) {}

  private static final class Entry {
    final int source;
    final int row;
    double score;

    Entry(int source, int row) {
      this.source = source;
      this.row = row;
    }
  }

  /// Fuses `searches`, which all ran the same `nq` queries. Fields of a hit come from the first
  /// search that found it.
  public static Ranked fuse(List<Searched> searches, Scorer scorer, int nq, int offset, int limit) {
    boolean largerIsBetter = resultIsLargerBetter(searches, scorer);
    boolean mixed = isMixed(searches);
    Picks picks = new Picks(nq * Math.min(limit, 1024));
    List<Double> scores = new ArrayList<>();
    int[] counts = new int[nq];
    int[] start = new int[searches.size()];
    List<PrimaryKeys> keys = new ArrayList<>();
    for (Searched searched : searches) {
      keys.add(searched.hits().keys());
    }
    for (int query = 0; query < nq; query++) {
      Map<Object, Entry> entries = new LinkedHashMap<>();
      for (int s = 0; s < searches.size(); s++) {
        Searched searched = searches.get(s);
        int count = searched.hits().counts()[query];
        for (int rank = 0; rank < count; rank++) {
          int row = start[s] + rank;
          int source = s;
          Entry entry =
              entries.computeIfAbsent(
                  searched.hits().keys().keyAt(row), key -> new Entry(source, row));
          float score = searched.hits().scores()[row];
          entry.score += points(scorer, s, rank, score, searched.metric(), mixed);
        }
        start[s] += count;
      }
      counts[query] = take(entries, keys, largerIsBetter, offset, limit, picks, scores);
    }
    return result(searches, picks, scores, counts, keys);
  }

  private static int take(
      Map<Object, Entry> entries,
      List<PrimaryKeys> keys,
      boolean largerIsBetter,
      int offset,
      int limit,
      Picks picks,
      List<Double> scores) {
    List<Entry> ranked = new ArrayList<>(entries.values());
    ranked.sort((a, b) -> {
      int byScore = Double.compare(a.score, b.score);
      if (byScore != 0) {
        return largerIsBetter ? -byScore : byScore;
      }
      return PrimaryKeys.compare(keys.get(a.source), a.row, keys.get(b.source), b.row);
    });
    int to = (int) Math.min(ranked.size(), (long) offset + limit);
    for (int i = offset; i < to; i++) {
      picks.add(ranked.get(i).source, ranked.get(i).row);
      scores.add(ranked.get(i).score);
    }
    return Math.max(0, to - offset);
  }

  private static Ranked result(
      List<Searched> searches,
      Picks picks,
      List<Double> scores,
      int[] counts,
      List<PrimaryKeys> keys) {
    float[] values = new float[scores.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = scores.get(i).floatValue();
    }
    return new Ranked(counts, picks.keys(keys), values, fields(searches, picks));
  }

  /// Rows of rows: a fused hit points at a merged hit, which points at a shard's row.
  private static Ranked.Source fields(List<Searched> searches, Picks picks) {
    List<ColumnBatch> batches = new ArrayList<>();
    int[] firstBatch = new int[searches.size()];
    for (int s = 0; s < searches.size(); s++) {
      firstBatch[s] = batches.size();
      batches.addAll(searches.get(s).hits().source().fields());
    }
    Picks direct = new Picks(picks.size());
    for (int i = 0; i < picks.size(); i++) {
      int search = picks.sourceAt(i);
      Picks inner = searches.get(search).hits().source().picks();
      int row = picks.rowAt(i);
      direct.add(firstBatch[search] + inner.sourceAt(row), inner.rowAt(row));
    }
    return new Ranked.Source(direct, batches);
  }

  private static boolean isMixed(List<Searched> searches) {
    boolean larger = searches.get(0).metric().isLargerBetter();
    return searches.stream().anyMatch(s -> s.metric().isLargerBetter() != larger);
  }

  private static boolean resultIsLargerBetter(List<Searched> searches, Scorer scorer) {
    return switch (scorer) {
      case Scorer.Rrf rrf -> true;
      case Scorer.Weighted weighted ->
          weighted.normalised() || isMixed(searches) || searches.get(0).metric().isLargerBetter();
    };
  }

  private static double points(
      Scorer scorer, int search, int rank, float score, MetricType metric, boolean mixed) {
    return switch (scorer) {
      case Scorer.Rrf(double k) -> 1 / (k + rank + 1);
      case Scorer.Weighted weighted -> {
        double value = score;
        if (weighted.normalised()) {
          value = normalised(score, metric);
        } else if (mixed && !metric.isLargerBetter()) {
          value = 1 - 2 * Math.atan(score) / Math.PI;
        }
        yield weighted.weights().get(search) * value;
      }
    };
  }

  private static double normalised(float score, MetricType metric) {
    return switch (metric) {
      case COSINE -> (1 + score) / 2.0;
      case IP -> 0.5 + Math.atan(score) / Math.PI;
      case BM25 -> 2 * Math.atan(score) / Math.PI;
      case L2,
          HAMMING,
          JACCARD,
          SUBSTRUCTURE,
          SUPERSTRUCTURE,
          MHJACCARD,
          MAX_SIM,
          MAX_SIM_COSINE,
          MAX_SIM_IP,
          MAX_SIM_L2,
          MAX_SIM_HAMMING,
          MAX_SIM_JACCARD ->
          1 - 2 * Math.atan(score) / Math.PI;
    };
  }
}
