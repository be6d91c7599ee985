package io.elanus.server.rpc;

import io.elanus.base.random.Rng;
import io.elanus.base.time.Clock;
import io.elanus.wire.http.HttpHandler;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// gRPC and REST on one port. Handlers run on the event loop: they must not block it.
///
/// Thread-safe.
public final class PortServer implements AutoCloseable {
  /// gRPC closes a connection on which its own handshake is late; a REST connection never makes
  /// one.
  private static final long NO_HANDSHAKE_LIMIT_DAYS = 3_650;

  private final Server server;

  /// Listens at once. Throws [java.io.IOException] when the port can't be had.
  public PortServer(
      PortConfig config,
      EventLoops loops,
      List<ServerServiceDefinition> services,
      HttpHandler rest,
      Clock clock,
      Rng rng)
      throws IOException {
    HttpConnection.Shared http =
        new HttpConnection.Shared(rest, clock, rng, config.httpTimeout(), config.maxReceiveBytes());
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(config.bind(), config.port()))
            .bossEventLoopGroup(loops.group())
            .workerEventLoopGroup(loops.group())
            .channelType(NioServerSocketChannel.class)
            .directExecutor()
            .maxInboundMessageSize(config.maxReceiveBytes())
            .flowControlWindow(4 << 20)
            // The official clients ping every 10 s, with and without calls under way.
            .permitKeepAliveTime(5, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .keepAliveTime(60, TimeUnit.SECONDS)
            .keepAliveTimeout(10, TimeUnit.SECONDS)
            .handshakeTimeout(NO_HANDSHAKE_LIMIT_DAYS, TimeUnit.DAYS)
            .protocolNegotiator(
                new SniffingNegotiator(pipeline -> HttpConnection.install(pipeline, http)));
    services.forEach(builder::addService);
    server = builder.build().start();
  }

  /// The port listened on.
  public int port() {
    return server.getPort();
  }

  /// Takes no new calls, gives those under way a moment, then closes.
  @Override
  public void close() {
    server.shutdown();
    try {
      if (!server.awaitTermination(1, TimeUnit.SECONDS)) {
        server.shutdownNow();
        server.awaitTermination(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
