package io.elanus.server.rpc;

import io.elanus.base.random.Rng;
import io.elanus.base.time.Clock;
import io.elanus.wire.http.HttpHandler;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/// A plain HTTP/1.1 port, for management.
///
/// Thread-safe.
public final class HttpPort implements AutoCloseable {
  private static final int MAX_BODY_BYTES = 1 << 20;

  private final Channel channel;

  /// Listens at once. Throws [java.io.IOException] when the port can't be had.
  public HttpPort(
      String bind, int port, EventLoops loops, HttpHandler handler, Clock clock, Rng rng)
      throws IOException {
    HttpConnection.Shared shared =
        new HttpConnection.Shared(handler, clock, rng, Duration.ofSeconds(30), MAX_BODY_BYTES);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops.group())
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel connection) {
                    HttpConnection.install(connection.pipeline(), shared);
                  }
                })
            .bind(new InetSocketAddress(bind, port))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(bound.cause());
    }
    channel = bound.channel();
  }

  /// The port listened on.
  public int port() {
    return ((InetSocketAddress) channel.localAddress()).getPort();
  }

  @Override
  public void close() {
    channel.close().awaitUninterruptibly(1_000);
  }
}
