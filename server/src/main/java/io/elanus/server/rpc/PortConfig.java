package io.elanus.server.rpc;

import io.elanus.base.config.Key;
import io.elanus.base.error.DbException;
import java.time.Duration;

/// The client port.
///
/// Immutable.
public record PortConfig(
    @Key(
            value = "proxy.bind",
            defaultValue = "127.0.0.1",
            doc = "Address that the client and the management port listen on.")
        String bind,
    @Key(
            value = "proxy.port",
            defaultValue = "19530",
            doc = "Client port, gRPC and REST; 0 takes a free one.")
        int port,
    @Key(
            value = "proxy.grpc.serverMaxRecvSize",
            defaultValue = "67108864",
            unit = "bytes",
            doc = "Largest request that is accepted.")
        int maxReceiveBytes,
    @Key(
            value = "proxy.http.requestTimeoutMs",
            defaultValue = "30000",
            unit = "ms",
            doc = "Time limit of a REST request that names none.")
        Duration httpTimeout,
    @Key(
            value = "proxy.netThreads",
            defaultValue = "0",
            doc = "Network threads; 0 takes half the cores, at least one.")
        int netThreads) {
  public PortConfig {
    if (port < 0 || port > 65_535) {
      throw DbException.invalid("setting proxy.port", "0 to 65535", port);
    }
    if (maxReceiveBytes < 1024) {
      throw DbException.invalid(
          "setting proxy.grpc.serverMaxRecvSize", "at least 1024", maxReceiveBytes);
    }
  }
}
