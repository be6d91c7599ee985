package io.elanus.server.rpc;

import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalProtocolNegotiator;
import io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.ProtocolNegotiationEvent;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Lets gRPC and HTTP/1.1 share a port: a connection whose first bytes are the HTTP/2 preface goes
/// to gRPC, any other gets the HTTP pipeline.
///
/// gRPC's negotiation classes are internal to its library: its version is pinned and a test guards
/// this class. Thread-safe: one handler a connection.
final class SniffingNegotiator implements InternalProtocolNegotiator.ProtocolNegotiator {
  private static final long FIRST_BYTES_TIMEOUT_S = 30;

  private final InternalProtocolNegotiator.ProtocolNegotiator plaintext =
      InternalProtocolNegotiators.serverPlaintext();
  private final Consumer<ChannelPipeline> http;

  /// `http` adds the HTTP handlers to a pipeline.
  SniffingNegotiator(Consumer<ChannelPipeline> http) {
    this.http = http;
  }

  @Override
  public AsciiString scheme() {
    return plaintext.scheme();
  }

  @Override
  public ChannelHandler newHandler(GrpcHttp2ConnectionHandler grpc) {
    return new Sniffer(grpc);
  }

  @Override
  public void close() {
    plaintext.close();
  }

  private final class Sniffer extends ByteToMessageDecoder {
    private final GrpcHttp2ConnectionHandler grpc;
    private @Nullable ProtocolNegotiationEvent held;
    private @Nullable ScheduledFuture<?> timeout;

    Sniffer(GrpcHttp2ConnectionHandler grpc) {
      this.grpc = grpc;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
      if (event instanceof ProtocolNegotiationEvent negotiation) {
        // gRPC's own handler must see this event, but only once it is in the pipeline.
        held = negotiation;
        timeout =
            context
                .executor()
                .schedule(() -> context.close(), FIRST_BYTES_TIMEOUT_S, TimeUnit.SECONDS);
      } else {
        super.userEventTriggered(context, event);
      }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
      ProtocolNegotiationEvent event = held;
      if (in.readableBytes() < 3 || event == null) {
        return;
      }
      if (timeout != null) {
        timeout.cancel(false);
      }
      int at = in.readerIndex();
      boolean http2 =
          in.getByte(at) == 'P' && in.getByte(at + 1) == 'R' && in.getByte(at + 2) == 'I';
      ChannelPipeline pipeline = context.pipeline();
      if (http2) {
        pipeline.addAfter(context.name(), null, plaintext.newHandler(grpc));
        context.fireUserEventTriggered(event);
      } else {
        while (pipeline.last() != this) {
          pipeline.removeLast();
        }
        http.accept(pipeline);
      }
      pipeline.remove(this); // Hands the bytes read so far to the next handler.
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
      if (timeout != null) {
        timeout.cancel(false);
      }
    }
  }
}
