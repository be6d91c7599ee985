package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.config.Settings;
import io.elanus.server.node.StandaloneNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Health, metrics and the status page on the management port.
class ManagementIT {
  private static StandaloneNode node;
  private static HttpClient client;

  @BeforeAll
  static void start() throws Exception {
    node =
        StandaloneNode.startInMemory(
            Settings.of(Map.of("proxy.port", "0", "common.http.managementPort", "0")));
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    client.close();
    node.close();
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + node.managementPort() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void saysThatItIsHealthy() throws Exception {
    assertThat(get("/healthz").body()).isEqualTo("OK");
    assertThat(get("/livez").statusCode()).isEqualTo(200);
  }

  @Test
  void metricsShowTheServerAndItsJvm() throws Exception {
    HttpResponse<String> first = get("/metrics");
    HttpResponse<String> second = get("/metrics");

    assertThat(first.headers().firstValue("content-type").orElse("")).startsWith("text/plain");
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body())
        .contains("milvus_wal_append_message_total")
        .contains("jvm_memory_used_bytes")
        .contains("jvm_threads_live_threads")
        .contains("jvm_gc_collection_seconds_total")
        .contains("process_cpu_usage");
  }

  @Test
  void theStatusPageShowsTheServerAndItsChannels() throws Exception {
    assertThat(get("/").body()).contains("healthy").contains("by-dev-rootcoord-dml_15");
    assertThat(get("/api/v1/_cluster/info").body())
        .contains("\"state\":\"healthy\"")
        .contains("{\"name\":\"by-dev-rootcoord-dml_0\",\"open\":true}");
  }

  @Test
  void theStatusPageShowsRowsLoadsAndIndexes() throws Exception {
    try (Sdk.Closing client = Sdk.open("http://127.0.0.1:" + node.port())) {
      Sdk.createVersioned(client.client(), "seen", 2);

      String json = get("/api/v1/_cluster/info").body();
      assertThat(json)
          .contains("\"name\":\"seen\",\"load\":\"loaded\",\"loadedPercent\":100,\"rows\":0")
          .contains("\"state\":\"finished\"");
      assertThat(get("/").body()).contains("default.seen").contains("loaded").contains("finished");

      client
          .client()
          .dropCollection(
              io.milvus.v2.service.collection.request.DropCollectionReq.builder()
                  .collectionName("seen")
                  .build());
      assertThat(get("/").body()).doesNotContain("default.seen");
    }
  }

  @Test
  void unknownPathsAreNotFound() throws Exception {
    assertThat(get("/no/such/path").statusCode()).isEqualTo(404);
  }
}
