package io.elanus.server.rpc;

import io.elanus.base.config.Key;
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
            min = "0",
            max = "65535",
            defaultValue = "19530",
            doc = "Client port, gRPC and REST; 0 takes a free one.")
        int port,
    @Key(
            value = "proxy.grpc.serverMaxRecvSize",
            min = "1024",
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
            min = "0",
            max = "1024",
            defaultValue = "0",
            doc = "Network threads; 0 takes half the cores, at least one.")
        int netThreads) {}
