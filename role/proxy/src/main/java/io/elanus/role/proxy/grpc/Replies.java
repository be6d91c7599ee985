package io.elanus.role.proxy.grpc;

import io.elanus.wire.proto.common.Status;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.status.WireStatus;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Turns the outcome of a call into exactly one message: the answer, or the same message type
/// holding the failure's status. Business errors are never gRPC errors (errors.md, section 1).
///
/// Thread-safe: stateless.
final class Replies {
  private static final Logger log = LoggerFactory.getLogger(Replies.class);

  private Replies() {}

  /// Answers `observer` when the work ends. `work` itself may throw.
  static <R, T> void answer(
      StreamObserver<T> observer,
      Supplier<CompletableFuture<R>> work,
      Function<R, T> answered,
      Function<Status, T> failed) {
    CallContext context = CallContextInterceptor.call();
    CompletableFuture<R> future;
    try {
      future = work.get();
    } catch (RuntimeException e) {
      future = CompletableFuture.failedFuture(e);
    }
    future.whenComplete((result, fault) -> {
      T message;
      if (fault == null) {
        try {
          message = answered.apply(result);
        } catch (RuntimeException e) {
          message = failed.apply(failure(e, context));
        }
      } else {
        message = failed.apply(failure(fault, context));
      }
      observer.onNext(message);
      observer.onCompleted();
    });
  }

  /// The same for calls that answer a bare status.
  static <R> void status(StreamObserver<Status> observer, Supplier<CompletableFuture<R>> work) {
    answer(observer, work, _ -> WireStatus.success(), status -> status);
  }

  private static Status failure(Throwable fault, CallContext context) {
    Status status = WireStatus.of(fault, context.requestId());
    if (status.getCode() == io.elanus.base.error.ErrorCode.UNEXPECTED.number()) {
      log.atError()
          .setCause(fault)
          .addKeyValue("request", context.requestId())
          .log("call failed unexpectedly");
    } else {
      log.atDebug()
          .addKeyValue("request", context.requestId())
          .addKeyValue("code", status.getCode())
          .log(status.getReason());
    }
    return status;
  }

  /// Answers at once.
  static <T> void send(StreamObserver<T> observer, T message) {
    observer.onNext(message);
    observer.onCompleted();
  }
}
