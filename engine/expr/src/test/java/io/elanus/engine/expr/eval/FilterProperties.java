package io.elanus.engine.expr.eval;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.random.Rng;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.TestTable;
import io.elanus.engine.expr.tree.Analysis;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FilterText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Random filters over random rows, against the row-at-a-time [NaiveEvaluator].
/// `-Delanus.seed=<seed>` runs one seed again, `-Delanus.rounds=<n>` runs more of them.
final class FilterProperties {
  private static final int ROUNDS = 50;

  @Test
  void agreesWithTheNaiveEvaluator() {
    Long fixed = Long.getLong("elanus.seed");
    Rng seeds = new Rng(0x5EED).split("FilterProperties");
    int rounds = fixed != null ? 1 : Integer.getInteger("elanus.rounds", ROUNDS);
    for (int i = 0; i < rounds; i++) {
      long seed = fixed != null ? fixed : seeds.nextLong();
      run(new Rng(seed), "replay with -Delanus.seed=" + seed);
    }
  }

  private static void run(Rng rng, String replay) {
    RandomFilters filters = new RandomFilters(rng);
    int rows = rng.nextInt(4) == 0 ? 4000 + rng.nextInt(300) : rng.nextInt(150);
    TestTable table = filters.table(rows);
    ColumnSource source = ColumnSource.of(table.batch());
    for (int f = 0; f < 12; f++) {
      String text = filters.filter(3);
      Expr expr = table.parse(text);
      long[] bits = Compiler.compile(expr).evaluate(source);
      NaiveEvaluator naive = new NaiveEvaluator(table.schema());
      List<Integer> got = new ArrayList<>();
      List<Integer> want = new ArrayList<>();
      for (int r = 0; r < rows; r++) {
        if ((bits[r >> 6] >>> (r & 63) & 1) != 0) {
          got.add(r);
        }
        if (Boolean.TRUE.equals(naive.eval(expr, table.rows().get(r)))) {
          want.add(r);
        }
      }
      assertThat(got).as("%s, filter %s", replay, text).isEqualTo(want);
      if ((rows & 63) != 0) {
        assertThat(bits[bits.length - 1] >>> (rows & 63))
            .as("%s bits past the end", replay)
            .isZero();
      }
      assertThat(Analysis.canonicalText(table.parse("(" + text + ")")))
          .as(replay)
          .isEqualTo(Analysis.canonicalText(expr));
      assertThat(table.parse(FilterText.of(expr)))
          .as("%s, filter %s written as %s", replay, text, FilterText.of(expr))
          .isEqualTo(expr);
    }
  }

  @Test
  void theGeneratorReachesEveryType() {
    RandomFilters filters = new RandomFilters(new Rng(1));
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      all.append(filters.filter(2)).append('\n');
    }
    for (DataType type : RandomFilters.TYPES) {
      assertThat(all).contains(RandomFilters.name(type, 0));
    }
    assertThat(all)
        .contains(
            " like ",
            " in [",
            " not in [",
            " is null",
            " exists ",
            "json_contains",
            " % ",
            "not (",
            " and ",
            " or ",
            "array_length",
            "<= i64_0 <");
  }
}
