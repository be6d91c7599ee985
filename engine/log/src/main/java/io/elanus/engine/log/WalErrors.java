package io.elanus.engine.log;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;

/// The errors of this package in one place.
///
/// Thread-safe: stateless.
final class WalErrors {
  private WalErrors() {}

  static DbException fenced(PChannel pchannel, long term) {
    return DbException.described(
        ErrorCode.CHANNEL_NOT_AVAILABLE,
        "term " + term + " of " + pchannel + " is fenced by a later one");
  }

  static DbException closed(PChannel pchannel) {
    return DbException.described(
        ErrorCode.CHANNEL_NOT_AVAILABLE, "log of " + pchannel + " is closed");
  }

  static DbException truncated(PChannel pchannel, long from, long first) {
    return DbException.described(
        ErrorCode.IO_KEY_NOT_FOUND,
        "log of " + pchannel + " begins at " + first + ", position " + from + " is truncated");
  }

  static DbException tooMany(PChannel pchannel) {
    return DbException.of(ErrorCode.TOO_MANY_REQUESTS, "log of " + pchannel);
  }

  static DbException tooLarge(PChannel pchannel, long bytes, long limit) {
    return DbException.described(
        ErrorCode.PARAMETER_TOO_LARGE,
        "record of " + bytes + " bytes for " + pchannel + ", the limit is " + limit);
  }

  static DbException io(PChannel pchannel, String what, Throwable cause) {
    return DbException.described(
            ErrorCode.IO_FAILED, "log of " + pchannel + ": " + what + ": " + cause)
        .causedBy(cause)
        .asRetriable();
  }

  static DbException damaged(String file, long offset, String what) {
    return DbException.described(
        ErrorCode.DATA_INTEGRITY,
        "log file "
            + file
            + " at offset "
            + offset
            + ": "
            + what
            + "; acknowledged records are affected: restore the folder from a copy, or move it away"
            + " to go on without its records");
  }

  static DbException endsEarly(PChannel pchannel, long last, MessageId highWater) {
    return DbException.described(
        ErrorCode.DATA_INTEGRITY,
        "log of "
            + pchannel
            + " ends with record "
            + last
            + " but a checkpoint saw record "
            + highWater
            + "; restore the log's folder from a copy");
  }
}
