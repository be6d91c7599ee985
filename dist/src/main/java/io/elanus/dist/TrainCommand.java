package io.elanus.dist;

import io.elanus.server.node.StandaloneNode;
import io.elanus.wire.proto.milvus.ConnectRequest;
import io.elanus.wire.proto.milvus.HasCollectionRequest;
import io.elanus.wire.proto.milvus.MilvusServiceGrpc;
import io.elanus.wire.proto.milvus.MilvusServiceGrpc.MilvusServiceBlockingStub;
import io.elanus.wire.proto.milvus.ShowCollectionsRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A short life of a server, over REST and gRPC: run once when the distribution is made, so that
/// the JVM's class archive holds the classes and lambdas that a start and the first requests need.
///
/// Confined to the main thread.
final class TrainCommand {
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

  private TrainCommand() {}

  static void run() throws Exception {
    Path folder = Files.createTempDirectory("elanus-train");
    try {
      List<String> args =
          List.of("--data", folder.toString(), "--port", "0", "--management-port", "0");
      for (int start = 0; start < 2; start++) {
        StandaloneOptions options = StandaloneOptions.parse(args).orElseThrow();
        try (StandaloneNode node = StandaloneCommand.start(options)) {
          exercise(node);
        }
      }
    } finally {
      delete(folder);
    }
  }

  private static void exercise(StandaloneNode node) throws IOException, InterruptedException {
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

  /// The first calls of every client.
  private static void callOverGrpc(StandaloneNode node) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(node.address(), node.port()).usePlaintext().build();
    try {
      MilvusServiceBlockingStub milvus = MilvusServiceGrpc.newBlockingStub(channel);
      milvus.connect(ConnectRequest.getDefaultInstance());
      milvus.showCollections(ShowCollectionsRequest.getDefaultInstance());
      milvus.hasCollection(HasCollectionRequest.newBuilder().setCollectionName("t").build());
    } finally {
      channel.shutdownNow();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
