package io.elanus.server.rpc;

import io.elanus.base.error.DbException;
import io.elanus.base.time.Clock;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.TsoService;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Serves internal services over gRPC.
///
/// Thread-safe: stateless.
public final class InternalServer {
  private final Clock clock;

  public InternalServer(Clock clock) {
    this.clock = clock;
  }

  public ServerServiceDefinition serve(TsoService service) {
    return bind("TsoService", Endpoints.TSO, service);
  }

  public ServerServiceDefinition serve(CatalogService service) {
    return bind("CatalogService", Endpoints.CATALOG, service);
  }

  public ServerServiceDefinition serve(DataCoordService service) {
    return bind("DataCoordService", Endpoints.DATACOORD, service);
  }

  public ServerServiceDefinition serve(QueryCoordService service) {
    return bind("QueryCoordService", Endpoints.QUERYCOORD, service);
  }

  public ServerServiceDefinition serve(StreamingService service) {
    return bind("StreamingService", Endpoints.STREAMING, service);
  }

  public ServerServiceDefinition serve(DelegatorService service) {
    return bind("DelegatorService", Endpoints.DELEGATOR, service);
  }

  public ServerServiceDefinition serve(QueryNodeService service) {
    return bind("QueryNodeService", Endpoints.QUERYNODE, service);
  }

  public ServerServiceDefinition serve(DataNodeService service) {
    return bind("DataNodeService", Endpoints.DATANODE, service);
  }

  public ServerServiceDefinition serve(ProxyCacheService service) {
    return bind("ProxyCacheService", Endpoints.PROXYCACHE, service);
  }

  private <S> ServerServiceDefinition bind(
      String name, List<Endpoint<S, ?, ?>> endpoints, S service) {
    ServerServiceDefinition.Builder out =
        ServerServiceDefinition.builder("elanus.internal." + name);
    for (Endpoint<S, ?, ?> endpoint : endpoints) {
      out.addMethod(endpoint.descriptor(), handler(endpoint, service));
    }
    return out.build();
  }

  private <S, Q, R> ServerCallHandler<byte[], byte[]> handler(
      Endpoint<S, Q, R> endpoint, S service) {
    return (call, _) -> {
      call.request(1);
      return new ServerCall.Listener<>() {
        private byte @Nullable [] frame;

        @Override
        public void onMessage(byte[] message) {
          frame = message;
        }

        @Override
        public void onHalfClose() {
          byte[] received = frame;
          if (received == null) {
            call.close(Status.INTERNAL.withDescription("no request"), new Metadata());
            return;
          }
          invoke(endpoint, service, received)
              .whenComplete((reply, fault) -> send(call, answer(endpoint, reply, fault)));
        }
      };
    };
  }

  private <S, Q, R> CompletableFuture<R> invoke(
      Endpoint<S, Q, R> endpoint, S service, byte[] frame) {
    try {
      InternalFrames.Request<Q> request =
          InternalFrames.readRequest(frame, endpoint.request(), clock);
      return endpoint.call().invoke(service, request.context(), request.body());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Never throws: a caller without a deadline would wait for ever.
  private static <R> byte[] answer(
      Endpoint<?, ?, R> endpoint, @Nullable R reply, @Nullable Throwable fault) {
    if (fault != null) {
      return InternalFrames.failure(fault);
    }
    try {
      return InternalFrames.reply(
          Objects.requireNonNull(reply, () -> endpoint.name() + " answered nothing"),
          endpoint.reply());
    } catch (RuntimeException e) {
      return InternalFrames.failure(
          DbException.unexpected(endpoint.name() + "'s answer can't be written: " + e, e));
    }
  }

  private static void send(ServerCall<byte[], byte[]> call, byte[] frame) {
    // gRPC wants one caller at a time; replies come from any thread, but once a call.
    synchronized (call) {
      call.sendHeaders(new Metadata());
      call.sendMessage(frame);
      call.close(Status.OK, new Metadata());
    }
  }
}
