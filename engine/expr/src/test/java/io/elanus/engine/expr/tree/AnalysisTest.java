package io.elanus.engine.expr.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.TestTable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AnalysisTest {
  private final TestTable table =
      new TestTable()
          .key("id", DataType.INT64)
          .field("a", DataType.INT32)
          .field("s", DataType.VARCHAR)
          .dynamic();

  private PrimaryKeyLookup lookup(String filter) {
    return Objects.requireNonNull(Analysis.primaryKeyLookup(table.parse(filter)), filter);
  }

  @Test
  void findsKeysThatAreTheWholeFilter() {
    assertThat(lookup("id == 7").keys()).isEqualTo(PrimaryKeys.of(7));
    assertThat(lookup("7 == id").isWhole()).isTrue();
    assertThat(lookup("id in [3, 1, 3]").keys()).isEqualTo(PrimaryKeys.of(3, 1));
    assertThat(lookup("(id in [3] or id == 1)").keys()).isEqualTo(PrimaryKeys.of(3, 1));
    assertThat(lookup("id in []").keys().size()).isZero();
  }

  @Test
  void findsKeysBesideOtherTests() {
    PrimaryKeyLookup lookup = lookup("a > 1 and id in [1, 2, 3] and id in [1] and s == \"x\"");

    assertThat(lookup.keys()).isEqualTo(PrimaryKeys.of(1));
    assertThat(lookup.remainder())
        .isEqualTo(table.parse("a > 1 and id in [1, 2, 3] and s == \"x\""));
  }

  @Test
  void otherFiltersPinNoKeys() {
    for (String filter :
        new String[] {"id > 7", "id == 7 or a == 1", "id not in [7]", "a in [7]", ""}) {
      assertThat(Analysis.primaryKeyLookup(table.parse(filter))).as(filter).isNull();
    }
  }

  @Test
  void findsVarcharKeys() {
    TestTable texts = new TestTable().key("name", DataType.VARCHAR);

    assertThat(Analysis.primaryKeyLookup(texts.parse("name in ['b', 'a']")))
        .isEqualTo(new PrimaryKeyLookup(PrimaryKeys.of("b", "a"), null));
  }

  @Test
  void listsReferencedFields() {
    assertThat(Analysis.referencedFields(table.parse("k > 1 and (a == 2 or not (id < a))")))
        .containsExactly(new FieldId(100), new FieldId(101), new FieldId(103));
    assertThat(Analysis.referencedFields(table.parse(""))).isEmpty();
  }

  @Test
  void canonicalTextDependsOnMeaningOnly() {
    String one = Analysis.canonicalText(table.parse("a>1   and s like 'x%'"));
    String same = Analysis.canonicalText(table.parse("(1 < a) && (s LIKE \"x%%\")"));
    String other = Analysis.canonicalText(table.parse("a > 1 and s like 'x_'"));

    assertThat(one).isEqualTo(same).isNotEqualTo(other);
    assertThat(Analysis.canonicalHash(table.parse("a > 1")))
        .isEqualTo(Analysis.canonicalHash(table.parse("1 < a")));
    assertThat(Analysis.canonicalText(table.parse("s in ['a', 'b']")))
        .isNotEqualTo(Analysis.canonicalText(table.parse("s in ['a 1:b']")));
    assertThat(Analysis.canonicalText(table.parse("a == 1"))).isEqualTo("(== f101 1)");
  }

  private @Nullable List<Value> restriction(String filter) {
    return Analysis.restriction(table.parse(filter), new FieldId(101));
  }

  @Test
  void tellsTheValuesAFieldIsRestrictedTo() {
    assertThat(restriction("a == 1")).containsExactly(Value.of(1));
    assertThat(restriction("a in [2, 1, 2] and id > 1")).containsExactly(Value.of(2), Value.of(1));
    assertThat(restriction("(a == 1 and id > 5) or a == 2"))
        .containsExactly(Value.of(1), Value.of(2));
    assertThat(restriction("a in [1, 2] and a == 3")).containsExactly(Value.of(3));
    assertThat(restriction("a in []")).isEmpty();
    assertThat(restriction("a == 1 or id == 2")).isNull();
    assertThat(restriction("a != 1")).isNull();
    assertThat(restriction("not (a == 1)")).isNull();
    assertThat(restriction("id == 1")).isNull();
  }

  @Test
  void textOfATreeParsesBackToIt() {
    String[] filters = {
      "starts_with(s, 'a\\\\%_')",
      "s == 'quote \\\" and \\n line'",
      "k['a\"b'] like '\\\\%'",
      "a == -9223372036854775808",
      "$meta['0'][1] == 1",
      "true",
      "json_contains(k, [1, 'x'])"
    };
    for (String filter : filters) {
      Expr expr = table.parse(filter);
      assertThat(table.parse(FilterText.of(expr))).as(filter).isEqualTo(expr);
    }
    Map<String, Value> values = Map.of("x", Value.of("it's {x}"));
    assertThat(FilterText.of(table.parse("s == {x}", values))).isEqualTo("s == \"it's {x}\"");
  }

  @Test
  void emptyFiltersAreAlwaysTrue() {
    assertThat(Analysis.isAlwaysTrue(table.parse(" \t\n"))).isTrue();
    assertThat(Analysis.isAlwaysTrue(table.parse("1 == 1"))).isTrue();
    assertThat(Analysis.isAlwaysTrue(table.parse("a == 1 or true"))).isTrue();
    assertThat(Analysis.isAlwaysTrue(table.parse("a == 1"))).isFalse();
  }
}
