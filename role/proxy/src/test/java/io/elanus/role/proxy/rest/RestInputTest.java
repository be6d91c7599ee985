package io.elanus.role.proxy.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// JSON that is well-formed but not what a member should be: refused by its code, never ignored and
/// never an internal error.
class RestInputTest {
  private static final String HUGE_INTEGER = "9" + "0".repeat(400);

  private static JsonNode json(String text) {
    return RestHandler.JSON.readTree(text.replace('\'', '"'));
  }

  private static void refused(ThrowingCallable call, ErrorCode code, String text) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            DbException.class, fault -> assertThat(fault.code()).isEqualTo(code))
        .hasMessageContaining(text);
  }

  @Test
  void integersBeyond64BitsAreRefused() {
    JsonNode single = json("{'exprParams':{'x':99999999999999999999}}");
    JsonNode listed = json("{'exprParams':{'x':[1,-99999999999999999999]}}");

    refused(
        () -> EntityRoutes.templates(single),
        ErrorCode.INCORRECT_PARAMETER_FORMAT,
        "exprParams x should be an integer");
    refused(
        () -> EntityRoutes.templates(listed),
        ErrorCode.INCORRECT_PARAMETER_FORMAT,
        "exprParams x should be an integer");
    refused(
        () -> RestCall.whole("dimension", json(HUGE_INTEGER)),
        ErrorCode.INCORRECT_PARAMETER_FORMAT,
        "dimension should be an integer");
    assertThat(RestCall.whole("jobID", json("9223372036854775807"))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void queryVectorsTakeAnyNumber() {
    byte[] query =
        SearchParams.queries(json("[[1e39,-" + HUGE_INTEGER + ",2,0.5]]")).values().getFirst();

    ByteBuffer values = ByteBuffer.wrap(query).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(values.getFloat()).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(values.getFloat()).isEqualTo(Float.NEGATIVE_INFINITY);
    assertThat(values.getFloat()).isEqualTo(2f);
    assertThat(values.getFloat()).isEqualTo(0.5f);
  }

  @Test
  void rowsWithNumbersThatNoDoubleHoldsAreRefused() {
    CollectionSchema schema =
        new CollectionSchema(
            "c",
            "",
            true,
            0,
            List.of(
                FieldSchema.of(100, "id", DataType.INT64)
                    .withFlags(
                        new FieldSchema.Flags(true, false, false, false, false, false, false)),
                FieldSchema.of(101, "d", DataType.DOUBLE),
                FieldSchema.of(102, "j", DataType.JSON)));

    refused(
        () -> read(schema, "{'id':1,'d':1,'j':{'a':[1e400]}}"),
        ErrorCode.INVALID_INSERT_DATA,
        "field j holds a number beyond the range of a double");
    refused(
        () -> read(schema, "{'id':1,'d':1,'j':1,'more':-1e400}"),
        ErrorCode.INVALID_INSERT_DATA,
        "field more holds a number beyond the range of a double");
    // Refused later, with all infinite values.
    assertThat(read(schema, "{'id':1,'d':" + HUGE_INTEGER + ",'j':1}").rows()).isEqualTo(1);
  }

  private static RowReader read(CollectionSchema schema, String row) {
    return RowReader.read(schema, json(row), RowReader.Mode.INSERT);
  }

  @Test
  void membersOfTheWrongKindAreRefused() {
    JsonNode call =
        json("{'properties':5,'searchParams':[1],'inner':{'params':5},'flag':'maybe','list':{}}");
    Map<String, String> params = new TreeMap<>();

    refusedAs(() -> RestCall.properties(call, "properties"), "properties should be an object");
    refusedAs(() -> SearchParams.put(params, call, "searchParams"), "searchParams should be");
    refusedAs(() -> SearchParams.put(params, call, "inner"), "params should be an object");
    refusedAs(() -> RestCall.flag(call, "flag", true), "flag should be a boolean");
    refusedAs(() -> RestCall.objects(call, "list"), "list should be an array of objects");
    refusedAs(
        () -> RestCall.objects(json("{'list':[{},7]}"), "list"), "list should be an array of");
    refusedAs(
        () -> EntityRoutes.templates(json("{'exprParams':5}")), "exprParams should be an object");
  }

  private static void refusedAs(ThrowingCallable call, String text) {
    refused(call, ErrorCode.INCORRECT_PARAMETER_FORMAT, text);
  }

  @Test
  void whatIsAbsentNullOrBlankIsNotGiven() {
    JsonNode call =
        json("{'properties':null,'flag':'FALSE','groupingField':'','functionScore':{}}");

    assertThat(RestCall.properties(call, "properties")).isEmpty();
    assertThat(RestCall.objects(call, "absent")).isEmpty();
    assertThat(RestCall.flag(call, "flag", true)).isFalse();
    EntityRoutes.refuseUnsupported(call);
  }

  @Test
  void groupingIsRefusedInEveryForm() {
    for (String body : List.of("{'groupingField':'x'}", "{'groupingField':5}")) {
      refused(
          () -> EntityRoutes.refuseUnsupported(json(body)),
          ErrorCode.PARAMETER_INVALID,
          "groupingField is not supported yet");
    }
  }
}
