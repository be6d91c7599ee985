package io.elanus.server.rpc;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/// The network threads of a process, shared by its ports.
///
/// Thread-safe.
public final class EventLoops implements AutoCloseable {
  private final EventLoopGroup group;

  public EventLoops(String node, int threads) {
    group =
        new MultiThreadIoEventLoopGroup(
            threads, new DefaultThreadFactory(node + "/net", true), NioIoHandler.newFactory());
  }

  EventLoopGroup group() {
    return group;
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
