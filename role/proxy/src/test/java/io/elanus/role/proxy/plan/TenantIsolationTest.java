package io.elanus.role.proxy.plan;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TenantIsolationTest {
  private static final FieldSchema TENANT = FieldSchema.of(101, "tenant", DataType.INT64);
  private static final FilterPlans PLANS =
      new FilterPlans(
          new CollectionSchema(
              "c",
              "",
              false,
              0,
              List.of(
                  FieldSchema.of(100, "id", DataType.INT64)
                      .withFlags(
                          new FieldSchema.Flags(true, false, false, false, false, false, false)),
                  TENANT)));

  private static void check(String filter) {
    TenantIsolation.check(PLANS.forQuery(filter, Map.of()).expr(), TENANT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tenant == 1", "id > 3 and tenant == 1", "(id < 2 or id > 7) and tenant == 1"})
  void takesAFilterThatNamesOneTenant(String filter) {
    assertThatCode(() -> check(filter)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "id > 3, partition key not found in expr",
    "tenant in [1 2], does not support IN",
    "tenant > 1, does not support GreaterThan",
    "1 < tenant < 5, does not support BinaryRange",
    "tenant == 1 or id == 2, does not support OR",
    "not (tenant == 1), does not support",
    "tenant == 1 and tenant > 0, does not support GreaterThan",
  })
  void refusesAllOthers(String filter, String message) {
    assertThatThrownBy(() -> check(filter.replace("[1 2]", "[1, 2]")))
        .isInstanceOf(DbException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("invalid parameter");
  }
}
