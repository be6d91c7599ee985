package io.elanus.engine.expr.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.TestTable;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonFilterTest {
  private static TestTable table() {
    return new TestTable()
        .key("id", DataType.INT64)
        .nullable("j", DataType.JSON)
        .dynamic()
        .row(1, "{\"a\": 1, \"b\": {\"c\": \"x\"}, \"l\": [1, 2.0, \"z\", [3, 4]]}", "{\"k\": 5}")
        .row(2, "{\"a\": 1.0, \"b\": {}, \"l\": []}", "{\"k\": \"5\"}")
        .row(3, "{\"a\": \"1\", \"b\": {\"c\": null}}", "{}")
        .row(
            4,
            "{\"a\": true, \"b\": {\"d\": [null, {}]}, \"l\": {\"a\": 1}}",
            "{\"x\": {\"y\": 2}}")
        .row(5, null, "{\"k\": 9007199254740993}")
        .row(6, "{\"a\": [1, [2, \"q\"]], \"l\": [[3, 4.0]]}", "{\"k\": -2.5, \"m\": \"50%\"}")
        .row(7, "12", "{\"k\": 1e400, \"\u4e2d\": 1}");
  }

  private static List<Object> ids(String list) {
    return list == null || list.isBlank()
        ? List.of()
        : List.of(Arrays.stream(list.trim().split(" ")).map(Integer::valueOf).toArray());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "j[\"a\"] == 1; 1 2",
        "j['a'] == 1.0; 1 2",
        "j[\"a\"] == \"1\"; 3",
        "j[\"a\"] == true; 4",
        "j[\"a\"] != 1; 3 4 6 7",
        "not (j[\"a\"] > 1); 1 2 3 4 6 7",
        "j[\"a\"] > 0; 1 2",
        "j[\"a\"] in [1, \"1\"]; 1 2 3",
        "j[\"a\"] not in [1, \"1\"]; 4 6 7",
        "j[\"b\"][\"c\"] == \"x\"; 1",
        "j[\"b\"][\"c\"] like \"%x\"; 1",
        "j[\"a\"] == [1, [2, \"q\"]]; 6",
        "j[\"a\"] != [1, [2, \"q\"]]; 1 2 3 4 7",
        "j[\"a\"] > [1]; ``",
        "j[\"l\"][0] == 1; 1",
        "j[\"l\"][3][1] == 4; 1",
        "exists j[\"b\"]; 1",
        "exists j[\"b\"][\"d\"]; ``",
        "not exists j[\"b\"]; 2 3 4 5 6 7",
        "j[\"b\"] is null; 2 3 4 5 6 7",
        "j[\"l\"] is not null; 1 4 6",
        "j is null; 5",
        "j is not null; 1 2 3 4 6 7",
        "json_contains(j[\"l\"], 2); 1",
        "json_contains(j[\"l\"], \"z\"); 1",
        "array_contains(j[\"l\"], [3, 4]); 1 6",
        "not json_contains(j[\"l\"], 2); 2 3 4 6 7",
        "json_contains_all(j[\"l\"], [1, 2, 2.0]); 1",
        "json_contains_all(j[\"l\"], [1, 5]); ``",
        "json_contains_any(j[\"l\"], [5, [3, 4], \"no\"]); 1 6",
        "JSON_CONTAINS_ANY(j[\"l\"], []); ``",
        "json_contains_all(j[\"l\"], []); 1 2 6",
        "array_length(j[\"l\"]) == 4; 1",
        "array_length(j[\"l\"]) == 0; 2 3 4 7",
        "array_length(j[\"l\"]) > 0; 1 6",
        "j[\"a\"] + 1 == 2; 1 2",
        "j[\"a\"] % 2 == 1; 1 2",
        "j[\"a\"] * 2 != 2; 3 4 6 7",
        "j == 12; 7",
        "0 < j[\"a\"] < 2; 1 2",
        "\"0\" < j[\"a\"] < \"2\"; 3",
        "k == 5; 1",
        "$meta[\"k\"] == 5; 1",
        "k == \"5\"; 2",
        "k < 0; 6",
        "k == 9007199254740993; 5",
        "k == 9007199254740992; ``",
        "k > 9007199254740992; 5 7",
        "-3 < k < 6.5; 1 6",
        "k in [5, -2.5]; 1 6",
        "x[\"y\"] == 2; 4",
        "$meta[\"x\"][\"y\"] == 2; 4",
        "exists k; 1 2 5 6 7",
        "k is null; 3 4",
        "m like \"50\\\\%\"; 6",
        "nothing == 1; ``",
        "nothing != 1; 1 2 3 4 5 6 7",
        "\u4e2d == 1; 7",
        "$meta[\"\u4e2d\"] == 1; 7",
        "k == 5 or j[\"a\"] == true; 1 4",
        "id > 1 and (k == 5 or exists j[\"l\"][\"a\"]); 4",
      })
  void jsonIsTwoValuedInsideADocument(String filter, String want) {
    assertThat(table().select(filter)).isEqualTo(ids(want));
  }

  @Test
  void brokenDocumentsAreReported() {
    TestTable table =
        new TestTable().key("id", DataType.INT64).field("j", DataType.JSON).row(1, "{\"a\": ");

    assertThatThrownBy(() -> table.select("j[\"a\"] == 1"))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY));
  }

  @Test
  void largeDocumentsAreRead() {
    String deep = "[".repeat(2000) + "1" + "]".repeat(2000);
    TestTable table =
        new TestTable()
            .key("id", DataType.INT64)
            .field("j", DataType.JSON)
            .row(1, "{\"pad\": \"" + "p".repeat(60_000) + "\", \"a\": 7}")
            .row(2, "{\"deep\": " + deep + ", \"a\": 8}");

    assertThat(table.select("j[\"a\"] == 7")).containsExactly(1);
    assertThat(table.select("j[\"a\"] == 8")).containsExactly(2);
    assertThat(table.select("exists j[\"deep\"]")).containsExactly(2);
    assertThat(table.select("json_contains(j[\"deep\"], [[1]])")).isEmpty();
  }
}
