package io.elanus.engine.expr.eval;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.TestTable;
import io.elanus.engine.expr.parse.Filters;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FilterText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimestampFilterTest {
  private static long micros(String instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(instant));
  }

  private static TestTable table() {
    return new TestTable()
        .key("id", DataType.INT64)
        .nullable("ts", DataType.TIMESTAMPTZ)
        .row(1, micros("2025-01-31T12:00:00Z"))
        .row(2, micros("2025-01-31T12:00:00.000001Z"))
        .row(3, micros("1969-12-31T23:59:59.5Z"))
        .row(4, null)
        .row(5, micros("2024-02-29T00:00:00Z"))
        .row(6, Long.MIN_VALUE)
        .row(7, Long.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "ts == ISO '2025-01-31T12:00:00Z'; 1",
        "ts > ISO '2025-01-31T12:00:00Z'; 2 7",
        "ISO '2025-01-31T12:00:00Z' < ts; 2 7",
        "ts <= iso '2025-01-31 20:00:00.000001+08:00'; 1 2 3 5 6",
        "ts != ISO '2025-01-31T12:00:00'; 2 3 5 6 7",
        "not (ts > ISO '2000-01-01T00:00:00Z'); 3 6",
        "ts + INTERVAL 'P1D' == ISO '2025-02-01T12:00:00Z'; 1",
        "ts + INTERVAL 'P1M' == ISO '2025-03-03T12:00:00Z'; 1",
        "ts - INTERVAL 'P1Y' == ISO '2023-03-01T00:00:00Z'; 5",
        "ts + INTERVAL 'PT12H1M1S' == ISO '2025-02-01T00:01:01Z'; 1",
        "ISO '1970-01-01T00:00:00.5Z' >= ts + interval 'PT1S'; 3 6",
        "ts - INTERVAL 'P999999999999D' < ISO '2000-01-01T00:00:00Z'; 1 2 3 5 6 7",
        "ts + INTERVAL 'P99999999999Y' > ISO '2000-01-01T00:00:00Z'; 1 2 3 5 6 7",
        "ts is null; 4",
      })
  void timestampsCompareByInstant(String filter, String want) {
    List<Object> ids =
        List.of(Arrays.stream(want.trim().split(" ")).map(Integer::valueOf).toArray());
    Expr expr = table().parse(filter);

    assertThat(table().select(expr)).isEqualTo(ids);
    assertThat(table().parse(FilterText.of(expr))).isEqualTo(expr);
  }

  @Test
  void textsWithoutOffsetAreLocalTime() {
    Expr expr =
        Filters.parse(
            "ts == ISO '2025-01-31T20:00:00'",
            table().schema(),
            Map.of(),
            ZoneId.of("Asia/Shanghai"),
            Filters.QUERY_PREFIX);

    assertThat(table().select(expr)).containsExactly(1);
  }
}
