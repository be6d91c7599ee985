package io.elanus.engine.expr.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.TestTable;
import io.elanus.engine.expr.tree.Analysis;
import io.elanus.engine.expr.tree.Expr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FilterGrammarTest {
  private final TestTable table =
      new TestTable()
          .key("id", DataType.INT64)
          .field("a", DataType.INT64)
          .field("b", DataType.INT64)
          .field("d", DataType.DOUBLE)
          .field("s", DataType.VARCHAR)
          .field("flag", DataType.BOOL)
          .field("j", DataType.JSON)
          .dynamic();

  private String canonical(String filter) {
    return Analysis.canonicalText(table.parse(filter));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "a == 1 or b == 2 and flag; a == 1 or (b == 2 and flag)",
        "not flag and a == 1; (not flag) and a == 1",
        "not s like 'x%'; not (s like 'x%')",
        "! flag || NOT flag; (not flag) or (not flag)",
        "a == 1 && b == 2 AND flag; a == 1 and b == 2 and flag == true",
        "a == 1 + 2 * 3; a == 7",
        "a == (1 + 2) * 3; a == 9",
        "a == 7 / 2 * 2; a == 6",
        "a == -7 / 2; a == -3",
        "a == -7 % 4; a == -3",
        "a == 2 ** 3 ** 2; a == 64",
        "a == -2 ** 2; a == -4",
        "a == 10 - 3 - 2; a == 5",
        "d == 7 / 2.0; d == 3.5",
        "d == 2 ** -1; d == 0.5",
        "a == 3 ** 39; a == 4052555153018976267",
        "d == 2 ** 63; d == 9223372036854775808.0",
        "a == 0x1F; a == 31",
        "a == 0b101; a == 5",
        "a == 017; a == 15",
        "d == .5; d == 0.5",
        "d == 5.; d == 5.0",
        "d == 1e3; d == 1000.0",
        "d == 0x1.8p1; d == 3.0",
        "a == + 5; a == 5",
        "5 < a; a > 5",
        "5 >= a; a <= 5",
        "1 < a <= 3; 3 >= a > 1",
        "a not in [1, 2,]; not (a in [1, 2])",
        "a NOT IN []; not (a in [ ])",
        "s == u8'x'; s == \"x\"",
        "s == L'x'; s == 'x'",
        "s == r'a\\nb'; s == 'a\\\\nb'",
        "s == '\\t\\n\\\\\\?\\a'; s == '\\x09\\12\\x5c?\\7'",
        "s == '\\u4e2d\\U0001F600'; s == '中😀'",
        "s == '\\ud83d\\ude00'; s == '😀'",
        "s == '\\d'; s == '\\\\d'",
        "k == 1; $meta['k'] == 1",
        "k['x'] == 1; $meta[\"k\"][\"x\"] == 1",
        "j['a'][0] == 1; j[\"a\"][0] == 1",
        "j['a]['] == 1; j[\"a][\"] == 1",
        "k is null; not exists k",
        "j['a'] is not null; exists j['a']",
        "exists j['a'] and flag; (exists j['a']) and flag",
        "not exists j['a']; not (exists j['a'])",
        "a == 1 or (b == 2 or (flag or false)); a == 1 or b == 2 or flag",
        "a == 1 and true; a == 1",
        "a == 1 and false; false",
        "a == 1 or true; true",
        "true and true; true",
        "not true; false",
        "1 <= 2 and 'a' < 'b' and 1.5 > 1; true",
        "'a' != 'a' or 1 == 1.0; true",
        "array_contains(j['a'], 1); json_contains(j['a'], 1)",
        "ARRAY_CONTAINS_ALL(j['a'], [1]); json_contains_all(j['a'], [1])",
        "empty(s); s == ''",
        "1 + a == 3; a + 1 == 3",
        "3 == a % 2; a % 2 == 3",
        "a in[1,2]; a in [1, 2]",
        "d > 1; d > 1.0",
        "True == flag; flag",
        "a == (6 & 3); a == 2",
        "(1 | a) == 1; (a | 1) == 1",
        "a == 1 and (b == 2 and random_sample(0.5)); a == 1 and b == 2 and random_sample(0.5)",
        "RANDOM_SAMPLE(.5); true and random_sample(0.5)",
      })
  void meansTheSame(String filter, String same) {
    assertThat(canonical(filter)).isEqualTo(canonical(same));
  }

  @Test
  void theSmallestIntegerIsALiteral() {
    assertThat(canonical("a == -9223372036854775808")).isEqualTo("(== f101 -9223372036854775808)");
    assertThat(canonical("a == -(9223372036854775807) - 1"))
        .isEqualTo("(== f101 -9223372036854775808)");
  }

  @Test
  void whiteSpaceIsSkipped() {
    assertThat(canonical("a\t==\r\n1 ")).isEqualTo("(== f101 1)");
  }

  @Test
  void namesAreCaseSensitive() {
    assertThat(canonical("A == 1")).isEqualTo("(== f107/1:A 1)");
    assertThat(canonical("a == 1")).isEqualTo("(== f101 1)");
  }

  @Test
  void keywordsMayStartNames() {
    assertThat(canonical("inner == 1 and not_x == 2 and likes == 3 and isx == 4"))
        .isEqualTo(
            "(and (== f107/5:inner 1) (== f107/5:not_x 2) (== f107/5:likes 3) (== f107/3:isx 4))");
  }

  @Test
  void chainsStayFlat() {
    assertThat(table.parse("a == 1 and (b == 2 and flag) and s == 'x'"))
        .isInstanceOfSatisfying(Expr.And.class, and -> assertThat(and.operands()).hasSize(4));
  }
}
