package io.elanus.engine.expr.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.TestTable;
import io.elanus.engine.expr.tree.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FilterErrorsTest {
  private final TestTable table =
      new TestTable()
          .key("id", DataType.INT64)
          .field("a", DataType.INT32)
          .field("b", DataType.INT64)
          .field("f", DataType.FLOAT)
          .field("d", DataType.DOUBLE)
          .field("s", DataType.VARCHAR)
          .field("flag", DataType.BOOL)
          .field("j", DataType.JSON)
          .field("v", DataType.FLOAT_VECTOR)
          .field("text", DataType.TEXT)
          .field("g", DataType.GEOMETRY)
          .field("ts", DataType.TIMESTAMPTZ)
          .array("arr", DataType.INT64)
          .matched("m");
  private final CollectionSchema schema = table.schema();

  private static final Map<String, Value> TEMPLATES =
      Map.of("one", Value.of(1L), "word", Value.of("w"), "half", Value.of(0.5));

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "nothing_such(); function nothing_such() not found: query plan failed",
        "empty(b); function empty(int64_t) not found",
        "starts_with(s, b); function starts_with(string, int64_t) not found",
        "a = 1; invalid expression: a = 1: query plan failed",
        "a == ; line 1:4 mismatched input '<EOF>'",
        "a == 1 b; invalid expression: a == 1 b: query plan failed",
        "a == 1 And b == 2; invalid expression",
        "not a in [1]; not op can only be applied on boolean expression",
        "and a == 1; line 1:0 no viable alternative at input 'and'",
        "(a == 1; line 1:7 missing ')' at '<EOF>': query plan failed",
        "a == 'x; line 1:5 token recognition error at: ''x'",
        "a == 1 @; line 1:7 token recognition error at: '@'",
        "a Is null; invalid expression",
        "a is  null; invalid expression",
        "not a > 5; not op can only be applied on boolean expression: invalid parameter",
        "not j[\"k\"]; not op can only be applied on boolean expression",
        "!'x'; not can only apply on boolean: query plan failed",
        "-a == 1; unexpected op: -: invalid parameter",
        "~a == 1; unexpected op: ~",
        "a and b == 1; 'and' can only be used between boolean expressions: query plan failed",
        "b == 1 or s; 'or' can only be used between boolean expressions: query plan failed",
        "'a' == 1; comparison operations cannot be applied to two incompatible operands: 'a'==1",
        "true < false; comparison operations cannot be applied to two incompatible operands",
        "s == 1; comparisons between VarChar and Int64 are not supported: query plan failed",
        "s < f; comparisons between VarChar and Float are not supported",
        "v == 1; comparisons between FloatVector and Int64 are not supported",
        "a == 1.5; cannot cast value to Int32, value: float_val:1.5: query plan failed",
        "a < 2.0; cannot cast value to Int32, value: float_val:2",
        "1.0 < a < 2.0; invalid range operations: query plan failed",
        "1 < flag < 2; invalid range operations on boolean expr",
        "1 < s < 2; invalid range operations",
        "2 < a < 1; invalid range: lowerbound is greater than upperbound: query plan failed",
        "1 < a <= 1; invalid range: lowerbound is greater than upperbound",
        "b < a < 2; lowerbound cannot be a non-const expression: b",
        "1 < a < b; upperbound cannot be a non-const expression: b",
        "1 < a + 1 < 3; comparisons between Bool and Int64 are not supported",
        "a in [1, 2.5]; value 'float_val:2.5' in list cannot be casted to Int32: invalid parameter",
        "s in [1]; value 'int64_val:1' in list cannot be casted to VarChar",
        "1 in [1]; 'term' can only be used on non-const expression, but got: 1",
        "a + 1 in [1]; 'term' can only be used on single field",
        "a in 1; the right-hand side of 'in' must be a list, but got: 1",
        "a in b; value 'b' in list cannot be a non-const expression",
        "a in [b]; array element type must be generic value, but got: b",
        "a like 'x'; like operation on non-string or no-json field is unsupported",
        "s like 1; like pattern should be a string literal or template variable, got: 1",
        "s like s; like pattern should be a string literal or template variable, got: s",
        "(s == 'x') like 'y'; like operation on complicated expr is unsupported",
        "a + b == 3; not supported to do arithmetic operations between multiple fields",
        "2 - a == 1; module field is not yet supported",
        "a + 1 + 1 == 3; complicated arithmetic operations are not supported",
        "a + 1.5 == 3; 'add' cannot perform arithmetic between Int32 field and Double: ",
        "s + 1 == 3; 'add' cannot perform arithmetic between VarChar field and Int64",
        "f % 2 == 1; modulo can only apply on integer types",
        "a % 0 == 1; division or modulus by zero",
        "a == 1 / 0; cannot divide by zero: query plan failed",
        "a == 1 % 0; cannot modulo by zero",
        "a == 1.5 % 2; modulo can only apply on integer",
        "flag == (true + false); add cannot apply on bool field: query plan failed",
        "s == 'a' + 'b'; add cannot apply on string field",
        "b == 9223372036854775807 + 1; integer overflow",
        "b == 9223372036854775808; value out of range",
        "b == -9223372036854775809; value out of range",
        "d == 1e999; value out of range",
        "a ** 2 == 4; power can only apply on constants: a**2: invalid parameter",
        "a & 1 == 1; 'bitand' cannot perform arithmetic between Int32 field and Bool",
        "(f | 1) == 1; bitor can only apply on integer types",
        "a == (1 ^ 1.5); bitxor can only apply on integer",
        "st_within(s, 'POINT(1 1)'); STWithin operation are only supported on geometry fields",
        "a << 1 == 2; shift is not supported",
        "missing == 1; field missing not exist: invalid parameter",
        "missing['k'] == 1; field missing not exist",
        "s['k'] == 'x'; VarChar data type not supported accessed with []: invalid parameter",
        "arr['k'] == 1; can only access array field with integer index",
        "arr[0][1] == 1; an array field has one index only: arr[0][1]",
        "arr == []; comparisons between Array[Int64] and Array[None] are not supported",
        "arr == ['x']; comparisons between Array[Int64] and Array[VarChar] are not supported",
        "arr > 1; can not comparisons array fields directly",
        "text == 'x'; filter on text field (text) is not supported yet: invalid parameter",
        "v is null; IsNull/IsNotNull operations are not supported on vector fields",
        "arr[0] is null; IsNull/IsNotNull operations are not supported on array element access",
        "exists a; exists operations are only supportted on json field, got:Int32",
        "exists j; exists operations are only supportted on json key",
        "exists (a == 1); exists operations are only supported on single fields now",
        "j['a'] == j['b']; two column comparison with JSON type is not supported",
        "(a == 1) == (b == 1); only comparison between two fields is supported",
        "(a == 1) == true; not supported to combine multiple fields",
        "json_contains(a, 1); contains operation are only supported on json or array fields",
        "json_contains(j['a'], b); only supported explicitly specified element",
        "json_contains_all(j['a'], 1); ContainsAll operation element must be an array",
        "json_contains_any(j['a'], 1); ContainsAny operation element must be an array",
        "array_contains(arr, 'x'); cannot cast value to Int64",
        "array_length(a) == 1; are only supported on json or array fields",
        "text_match(s, 'q'); field \"s\" does not enable match: invalid parameter",
        "text_match(a, 'q'); text match operation on non-string is unsupported",
        "text_match(m, 'q', minimum_should_match=0); minimum_should_match should be >= 1",
        "text_match(m, 'q', minimum_should_match=1001); minimum_should_match should be <= 1000",
        "phrase_match(m, 'q', -1); should not be a negative",
        "phrase_match(m, 'q', 4294967296); exceeds the range",
        "random_sample(1.5); the sample factor should be between 0 and 1",
        "random_sample(0.5) and a == 1; random sample expression can only be the last",
        "random_sample(0.5) or a == 1; random sample expression cannot be used",
        "(a == 1 and random_sample(0.5)) and b == 1; random sample expression can only be the last",
        "not (a == 1 and random_sample(0.5)); random sample expression cannot be used in unary",
        "not random_sample(0.5); random sample expression cannot be used in unary expression",
        "a > ISO '2025-01-01T00:00:00Z'; field 'a' is not a timestamptz datatype",
        "ts > ISO '2025-13-01T00:00:00Z'; '. Does not match any known format",
        "ts > ISO 'yesterday'; invalid timestamp string",
        "ts > ISO '2025-01-01T00:00:00+15:00'; hour 15 is out of the valid range [-12, 14]",
        "ts + INTERVAL '1 day' > ISO '2025-01-01T00:00:00Z'; invalid ISO 8601 duration: 1 day",
        "ts > 5; comparisons between Timestamptz and Int64 are not supported",
        "nope(a); function nope",
        "empty(a); function empty(int32_t) not found",
        "{one} == 1; placeholder was not supported between two constants with operator: ==",
        "{one} + 1 == a; placeholder was not supported between two constants with operator: +",
      })
  void refusesWithTheDocumentedText(String filter, String text) {
    assertThatThrownBy(() -> Filters.parseForQuery(filter, schema, TEMPLATES))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.PARAMETER_INVALID);
              assertThat(e.getMessage())
                  .startsWith(
                      "failed to create query plan: cannot parse expression: " + filter + ": ")
                  .endsWith(": invalid parameter")
                  .contains(text);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "a; predicate is not a boolean expression: a, data type: Int32: query plan failed",
        "'x'; predicate is not a boolean expression: 'x', data type: VarChar",
        "1 + 1; predicate is not a boolean expression: 1 + 1, data type: Int64",
        "arr; predicate is not a boolean expression: arr, data type: Array",
        "{one}; predicate is not a boolean expression: {one}, data type: None",
        "a == {none}; the value of expression template variable name {none} is not found",
        "a in {one}; the value of term expression template variable {one} is not array",
        "s like {one}; the value of like expression template variable {one} is not string",
      })
  void refusesTheFilterAsAWhole(String filter, String text) {
    assertThatThrownBy(() -> Filters.parseForQuery(filter, schema, TEMPLATES))
        .hasMessageStartingWith("failed to create query plan: " + text)
        .hasMessageEndingWith(": query plan failed: invalid parameter");
  }

  @Test
  void bareNamesBeyondAsciiFailToParse() {
    CollectionSchema dynamic = new TestTable().key("id", DataType.INT64).dynamic().schema();

    assertThatThrownBy(() -> Filters.parseForQuery("中文", dynamic, Map.of()))
        .hasMessageContaining("cannot parse expression: 中文: predicate is not a boolean");
    assertThatThrownBy(() -> Filters.parseForQuery("12-s", dynamic, Map.of()))
        .hasMessageContaining(
            "plan: predicate is not a boolean expression: 12-s, data type: Int64");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text_match(m, 'q')",
        "a == 1 and phrase_match(m, 'q', 2)",
        "phrase_match(m, 'q') and random_sample(0.1)",
        "arr[0] == a",
        "arr in [[1]]",
        "st_within(g, 'POINT(1 1)')",
        "st_dwithin(g, 'POINT(1 1)', 5)"
      })
  void legalButMissingFormsAreUnimplemented(String filter) {
    assertThatThrownBy(() -> Filters.parseForQuery(filter, schema, Map.of()))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNIMPLEMENTED);
              assertThat(e.getMessage()).contains("is not supported yet");
            });
  }

  @Test
  void deletesRefuseFiltersThatTakeEverything() {
    assertThatThrownBy(() -> Filters.parseForDelete(" ", schema, Map.of()))
        .hasMessage("delete plan can't be empty or always true :  : invalid parameter");
    assertThatThrownBy(() -> Filters.parseForDelete("a ==", schema, Map.of()))
        .hasMessageStartingWith(
            "failed to create delete plan: cannot parse expression: a ==: line 1:4");
    assertThat(Filters.parseForDelete("id in [1]", schema, Map.of())).isNotNull();
  }

  @Test
  void deepNestingIsRefusedAndModerateNestingIsNot() {
    String deep = "(".repeat(100_000) + "a == 1" + ")".repeat(100_000);
    String nots = "not ".repeat(100_000) + "flag";
    String moderate = "(".repeat(300) + "a == 1" + ")".repeat(300);

    for (String filter : List.of(deep, nots, "[".repeat(100_000))) {
      assertThatThrownBy(() -> Filters.parseForQuery(filter, schema, Map.of()))
          .isInstanceOf(DbException.class)
          .hasMessageContaining("expression is nested deeper than 500 levels");
    }
    assertThat(Filters.parseForQuery(moderate, schema, Map.of())).isNotNull();
  }

  @Test
  void columnsAreCountedInCharactersFromZero() {
    assertThatThrownBy(() -> Filters.parseForQuery("s == '😀' and\n  a == @", schema, Map.of()))
        .hasMessageContaining(": line 2:7 token recognition error at: '@': query plan failed");
  }
}
