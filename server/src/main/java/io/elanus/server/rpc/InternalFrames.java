package io.elanus.server.rpc;

import io.elanus.base.bytes.ByteReader;
import io.elanus.base.bytes.ByteWriter;
import io.elanus.base.error.Blame;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.status.WireStatus;
import java.time.Duration;

/// Bytes of internal calls. Request: version u8 = 1, request id text, nanoseconds left i64 (-1 = no
/// deadline), JSON blob. Reply: 0 u8 and the JSON blob, or 1 u8, error number varint, flags u8 (1 =
/// the caller's mistake, 2 = worth trying again), message text.
///
/// Thread-safe: stateless.
final class InternalFrames {
  private static final int VERSION = 2;
  private static final int INPUT = 1;
  private static final int RETRIABLE = 2;

  private InternalFrames() {}

  record Request<Q>(CallContext context, Q body) {}

  static byte[] request(CallContext context, Object body, Class<?> type, Clock clock) {
    long left = context.deadline().isNone() ? -1 : context.deadline().left(clock).toNanos();
    byte[] json = InternalJson.write(body, type);
    return new ByteWriter(json.length + 64)
        .u8(VERSION)
        .text(context.requestId())
        .text(context.idempotencyKey())
        .i64(left)
        .blob(json)
        .toArray();
  }

  static <Q> Request<Q> readRequest(byte[] frame, Class<Q> type, Clock clock) {
    ByteReader in = new ByteReader(frame);
    int version = in.u8();
    if (version != VERSION) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY, "internal call of version " + version + " is not known");
    }
    String requestId = in.text();
    String idempotencyKey = in.text();
    long left = in.i64();
    Deadline deadline = left < 0 ? Deadline.NONE : Deadline.after(clock, Duration.ofNanos(left));
    CallContext context = new CallContext(deadline, requestId, idempotencyKey);
    return new Request<>(context, InternalJson.read(in.blob(), type));
  }

  static byte[] reply(Object body, Class<?> type) {
    byte[] json = InternalJson.write(body, type);
    return new ByteWriter(json.length + 8).u8(0).blob(json).toArray();
  }

  static byte[] failure(Throwable fault) {
    DbException known = WireStatus.classify(fault);
    int flags = (known.blame() == Blame.INPUT ? INPUT : 0) | (known.isRetriable() ? RETRIABLE : 0);
    return new ByteWriter(128)
        .u8(1)
        .varint(known.code().number())
        .u8(flags)
        .text(String.valueOf(known.getMessage()))
        .toArray();
  }

  static <R> R readReply(byte[] frame, Class<R> type) {
    ByteReader in = new ByteReader(frame);
    if (in.u8() == 0) {
      return InternalJson.read(in.blob(), type);
    }
    ErrorCode code = ofNumber(Math.toIntExact(in.varint()));
    int flags = in.u8();
    DbException failure = DbException.verbatim(code, in.text());
    if ((flags & INPUT) != 0) {
      throw failure.asInput();
    }
    throw (flags & RETRIABLE) != 0 ? failure.asRetriable() : failure;
  }

  private static ErrorCode ofNumber(int number) {
    for (ErrorCode code : ErrorCode.values()) {
      if (code.number() == number) {
        return code;
      }
    }
    return ErrorCode.UNEXPECTED;
  }
}
