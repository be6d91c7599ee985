package io.elanus.wire.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.wire.proto.common.Status;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@SuppressWarnings("deprecation")
class WireStatusTest {

  /// Number, old number, retriable, blamed on the caller: the wire contract, never to change.
  @ParameterizedTest
  @CsvSource({
    "SERVICE_NOT_READY, 1, 56, true, false",
    "SERVICE_UNAVAILABLE, 2, 1, true, false",
    "MEMORY_LIMIT_EXCEEDED, 3, 52, false, false",
    "TOO_MANY_REQUESTS, 4, 1, true, false",
    "SERVICE_INTERNAL, 5, 1, false, false",
    "DISK_LIMIT_EXCEEDED, 7, 54, false, false",
    "RATE_LIMIT, 8, 49, true, false",
    "QUOTA_EXCEEDED, 9, 48, false, false",
    "UNIMPLEMENTED, 10, 1, false, false",
    "TIME_TICK_LONG_DELAY, 11, 55, false, false",
    "RESOURCE_INSUFFICIENT, 12, 1, true, false",
    "COLLECTION_NOT_FOUND, 100, 4, false, false",
    "COLLECTION_NOT_LOADED, 101, 1, false, false",
    "COLLECTION_NUM_LIMIT, 102, 1, false, true",
    "COLLECTION_NOT_FULLY_LOADED, 103, 1, true, false",
    "COLLECTION_LOADED, 104, 1, false, true",
    "ILLEGAL_COLLECTION_SCHEMA, 105, 1, false, true",
    "COLLECTION_SCHEMA_MISMATCH, 109, 62, false, true",
    "PARTITION_NOT_FOUND, 200, 15, false, false",
    "PARTITION_NOT_LOADED, 201, 1, false, false",
    "REPLICA_NOT_FOUND, 400, 15, false, false",
    "REPLICA_NOT_AVAILABLE, 401, 46, false, false",
    "CHANNEL_NOT_FOUND, 500, 1, false, false",
    "CHANNEL_LACK, 501, 15, false, false",
    "CHANNEL_NOT_AVAILABLE, 503, 46, false, false",
    "SEGMENT_NOT_FOUND, 600, 47, false, false",
    "INDEX_NOT_FOUND, 700, 25, false, false",
    "INDEX_DUPLICATE, 702, 1, false, true",
    "DATABASE_NOT_FOUND, 800, 1, false, false",
    "DATABASE_INVALID_NAME, 802, 1, false, true",
    "NODE_NOT_AVAILABLE, 905, 46, false, false",
    "PARAMETER_INVALID, 1100, 5, false, true",
    "PARAMETER_MISSING, 1101, 5, false, true",
    "PARAMETER_TOO_LARGE, 1102, 5, false, true",
    "NOT_AUTHENTICATED, 1400, 1, false, true",
    "PRIVILEGE_NOT_PERMITTED, 1401, 1, false, true",
    "ALIAS_NOT_FOUND, 1600, 1, false, false",
    "ALIAS_COLLECTION_NAME_CONFLICT, 1601, 1, false, false",
    "ALIAS_ALREADY_EXIST, 1602, 1, false, false",
    "FIELD_INVALID_NAME, 1701, 1, false, false",
    "SEGCORE, 2000, 1, false, false",
    "CANCELED, 10000, 1, false, false",
    "DEADLINE_EXCEEDED, 10001, 1, false, false",
    "UNEXPECTED, 65535, 1, false, false"
  })
  void mapsEveryCodeAsTheContractSays(
      ErrorCode code, int number, int oldNumber, boolean retriable, boolean input) {
    Status status = WireStatus.of(DbException.of(code), "");

    assertThat(status.getCode()).isEqualTo(number);
    assertThat(status.getErrorCodeValue()).isEqualTo(oldNumber);
    assertThat(status.getRetriable()).isEqualTo(retriable);
    assertThat(status.getExtraInfoMap().containsKey("is_input_error")).isEqualTo(input);
    assertThat(status.getReason()).isEqualTo(code.text()).isEqualTo(status.getDetail());
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void givesEveryCodeBackFromItsStatus(ErrorCode code) {
    DbException back = WireStatus.toException(WireStatus.of(DbException.of(code, "why"), "r1"));

    assertThat(back).hasMessage("why: " + code.text());
    assertThat(back).extracting("code").isEqualTo(code);
  }

  @Test
  void neverCallsAnInputErrorRetriable() {
    Status status = WireStatus.of(DbException.of(ErrorCode.RATE_LIMIT).asInput(), "");

    assertThat(status.getRetriable()).isFalse();
    assertThat(status.getExtraInfoMap()).containsEntry("is_input_error", "true");
  }

  @Test
  void carriesTheRequestIdOnErrorsOnly() {
    assertThat(WireStatus.of(DbException.invalid("x"), "req-7").getExtraInfoMap())
        .containsEntry("request_id", "req-7");
    assertThat(WireStatus.success().getExtraInfoMap()).isEmpty();
  }

  @Test
  void unwrapsFuturesAndNamesTheUnforeseen() {
    Status wrapped = WireStatus.of(new CompletionException(DbException.invalid("too big")), "");
    Status bug = WireStatus.of(new IllegalStateException("no such state"), "");

    assertThat(wrapped.getReason()).isEqualTo("too big: invalid parameter");
    assertThat(bug.getCode()).isEqualTo(65535);
    assertThat(bug.getReason()).isEqualTo("no such state");
  }

  @Test
  void mapsWaitsAndQueuesToTheirCodes() {
    assertThat(WireStatus.of(new TimeoutException(), "").getCode()).isEqualTo(10001);
    assertThat(WireStatus.of(new CancellationException(), "").getCode()).isEqualTo(10000);
    assertThat(WireStatus.of(new RejectedExecutionException("full"), "").getCode()).isEqualTo(4);
  }

  @Test
  void readsServersThatFillOnlyTheOldCode() {
    Status old =
        Status.newBuilder()
            .setErrorCode(io.elanus.wire.proto.common.ErrorCode.RateLimit)
            .setReason("slow down")
            .build();

    assertThat(WireStatus.toException(old)).extracting("code").isEqualTo(ErrorCode.RATE_LIMIT);
    assertThat(WireStatus.toException(WireStatus.success())).isNull();
  }

  @Test
  void overwritesTheOldCodeOfFailuresOnly() {
    io.elanus.wire.proto.common.ErrorCode old =
        io.elanus.wire.proto.common.ErrorCode.CreateRoleFailure;
    Status failed = WireStatus.withOldCode(WireStatus.of(DbException.invalid("x"), ""), old);

    assertThat(failed.getErrorCodeValue()).isEqualTo(35);
    assertThat(failed.getCode()).isEqualTo(1100);
    assertThat(WireStatus.isSuccess(WireStatus.withOldCode(WireStatus.success(), old))).isTrue();
  }
}
