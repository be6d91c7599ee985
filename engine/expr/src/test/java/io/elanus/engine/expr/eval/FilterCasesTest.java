package io.elanus.engine.expr.eval;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.expr.TestTable;
import io.elanus.engine.expr.tree.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FilterCasesTest {
  private static final long TOP = 9223372036854775806L;

  private static TestTable nulls() {
    TestTable table =
        new TestTable()
            .key("id", DataType.INT64)
            .nullable("flag", DataType.BOOL)
            .nullable("num", DataType.INT64);
    Boolean[] flags = {null, false, true};
    Integer[] nums = {null, 1, 7};
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        table.row(10 * a + b, flags[a], nums[b]);
      }
    }
    return table;
  }

  private static TestTable numbers() {
    return new TestTable()
        .key("id", DataType.INT64)
        .field("tiny", DataType.INT8)
        .field("big", DataType.INT64)
        .row(1, -128, -TOP)
        .row(2, -1, 100)
        .row(3, 5, 9007199254740992L)
        .row(4, 127, 9007199254740993L)
        .row(5, 0, TOP);
  }

  private static TestTable texts() {
    return new TestTable()
        .key("id", DataType.INT64)
        .field("s", DataType.VARCHAR)
        .row(1, "50%off")
        .row(2, "50XXoff")
        .row(3, "a_b")
        .row(4, "axb")
        .row(5, "back\\slash")
        .row(6, "back/slash")
        .row(7, "say \"hi\"")
        .row(8, "it's")
        .row(9, "")
        .row(10, "!@#$%^&*()[]{}-+=~");
  }

  private static List<Object> ids(String list) {
    return list.isBlank()
        ? List.of()
        : List.of(java.util.Arrays.stream(list.trim().split(" ")).map(Integer::valueOf).toArray());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "not ((flag == true) and (num == 1)); 2 10 11 12 22",
        "not ((flag == true) or (num > 5)); 11",
        "not (not (num is null)); 0 10 20",
        "not (flag is not null); 0 1 2",
        "(flag == true) or (num is null); 0 10 20 21 22",
        "num != 1; 2 12 22",
        "not (num in [1, 3]); 2 12 22",
        "not ((flag == true) and (flag is not null) and (num == 7 or num == 1)); 0 1 2 10 11 12",
        "(num > 0) and (flag == false); 11 12",
        "flag; 20 21 22",
        "not flag; 10 11 12",
        "flag and num > 0; 21 22",
        "num in []; ``",
        "num not in []; 1 2 11 12 21 22",
        "true; 0 1 2 10 11 12 20 21 22",
        "false; ``",
        "1 < 2; 0 1 2 10 11 12 20 21 22",
        "``; 0 1 2 10 11 12 20 21 22",
        "`  `; 0 1 2 10 11 12 20 21 22",
        "flag is null and num is not null; 1 2",
        "num % 2 == 1; 1 2 11 12 21 22",
        "not (num % 2 == 0); 1 2 11 12 21 22",
        "0 < num <= 1; 1 11 21",
        "7 >= num > 1; 2 12 22",
        "flag == (1 < 2); 20 21 22",
        "num == 1 or num == 7; 1 2 11 12 21 22",
        "not (num == 1 or num == 5 or num in [8]); 2 12 22",
        "flag in [true]; 20 21 22",
        "flag not in [true, false]; ``",
        "flag != false; 20 21 22",
      })
  void nullsAreUnknown(String filter, String want) {
    assertThat(nulls().select(filter == null ? "" : filter))
        .isEqualTo(ids(want == null ? "" : want));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "tiny > 200; ``",
        "tiny < 200; 1 2 3 4 5",
        "tiny != 256; 1 2 3 4 5",
        "tiny == 256; ``",
        "tiny in [5, 261]; 3",
        "tiny not in [5, 261]; 1 2 4 5",
        "tiny >= -128; 1 2 3 4 5",
        "big == 9007199254740993; 4",
        "big > 9007199254740992; 4 5",
        "big + 33 <= 19974; 1 2",
        "big == 9223372036854775806; 5",
        "big - -33 > 0; 2 3 4 5",
        "big - 33 >= 0; 2 3 4 5",
        "big * 4 > 0; 2 3 4 5",
        "big * -4 > 0; 1",
        "big * 2 == 200; 2",
        "big / -1 == -100; 2",
        "big / 3 == 33; 2",
        "tiny / 2 == 0; 2 5",
        "tiny % 5 == -3; 1",
        "big + 9223372036854775807 > 0; 1 2 3 4 5",
        "big - 9223372036854775807 != -9223372036854775808; 1 2 3 4 5",
        "big - 9223372036854775807 < -9223372036854775808; 1",
        "big >= -9223372036854775808; 1 2 3 4 5",
        "big < -9223372036854775808; ``",
        "big > 9223372036854775807; ``",
        "tiny < big; 2 3 4 5",
        "tiny >= big; 1",
        "33 + tiny == 38; 3",
        "2 * tiny == 10; 3",
        "-1 <= tiny < 5; 2 5",
        "id in [0x1, 0b10, 03]; 1 2 3",
        "id == 2 ** 2; 4",
        "id == 7 / 2; 3",
        "id == 2 + 3 * 4 - 9; 5",
        "id == -(-2); 2",
        "3 == id; 3",
        "3 < id; 4 5",
        "3 >= id; 1 2 3",
        "tiny == 5 or tiny == 6 or tiny == 127; 3 4",
      })
  void numbersCompareByValue(String filter, String want) {
    assertThat(numbers().select(filter)).isEqualTo(ids(want == null ? "" : want));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "s like \"50\\\\%off\" | 1",
        "s like \"50%off\" | 1 2",
        "s like \"a\\\\_b\" | 3",
        "s like \"a_b\" | 3 4",
        "s like \"%\\\\%%\" | 1 10",
        "s == \"back\\\\slash\" | 5",
        "s == 'say \"hi\"' | 7",
        "s == \"say \\\"hi\\\"\" | 7",
        "s == \"it's\" | 8",
        "s == 'it\\'s' | 8",
        "s in [\"a_b\", \"50%off\"] | 1 3",
        "s like \"\" | 9",
        "s == \"\" | 9",
        "s == \"!@#$%^&*()[]{}-+=~\" | 10",
        "not s like \"%a%\" | 1 2 8 9 10",
        "s not in [\"a_b\"] | 1 2 4 5 6 7 8 9 10",
        "s >= \"b\" | 5 6 7 8",
        "\"a\" < s < \"b\" | 3 4",
        "empty(s) | 9",
        "starts_with(s, \"50%\") | 1",
        "STARTS_WITH(s, \"back\") | 5 6",
        "s != \"\" and s < \"5\" | 10",
        "s == r\"back\\slash\" | 5",
        "s like \"50\\%off\" | 1",
        "s == \"\\x61_\\u0062\" | 3",
      })
  void textsMatchLiterally(String filter, String want) {
    assertThat(texts().select(filter)).isEqualTo(ids(want));
  }

  @Test
  void floatsCompareInTheirOwnWidth() {
    TestTable table =
        new TestTable()
            .key("id", DataType.INT64)
            .field("f", DataType.FLOAT)
            .field("d", DataType.DOUBLE)
            .row(1, 0.1f, 0.1)
            .row(2, -0.0f, 0.0)
            .row(3, Float.NaN, Double.NaN)
            .row(4, 16777216f, 16777217.0);

    assertThat(table.select("f == 0.1")).containsExactly(1);
    assertThat(table.select("d == 0.1")).containsExactly(1);
    assertThat(table.select("f in [0.1, 7]")).containsExactly(1);
    assertThat(table.select("f == 0 and d == 0")).containsExactly(2);
    assertThat(table.select("f in [0] and d in [-0.0]")).containsExactly(2);
    assertThat(table.select("f < 0 or f > 0")).containsExactly(1, 4);
    assertThat(table.select("f != 0.1")).containsExactly(2, 3, 4);
    assertThat(table.select("f == 16777217")).containsExactly(4);
    assertThat(table.select("d == 16777216")).isEmpty();
    assertThat(table.select("f < d")).containsExactly(4);
    assertThat(table.select("f + 0.1 == 0.2")).containsExactly(1);
    assertThat(table.select("d + 1 > 1")).containsExactly(1, 4);
    assertThat(table.select("0.05 < d < 0.15")).containsExactly(1);
    assertThat(table.select("id >= d")).containsExactly(1, 2);
    assertThat(table.select("f < 1e300 and f > -1e300")).containsExactly(1, 2, 4);
  }

  @Test
  void templatesStandForConstants() {
    TestTable table = numbers();
    Map<String, Value> values =
        Map.of(
            "five", Value.of(5L),
            "low", Value.of(0L),
            "ids", Value.of(List.of(Value.of(1L), Value.of(4L))));

    assertThat(table.select("tiny == {five}", values)).containsExactly(3);
    assertThat(table.select("{five} > tiny", values)).containsExactly(1, 2, 5);
    assertThat(table.select("id in {ids}", values)).containsExactly(1, 4);
    assertThat(table.select("id not in {ids}", values)).containsExactly(2, 3, 5);
    assertThat(table.select("{low} <= tiny <= {five}", values)).containsExactly(3, 5);
    assertThat(table.select("tiny + {five} == {five}", values)).containsExactly(5);
    assertThat(texts().select("s like {p}", Map.of("p", Value.of("a%b")))).containsExactly(3, 4);
  }

  @Test
  void fieldsAddedLaterHoldTheirDefault() {
    TestTable table =
        numbers()
            .later("none", DataType.VARCHAR, null)
            .later("seven", DataType.INT64, new FieldSchema.DefaultValue.Whole(7))
            .dynamic();

    assertThat(table.select("none is null")).hasSize(5);
    assertThat(table.select("none == \"x\" or id == 1")).containsExactly(1);
    assertThat(table.select("seven == 7 and id > 3")).containsExactly(4, 5);
    assertThat(table.select("seven > id")).hasSize(5);
    assertThat(table.select("other != 1")).hasSize(5);
    assertThat(table.select("other is null")).hasSize(5);
  }

  @Test
  void longListsAndChainsWork() {
    StringBuilder list = new StringBuilder("id in [");
    StringBuilder chain = new StringBuilder("id == -1");
    StringBuilder words = new StringBuilder("s in [\"a_b\"");
    for (int i = 0; i < 20_000; i++) {
      list.append(i * 1_000_003L + 5).append(',');
      chain.append(" or id == ").append(i + 4);
      words.append(",\"w").append(i).append('"');
    }

    assertThat(numbers().select(list + "]")).containsExactly(5);
    assertThat(numbers().select(chain.toString())).containsExactly(4, 5);
    assertThat(texts().select(words + "]")).containsExactly(3);
    assertThat(texts().select(chain + " and not (" + chain + ")"))
        .containsExactly(4, 5, 6, 7, 8, 9, 10);
  }

  @Test
  void samplesTakeTheirShareOfThePassingRows() {
    TestTable table = new TestTable().key("id", DataType.INT64);
    for (int i = 0; i < 10_000; i++) {
      table.row(i);
    }

    assertThat(table.select("random_sample(0.1)")).hasSize(1000);
    assertThat(table.select("id % 2 == 0 and random_sample(0.75)"))
        .hasSize(3750)
        .allMatch(id -> (Integer) id % 2 == 0);
    assertThat(table.select("id < 3 and random_sample(0.999)")).hasSizeBetween(2, 3);
    assertThat(table.select("id < 0 and random_sample(0.5)")).isEmpty();
    assertThat(table.select("random_sample(0.5)")).isNotEqualTo(table.select("id % 2 == 0"));
  }

  @Test
  void evaluatesRangesIntoTheirPlace() {
    TestTable table = new TestTable().key("id", DataType.INT64);
    for (int i = 0; i < 10_000; i++) {
      table.row(i);
    }
    Predicate predicate = Compiler.compile(table.parse("id % 3 == 0"));
    ColumnSource source = ColumnSource.of(table.batch());
    long[] whole = predicate.evaluate(source);

    long[] pieces = new long[Predicate.words(10_000)];
    predicate.evaluate(source, 0, 4_992, pieces);
    predicate.evaluate(source, 4_992, 10_000, pieces);
    long[] part = new long[Predicate.words(10_000)];
    predicate.evaluate(source, 128, 130, part);

    assertThat(pieces).isEqualTo(whole);
    assertThat(java.util.Arrays.stream(whole).map(Long::bitCount).sum()).isEqualTo(3334);
    assertThat(part[2]).isEqualTo(whole[2] & 3);
    assertThat(java.util.Arrays.stream(part).filter(w -> w != 0).count()).isEqualTo(1);
  }
}
