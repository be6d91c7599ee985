package io.elanus.dist;

import io.elanus.base.config.Settings;
import io.elanus.server.node.StandaloneNode;
import io.elanus.server.node.StartupException;
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
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/// A short life of a server over REST: run once when the distribution is made, so that the JVM's
/// AOT cache knows the classes and methods that a start and the first requests need.
///
/// Confined to the main thread.
@Command(name = "train", hidden = true, description = "Runs a short workload for the AOT cache.")
final class TrainCommand implements Callable<Integer> {
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

  @Override
  public Integer call() throws IOException, StartupException, InterruptedException {
    Path folder = Files.createTempDirectory("elanus-train");
    try {
      Settings settings = Settings.of(Map.of("proxy.port", "0", "common.http.managementPort", "0"));
      for (int start = 0; start < 2; start++) {
        try (StandaloneNode node = StandaloneNode.start(folder, settings)) {
          exercise(node);
        }
      }
    } finally {
      delete(folder);
    }
    return 0;
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
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
