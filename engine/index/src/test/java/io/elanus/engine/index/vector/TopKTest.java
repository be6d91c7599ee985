package io.elanus.engine.index.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.schema.MetricType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TopKTest {
  @Test
  void keepsTheBestWithTiesByLowerRow() {
    SplittableRandom random = new SplittableRandom(4);
    TopK top = new TopK();
    for (MetricType metric : List.of(MetricType.L2, MetricType.IP)) {
      for (int k : new int[] {1, 2, 7, 100, 1000}) {
        top.reset(k, metric);
        List<float[]> all = new ArrayList<>();
        for (int row = 499; row >= 0; row--) {
          float score = random.nextInt(-20, 20) / 4f;
          all.add(new float[] {row, score});
          top.offer(row, score);
        }
        top.finish();

        Comparator<float[]> byScore = Comparator.comparingDouble(hit -> hit[1] + 0.0f);
        all.sort(
            (metric.isLargerBetter() ? byScore.reversed() : byScore)
                .thenComparingDouble(hit -> hit[0]));
        assertThat(top.size()).isEqualTo(Math.min(k, 500));
        for (int i = 0; i < top.size(); i++) {
          assertThat(top.rowAt(i)).isEqualTo((int) all.get(i)[0]);
          assertThat(top.scoreAt(i)).isEqualTo(all.get(i)[1]);
        }
      }
    }
  }

  @Test
  void takesNothingWhenKIsZero() {
    TopK top = new TopK();
    top.reset(0, MetricType.L2);
    top.offer(1, 1);
    top.finish();
    assertThat(top.size()).isZero();
  }

  @Test
  void bothZerosAreOneScore() {
    TopK top = new TopK();
    top.reset(2, MetricType.IP);
    top.offer(5, 0.0f);
    top.offer(3, -0.0f);
    top.finish();
    assertThat(top.rowAt(0)).isEqualTo(3);
  }
}
