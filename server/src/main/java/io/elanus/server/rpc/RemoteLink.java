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
/// error 905 (node not available), one that ran out of time with 10001.
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
    CallOptions options = CallOptions.DEFAULT;
    if (!context.deadline().isNone()) {
      options =
          options.withDeadlineAfter(context.deadline().left(clock).toNanos(), TimeUnit.NANOSECONDS);
    }
    CompletableFuture<R> reply = new CompletableFuture<>();
    ClientCall<byte[], byte[]> call = channel.newCall(endpoint.descriptor(), options);
    call.start(new Answer<>(endpoint, reply), new Metadata());
    call.request(1);
    call.sendMessage(InternalFrames.request(context, request, endpoint.request(), clock));
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
      } else if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
        reply.completeExceptionally(
            DbException.described(ErrorCode.DEADLINE_EXCEEDED, endpoint.name()));
      } else {
        reply.completeExceptionally(
            DbException.described(
                ErrorCode.NODE_NOT_AVAILABLE, endpoint.name() + ": " + status.getDescription()));
      }
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
