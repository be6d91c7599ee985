package io.elanus.server.rpc;

import io.elanus.base.random.Rng;
import io.elanus.base.time.SystemClock;
import io.elanus.wire.http.HttpHandler;
import io.elanus.wire.http.HttpReply;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The network side of one process in a test: internal services on a free loopback port, and links
/// to the ports of others, with one network thread.
///
/// Confined to the caller.
public final class Loopback implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int MAX_RECEIVE_BYTES = 64 << 20;

  private final EventLoops loops;
  private final List<PortServer> servers = new ArrayList<>();
  private final List<RemoteLink> links = new ArrayList<>();

  public Loopback(String node) {
    loops = new EventLoops(node, 1);
  }

  /// Makes the services of this process.
  public InternalServer services() {
    return new InternalServer(SystemClock.INSTANCE);
  }

  /// Serves on a free port; the server is closed with this.
  public PortServer listen(ServerServiceDefinition... services) {
    return listen(MAX_RECEIVE_BYTES, services);
  }

  /// The same with REST beside the services.
  public PortServer listenWith(HttpHandler rest, ServerServiceDefinition... services) {
    return listen(MAX_RECEIVE_BYTES, rest, services);
  }

  PortServer listen(int maxReceiveBytes, ServerServiceDefinition... services) {
    return listen(
        maxReceiveBytes,
        call -> CompletableFuture.completedFuture(HttpReply.text(404, "not here")),
        services);
  }

  private PortServer listen(
      int maxReceiveBytes, HttpHandler rest, ServerServiceDefinition... services) {
    PortConfig config = new PortConfig(HOST, 0, maxReceiveBytes, Duration.ofSeconds(10), 1);
    try {
      PortServer server =
          new PortServer(config, loops, List.of(services), rest, SystemClock.INSTANCE, new Rng(1));
      servers.add(server);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A link to a port of another process; closed with this.
  public RemoteLink link(int port) {
    return link(port, MAX_RECEIVE_BYTES);
  }

  RemoteLink link(int port, int maxReceiveBytes) {
    RemoteLink link = new RemoteLink(HOST, port, loops, SystemClock.INSTANCE, maxReceiveBytes);
    links.add(link);
    return link;
  }

  @Override
  public void close() {
    links.forEach(RemoteLink::close);
    servers.forEach(PortServer::close);
    loops.close();
  }
}
