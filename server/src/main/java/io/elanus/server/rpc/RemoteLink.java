package io.elanus.server.rpc;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.time.Clock;
import io.elanus.wire.service.CallContext;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A connection to another process's internal services. A call that the network lost fails with
/// error 905 (node not available), one that ran out of time with 10001, one whose request or reply
/// is larger than the receiver takes with 1102, one that the other end doesn't know with 10.
///
/// Thread-safe.
public final class RemoteLink implements AutoCloseable {
  private final ManagedChannel channel;
  private final Clock clock;

  public RemoteLink(String host, int port, EventLoops loops, Clock clock, int maxReceiveBytes) {
    this.clock = clock;
    this.channel =
        NettyChannelBuilder.forAddress(host, port)
            .usePlaintext()
            .directExecutor()
            .eventLoopGroup(loops.group())
            .channelType(NioSocketChannel.class)
            .maxInboundMessageSize(maxReceiveBytes)
            .build();
  }

  <S, Q, R> CompletableFuture<R> call(Endpoint<S, Q, R> endpoint, CallContext context, Q request) {
    byte[] frame;
    try {
      frame = InternalFrames.request(context, request, endpoint.request(), clock);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(
          DbException.unexpected(endpoint.name() + "'s request can't be written: " + e, e));
    }
    CallOptions options = CallOptions.DEFAULT;
    if (!context.deadline().isNone()) {
      options =
          options.withDeadlineAfter(context.deadline().left(clock).toNanos(), TimeUnit.NANOSECONDS);
    }
    CompletableFuture<R> reply = new CompletableFuture<>();
    ClientCall<byte[], byte[]> call = channel.newCall(endpoint.descriptor(), options);
    call.start(new Answer<>(endpoint, reply), new Metadata());
    call.request(1);
    call.sendMessage(frame);
    call.halfClose();
    return reply;
  }

  private static final class Answer<R> extends ClientCall.Listener<byte[]> {
    private final Endpoint<?, ?, R> endpoint;
    private final CompletableFuture<R> reply;
    private byte @Nullable [] frame;

    Answer(Endpoint<?, ?, R> endpoint, CompletableFuture<R> reply) {
      this.endpoint = endpoint;
      this.reply = reply;
    }

    @Override
    public void onMessage(byte[] message) {
      frame = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      byte[] received = frame;
      if (status.isOk() && received != null) {
        try {
          reply.complete(InternalFrames.readReply(received, endpoint.reply()));
        } catch (RuntimeException e) {
          reply.completeExceptionally(e);
        }
      } else {
        reply.completeExceptionally(lost(status));
      }
    }

    private DbException lost(Status status) {
      // Only these say what happened; after any other the call may have been carried out or not.
      ErrorCode code =
          switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> ErrorCode.DEADLINE_EXCEEDED;
            case RESOURCE_EXHAUSTED -> ErrorCode.PARAMETER_TOO_LARGE;
            case UNIMPLEMENTED -> ErrorCode.UNIMPLEMENTED;
            case OK,
                CANCELLED,
                UNKNOWN,
                INVALID_ARGUMENT,
                NOT_FOUND,
                ALREADY_EXISTS,
                PERMISSION_DENIED,
                FAILED_PRECONDITION,
                ABORTED,
                OUT_OF_RANGE,
                INTERNAL,
                UNAVAILABLE,
                DATA_LOSS,
                UNAUTHENTICATED ->
                ErrorCode.NODE_NOT_AVAILABLE;
          };
      String why = status.getDescription();
      return DbException.described(
          code,
          why == null || code == ErrorCode.DEADLINE_EXCEEDED
              ? endpoint.name()
              : endpoint.name() + ": " + why);
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
