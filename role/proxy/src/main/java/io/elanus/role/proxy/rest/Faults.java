package io.elanus.role.proxy.rest;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// Looks into what a failed future carries.
///
/// Thread-safe: stateless.
final class Faults {
  private Faults() {}

  static boolean hasCode(@Nullable Throwable fault, ErrorCode code) {
    Throwable cause = fault;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof DbException known && known.code() == code;
  }

  /// `fault` in a form that a stage may throw.
  static CompletionException rethrown(Throwable fault) {
    return fault instanceof CompletionException wrapped ? wrapped : new CompletionException(fault);
  }
}
