package io.elanus.server.node;

import io.elanus.role.proxy.grpc.FirstCalls;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/// The first calls of every client, over REST and gRPC: shows the JVM what a server's start and
/// first requests need, when a class archive is recorded.
public final class TrainingRun {
  private static final List<Map.Entry<String, String>> CALLS =
      List.of(
          Map.entry("collections/create", "{\"collectionName\":\"t\",\"dimension\":8}"),
          Map.entry(
              "entities/insert",
              "{\"collectionName\":\"t\",\"data\":[{\"id\":1,\"vector\":[1,2,3,4,5,6,7,8],\"a\":1},"
                  + "{\"id\":2,\"vector\":[8,7,6,5,4,3,2,1],\"a\":2}]}"),
          Map.entry(
              "entities/search",
              "{\"collectionName\":\"t\",\"data\":[[1,2,3,4,5,6,7,8]],\"limit\":2,\"filter\":\"a > 0\","
                  + "\"consistencyLevel\":\"Strong\",\"outputFields\":[\"*\"]}"),
          Map.entry("entities/query", "{\"collectionName\":\"t\",\"filter\":\"id > 0\"}"),
          Map.entry("entities/delete", "{\"collectionName\":\"t\",\"filter\":\"id in [1]\"}"),
          Map.entry("collections/describe", "{\"collectionName\":\"t\"}"),
          Map.entry("collections/flush", "{\"collectionName\":\"t\"}"),
          Map.entry("collections/list", "{}"),
          Map.entry("collections/drop", "{\"collectionName\":\"t\"}"));

  private TrainingRun() {}

  /// Runs the calls against a running server that nobody else uses.
  public static void exercise(StandaloneNode node) throws IOException, InterruptedException {
    String base = "http://" + node.address() + ":" + node.port() + "/v2/vectordb/";
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      for (Map.Entry<String, String> call : CALLS) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(base + call.getKey()))
                .POST(HttpRequest.BodyPublishers.ofString(call.getValue()))
                .build();
        client.send(request, HttpResponse.BodyHandlers.ofString());
      }
      URI metrics =
          URI.create("http://" + node.address() + ":" + node.managementPort() + "/metrics");
      client.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString());
    }
    callOverGrpc(node);
  }

  private static void callOverGrpc(StandaloneNode node) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(node.address(), node.port()).usePlaintext().build();
    try {
      FirstCalls.make(channel);
    } finally {
      channel.shutdownNow();
    }
  }
}
