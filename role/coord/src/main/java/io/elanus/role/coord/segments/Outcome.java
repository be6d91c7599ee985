package io.elanus.role.coord.segments;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;

/// How a call ended.
///
/// Immutable.
public sealed interface Outcome<T> {
  record Done<T>(T value) implements Outcome<T> {}

  record Failed<T>(DbException error) implements Outcome<T> {}

  /// What `fault` says to a caller: the error itself, or 65535 around a fault nobody foresaw.
  static DbException errorOf(Throwable fault) {
    Throwable cause = fault;
    while (cause instanceof CompletionException wrapped && wrapped.getCause() != null) {
      cause = wrapped.getCause();
    }
    return switch (cause) {
      case DbException error -> error;
      case RejectedExecutionException full ->
          DbException.of(ErrorCode.TOO_MANY_REQUESTS).causedBy(full);
      case CancellationException cancelled ->
          DbException.of(ErrorCode.CANCELED).causedBy(cancelled);
      default -> DbException.unexpected(String.valueOf(cause.getMessage()), cause);
    };
  }
}
