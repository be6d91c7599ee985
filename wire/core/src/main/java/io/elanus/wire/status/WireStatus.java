package io.elanus.wire.status;

import io.elanus.base.error.Blame;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.wire.proto.common.Status;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Failures as the wire's `Status` and back (error contract, sections 1 to 3). Business errors are
/// always a `Status` in an answer that is fine for gRPC.
///
/// Thread-safe: stateless.
@SuppressWarnings("deprecation") // The old code must be filled: old SDKs read nothing else.
public final class WireStatus {
  /// `extra_info` key that says whether the caller is to blame.
  public static final String IS_INPUT_ERROR = "is_input_error";

  /// `extra_info` key with the id under which the server logged the request.
  public static final String REQUEST_ID = "request_id";

  private static final Status SUCCESS = Status.getDefaultInstance();

  private WireStatus() {}

  public static Status success() {
    return SUCCESS;
  }

  /// Whether an SDK takes the status for a success: both codes are zero.
  public static boolean isSuccess(Status status) {
    return status.getCode() == 0 && status.getErrorCodeValue() == 0;
  }

  /// The status of a failure that happened while serving `requestId` (left out when empty).
  public static Status of(Throwable failure, String requestId) {
    DbException error = classify(failure);
    String text = String.valueOf(error.getMessage());
    Status.Builder status =
        Status.newBuilder()
            .setCode(error.code().number())
            .setErrorCode(oldCode(error.code()))
            .setReason(text)
            .setDetail(text)
            .setRetriable(error.isRetriable());
    if (error.blame() == Blame.INPUT) {
      status.putExtraInfo(IS_INPUT_ERROR, "true");
    }
    if (!requestId.isEmpty()) {
      status.putExtraInfo(REQUEST_ID, requestId);
    }
    return status.build();
  }

  /// The same status under another old code, as access-control calls want it (section 4).
  public static Status withOldCode(Status status, io.elanus.wire.proto.common.ErrorCode oldCode) {
    return isSuccess(status) ? status : status.toBuilder().setErrorCode(oldCode).build();
  }

  /// The product's error in `failure`: unwrapped from the wrappers of futures, and code 65535 for
  /// whatever nobody foresaw.
  public static DbException classify(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case DbException error -> error;
      case TimeoutException e -> DbException.of(ErrorCode.DEADLINE_EXCEEDED).causedBy(e);
      case CancellationException e -> DbException.of(ErrorCode.CANCELED).causedBy(e);
      case RejectedExecutionException e -> DbException.of(ErrorCode.TOO_MANY_REQUESTS).causedBy(e);
      default -> {
        String message = cause.getMessage();
        yield DbException.unexpected(
            message == null ? cause.getClass().getSimpleName() : message, cause);
      }
    };
  }

  /// The error that a status of another server stands for; null for a success.
  public static @Nullable DbException toException(Status status) {
    if (isSuccess(status)) {
      return null;
    }
    ErrorCode code =
        status.getCode() != 0 ? ofNumber(status.getCode()) : ofOldCode(status.getErrorCodeValue());
    DbException error = DbException.verbatim(code, status.getReason());
    return "true".equals(status.getExtraInfoMap().get(IS_INPUT_ERROR)) ? error.asInput() : error;
  }

  private static ErrorCode ofNumber(int number) {
    for (ErrorCode code : ErrorCode.values()) {
      if (code.number() == number) {
        return code;
      }
    }
    return ErrorCode.UNEXPECTED;
  }

  private static ErrorCode ofOldCode(int oldCode) {
    return switch (oldCode) {
      case 4 -> ErrorCode.COLLECTION_NOT_FOUND;
      case 5 -> ErrorCode.PARAMETER_INVALID;
      case 15 -> ErrorCode.CHANNEL_NOT_FOUND;
      case 25 -> ErrorCode.INDEX_NOT_FOUND;
      case 47 -> ErrorCode.SEGMENT_NOT_FOUND;
      case 48 -> ErrorCode.QUOTA_EXCEEDED;
      case 49 -> ErrorCode.RATE_LIMIT;
      case 52, 53 -> ErrorCode.MEMORY_LIMIT_EXCEEDED;
      case 54 -> ErrorCode.DISK_LIMIT_EXCEEDED;
      case 55 -> ErrorCode.TIME_TICK_LONG_DELAY;
      case 56 -> ErrorCode.SERVICE_NOT_READY;
      default -> ErrorCode.UNEXPECTED;
    };
  }

  /// The deprecated `error_code` of a code (section 3).
  public static io.elanus.wire.proto.common.ErrorCode oldCode(ErrorCode code) {
    return switch (code) {
      case SERVICE_NOT_READY -> io.elanus.wire.proto.common.ErrorCode.NotReadyServe;
      case MEMORY_LIMIT_EXCEEDED -> io.elanus.wire.proto.common.ErrorCode.InsufficientMemoryToLoad;
      case DISK_LIMIT_EXCEEDED -> io.elanus.wire.proto.common.ErrorCode.DiskQuotaExhausted;
      case RATE_LIMIT -> io.elanus.wire.proto.common.ErrorCode.RateLimit;
      case QUOTA_EXCEEDED -> io.elanus.wire.proto.common.ErrorCode.ForceDeny;
      case TIME_TICK_LONG_DELAY -> io.elanus.wire.proto.common.ErrorCode.TimeTickLongDelay;
      case COLLECTION_NOT_FOUND -> io.elanus.wire.proto.common.ErrorCode.CollectionNotExists;
      case COLLECTION_SCHEMA_MISMATCH -> io.elanus.wire.proto.common.ErrorCode.SchemaMismatch;
      case PARTITION_NOT_FOUND, REPLICA_NOT_FOUND, CHANNEL_LACK ->
          io.elanus.wire.proto.common.ErrorCode.MetaFailed;
      case REPLICA_NOT_AVAILABLE, CHANNEL_NOT_AVAILABLE, NODE_NOT_AVAILABLE ->
          io.elanus.wire.proto.common.ErrorCode.NoReplicaAvailable;
      case SEGMENT_NOT_FOUND -> io.elanus.wire.proto.common.ErrorCode.SegmentNotFound;
      case INDEX_NOT_FOUND -> io.elanus.wire.proto.common.ErrorCode.IndexNotExist;
      case PARAMETER_INVALID, PARAMETER_MISSING, PARAMETER_TOO_LARGE ->
          io.elanus.wire.proto.common.ErrorCode.IllegalArgument;
      case SERVICE_UNAVAILABLE,
          TOO_MANY_REQUESTS,
          SERVICE_INTERNAL,
          UNIMPLEMENTED,
          RESOURCE_INSUFFICIENT,
          COLLECTION_NOT_LOADED,
          COLLECTION_NUM_LIMIT,
          COLLECTION_NOT_FULLY_LOADED,
          COLLECTION_LOADED,
          ILLEGAL_COLLECTION_SCHEMA,
          COLLECTION_ON_RECOVERING,
          PARTITION_NOT_LOADED,
          PARTITION_NOT_FULLY_LOADED,
          GENERAL_CAPACITY_EXCEEDED,
          RESOURCE_GROUP_NOT_FOUND,
          CHANNEL_NOT_FOUND,
          SEGMENT_NOT_LOADED,
          SEGMENT_LOAD_FAILED,
          INDEX_NOT_SUPPORTED,
          INDEX_DUPLICATE,
          DATABASE_NOT_FOUND,
          DATABASE_NUM_LIMIT,
          DATABASE_INVALID_NAME,
          NODE_NOT_FOUND,
          NODE_OFFLINE,
          IO_KEY_NOT_FOUND,
          IO_FAILED,
          IO_UNEXPECTED_EOF,
          DATA_INTEGRITY,
          METRIC_NOT_FOUND,
          NOT_AUTHENTICATED,
          PRIVILEGE_NOT_PERMITTED,
          ALIAS_NOT_FOUND,
          ALIAS_COLLECTION_NAME_CONFLICT,
          ALIAS_ALREADY_EXIST,
          FIELD_NOT_FOUND,
          FIELD_INVALID_NAME,
          NEED_AUTHENTICATE,
          INCORRECT_PARAMETER_FORMAT,
          MISSING_REQUIRED_PARAMETERS,
          MARSHAL_COLLECTION_SCHEMA,
          INVALID_INSERT_DATA,
          INVALID_SEARCH_RESULT,
          CHECK_PRIMARY_KEY,
          SEGCORE,
          QUERY_PLAN,
          INCONSISTENT_REQUERY,
          COMPACTION_CLUSTERING_UNSUPPORTED,
          OPERATION_UNSUPPORTED,
          CANCELED,
          DEADLINE_EXCEEDED,
          UNEXPECTED ->
          io.elanus.wire.proto.common.ErrorCode.UnexpectedError;
    };
  }
}
