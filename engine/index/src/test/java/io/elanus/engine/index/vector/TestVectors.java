package io.elanus.engine.index.vector;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.MetricType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Seeded vectors and the naive answers about them.
final class TestVectors {
  final int dim;
  final float[][] rows;

  private TestVectors(int dim, float[][] rows) {
    this.dim = dim;
    this.rows = rows;
  }

  /// Points around `clusters` centres: what graphs and lists are made for.
  static TestVectors clustered(long seed, int count, int dim, int clusters) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] centres = new float[clusters][dim];
    for (float[] centre : centres) {
      for (int i = 0; i < dim; i++) {
        centre[i] = (float) random.nextGaussian();
      }
    }
    float[][] rows = new float[count][dim];
    for (float[] row : rows) {
      float[] centre = centres[random.nextInt(clusters)];
      for (int i = 0; i < dim; i++) {
        row[i] = centre[i] + 0.6f * (float) random.nextGaussian();
      }
    }
    return new TestVectors(dim, rows);
  }

  static TestVectors of(float[]... rows) {
    return new TestVectors(rows[0].length, rows);
  }

  TestVectors slice(int from, int to) {
    return new TestVectors(dim, java.util.Arrays.copyOfRange(rows, from, to));
  }

  Column column() {
    ColumnBuilder builder = new ColumnBuilder(DataType.FLOAT_VECTOR, dim, rows.length);
    for (float[] row : rows) {
      builder.addFloatVector(row, 0);
    }
    return builder.build();
  }

  static double score(MetricType metric, float[] a, float[] b) {
    double dot = 0;
    double l2 = 0;
    double na = 0;
    double nb = 0;
    for (int i = 0; i < a.length; i++) {
      dot += (double) a[i] * b[i];
      l2 += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
      na += (double) a[i] * a[i];
      nb += (double) b[i] * b[i];
    }
    return switch (metric) {
      case L2 -> l2;
      case IP -> dot;
      case COSINE -> na == 0 || nb == 0 ? 0 : dot / Math.sqrt(na * nb);
      default -> throw new IllegalArgumentException(metric.name());
    };
  }

  /// The exact `k` best rows that pass filter and range, best first, ties by lower row.
  List<Integer> truth(
      MetricType metric, float[] query, int k, SearchParams params, @Nullable RowSet filter) {
    List<Integer> passing = new ArrayList<>();
    double[] scores = new double[rows.length];
    for (int row = 0; row < rows.length; row++) {
      scores[row] = score(metric, query, rows[row]);
      if ((filter == null || filter.contains(row)) && params.inRange((float) scores[row], metric)) {
        passing.add(row);
      }
    }
    Comparator<Integer> byScore = Comparator.comparingDouble(row -> scores[row]);
    passing.sort(
        (metric.isLargerBetter() ? byScore.reversed() : byScore)
            .thenComparing(Comparator.naturalOrder()));
    return passing.subList(0, Math.min(k, passing.size()));
  }

  static RowSet randomSet(long seed, int rows, double share) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] words = new long[(rows + 63) / 64];
    for (int row = 0; row < rows; row++) {
      if (random.nextDouble() < share) {
        words[row >> 6] |= 1L << row;
      }
    }
    return RowSet.of(words, rows);
  }

  static List<Integer> rowsOf(TopK hits) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < hits.size(); i++) {
      found.add(hits.rowAt(i));
    }
    return found;
  }

  /// Share of the true rows that were found, over all queries.
  static double recall(
      VectorIndex index,
      TestVectors base,
      TestVectors queries,
      int k,
      SearchParams params,
      @Nullable RowSet filter) {
    TopK out = new TopK();
    int hits = 0;
    int wanted = 0;
    for (float[] query : queries.rows) {
      List<Integer> truth = base.truth(index.metric(), query, k, params, filter);
      index.search(query, 0, k, params, filter, out);
      for (int row : rowsOf(out)) {
        hits += truth.contains(row) ? 1 : 0;
      }
      wanted += truth.size();
    }
    return wanted == 0 ? 1 : (double) hits / wanted;
  }
}
