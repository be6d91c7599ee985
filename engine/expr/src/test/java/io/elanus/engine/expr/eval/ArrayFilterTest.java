package io.elanus.engine.expr.eval;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.column.ArrayRows;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.TestTable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ArrayFilterTest {
  private static byte @Nullable [] array(DataType element, @Nullable String list) {
    if (list == null) {
      return null;
    }
    ArrayRows.Writer writer = new ArrayRows.Writer(element);
    for (String part : list.isEmpty() ? new String[0] : list.split(" ")) {
      switch (element) {
        case BOOL -> writer.addBool(part.equals("true"));
        case FLOAT, DOUBLE -> writer.addReal(Double.parseDouble(part));
        case VARCHAR -> writer.addText(part);
        default -> writer.addInteger(Long.parseLong(part));
      }
    }
    return writer.finish();
  }

  private static void row(
      TestTable table, int id, @Nullable String ints, String floats, String texts, String flags) {
    table.row(
        id,
        array(DataType.INT16, ints),
        array(DataType.FLOAT, floats),
        array(DataType.VARCHAR, texts),
        array(DataType.BOOL, flags));
  }

  private static TestTable table() {
    TestTable table =
        new TestTable()
            .key("id", DataType.INT64)
            .array("n", DataType.INT16)
            .array("f", DataType.FLOAT)
            .array("s", DataType.VARCHAR)
            .array("b", DataType.BOOL);
    row(table, 1, "1 2 3", "0.1 2", "a bc", "true");
    row(table, 2, "-5", "", "", "false true");
    row(table, 3, "", "0.5", "bc é a", "");
    row(table, 4, null, "3", "z", "true");
    return table;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "n[0] == 1; 1",
        "n[0] != 1; 2",
        "not (n[0] == 1); 2 3",
        "n[1] > 1; 1",
        "n[999999999999] == 1; ``",
        "n[0] in [1, -5]; 1 2",
        "n[0] not in [1]; 2 3",
        "-6 < n[0] <= 1; 1 2",
        "n[0] + 1 == 2; 1",
        "n[0] % 2 != 0; 1 2",
        "n == [1, 2, 3]; 1",
        "n != [1, 2, 3]; 2 3",
        "array_length(n) == 0; 3",
        "array_length(n) >= 1; 1 2",
        "array_contains(n, 2); 1",
        "not array_contains(n, 2); 2 3",
        "array_contains_all(n, [1, 3]); 1",
        "json_contains_all(n, []); 1 2 3",
        "array_contains_any(n, [7, -5, 3]); 1 2",
        "array_contains_any(n, []); ``",
        "array_contains(n, 70000); ``",
        "f[0] == 0.1; 1",
        "array_contains(f, 0.1); 1",
        "array_contains_any(f, [3, 0.5]); 3 4",
        "f[0] * 2 > 0.5; 3 4",
        "1 < f[1] < 3; 1",
        "s[0] == \"a\"; 1",
        "s[0] like \"b%\"; 3",
        "s[1] like \"_\"; 3",
        "s[0] > \"b\"; 3 4",
        "s[0] in [\"z\", \"a\"]; 1 4",
        "array_contains(s, \"é\"); 3",
        "array_contains_all(s, [\"bc\", \"a\"]); 1 3",
        "array_length(s) == 0; 2",
        "s == [\"a\", \"bc\"]; 1",
        "b[0] == true; 1 4",
        "b[0] != true; 2",
        "array_contains(b, false); 2",
        "n is null; 4",
        "n is not null and id > 1; 2 3",
        "n[0] == 1 or array_contains(s, \"z\"); 1 4",
      })
  void testsArraysAndTheirElements(String filter, String want) {
    List<Object> ids =
        want.isBlank()
            ? List.of()
            : List.of(Arrays.stream(want.trim().split(" ")).map(Integer::valueOf).toArray());
    assertThat(table().select(filter)).isEqualTo(ids);
  }
}
