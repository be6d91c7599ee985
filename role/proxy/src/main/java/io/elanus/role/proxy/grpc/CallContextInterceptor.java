package io.elanus.role.proxy.grpc;

import io.elanus.base.random.Rng;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.service.CallContext;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Gives every call its [CallContext] (deadline from the gRPC timeout, request id from the client
/// or made here) and the database of its metadata.
///
/// Thread-safe.
public final class CallContextInterceptor implements ServerInterceptor {
  private static final Context.Key<CallContext> CALL = Context.key("elanus-call");
  private static final Context.Key<String> DATABASE = Context.key("elanus-database");
  private static final Metadata.Key<String> DB_NAME =
      Metadata.Key.of("dbname", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> REQUEST_ID =
      Metadata.Key.of("client_request_id", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> IDEMPOTENCY_KEY =
      Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER);

  private final Clock clock;
  private final Rng rng;
  private final Duration defaultTimeout;

  /// `defaultTimeout` bounds calls whose client set no deadline.
  public CallContextInterceptor(Clock clock, Rng rng, Duration defaultTimeout) {
    this.clock = clock;
    this.rng = rng;
    this.defaultTimeout = defaultTimeout;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Context current = Context.current();
    io.grpc.@Nullable Deadline given = current.getDeadline();
    Duration left =
        given == null
            ? defaultTimeout
            : Duration.ofNanos(given.timeRemaining(TimeUnit.NANOSECONDS));
    String requestId = headers.get(REQUEST_ID);
    if (requestId == null || requestId.isEmpty()) {
      requestId = Long.toHexString(rng.nextLong());
    }
    String key = headers.get(IDEMPOTENCY_KEY);
    CallContext made =
        new CallContext(Deadline.after(clock, left), requestId, key == null ? "" : key.strip());
    String database = headers.get(DB_NAME);
    Context context =
        current
            .withValue(CALL, made)
            .withValue(
                DATABASE,
                database == null || database.isEmpty() ? DatabaseMeta.DEFAULT_NAME : database);
    return Contexts.interceptCall(context, call, headers, next);
  }

  /// The context of the call under way on this thread.
  static CallContext call() {
    CallContext context = CALL.get();
    if (context == null) {
      throw new IllegalStateException("the service is bound without its interceptor");
    }
    return context;
  }

  /// `name`, or the database of the metadata when it is empty.
  static String database(String name) {
    if (!name.isEmpty()) {
      return name;
    }
    String database = DATABASE.get();
    return database == null ? DatabaseMeta.DEFAULT_NAME : database;
  }
}
