package io.elanus.role.proxy.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class NamesTest {
  private static final String LONG = "a".repeat(256);

  private static void refused(ThrowingCallable check, ErrorCode code, String message) {
    assertThatThrownBy(check).hasMessageContaining(message).extracting("code").isEqualTo(code);
  }

  private static void invalid(ThrowingCallable check, String message) {
    refused(check, ErrorCode.PARAMETER_INVALID, message);
  }

  @Test
  void refusesBadCollectionNames() {
    invalid(() -> Names.collection(""), "collection name should not be empty: invalid parameter");
    invalid(
        () -> Names.collection(LONG),
        ". the length of a collection name must be less than 255 characters");
    invalid(
        () -> Names.collection("12-s"),
        "Invalid collection name: 12-s. the first character of a collection name must be an"
            + " underscore or letter: invalid parameter");
    invalid(
        () -> Names.collection("a b"),
        "collection name can only contain numbers, letters and underscores");
    invalid(() -> Names.collection("中文"), "the first character of a collection name");
    invalid(() -> Names.alias("1"), "Invalid collection alias: 1. the first character");
    assertThatCode(() -> Names.collection("_a1")).doesNotThrowAnyException();
    assertThatCode(() -> Names.collection("a".repeat(255))).doesNotThrowAnyException();
  }

  @Test
  void refusesBadPartitionNames() {
    invalid(() -> Names.partition(" ", true), "Partition name should not be empty.");
    invalid(
        () -> Names.partition(LONG, false),
        "The length of a partition name must be less than 255 characters.");
    invalid(
        () -> Names.partition("-a", true),
        "The first character of a partition name must be an underscore or letter.");
    invalid(
        () -> Names.partition("a$b", true),
        "Partition name can only contain numbers, letters and underscores.");
    assertThatCode(() -> Names.partition("2024-01", true)).doesNotThrowAnyException();
    assertThatCode(() -> Names.partition("a$b", false)).doesNotThrowAnyException();
  }

  @Test
  void refusesBadFieldNames() {
    ErrorCode code = ErrorCode.FIELD_INVALID_NAME;
    refused(() -> Names.field(""), code, "field name should not be empty");
    refused(
        () -> Names.field("1a"),
        code,
        "Invalid field name: 1a. The first character of a field name must be an underscore or"
            + " letter.");
    refused(() -> Names.field("a-b"), code, "Field name can only contain");
    refused(() -> Names.field(LONG), code, "The length of a field name must be less than 255");
    refused(() -> Names.field("like"), code, "like is keyword in milvus.");
    refused(() -> Names.field("JSON_CONTAINS"), code, "is keyword in milvus.");
    assertThatCode(() -> Names.field("LIKE")).doesNotThrowAnyException();
  }

  @Test
  void refusesBadDatabaseNames() {
    ErrorCode code = ErrorCode.DATABASE_INVALID_NAME;
    refused(() -> Names.database(""), code, "database name couldn't be empty");
    refused(
        () -> Names.database(LONG),
        code,
        "the length of a database name must be less than 255 characters");
    refused(
        () -> Names.database("1a"),
        code,
        "the first character of a database name must be an underscore or letter");
    refused(
        () -> Names.database("a.b"),
        code,
        "database name can only contain numbers, letters and underscores");
  }

  @Test
  void refusesBadIndexNamesButNotAnEmptyOne() {
    invalid(() -> Names.index("1a"), "Invalid index name: 1a. The first character");
    invalid(() -> Names.index("a-b"), "Index name can only contain numbers, letters");
    assertThatCode(() -> Names.index("")).doesNotThrowAnyException();
  }
}
