package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.server.embedded.Elanus;
import io.elanus.wire.proto.common.Status;
import io.elanus.wire.proto.milvus.MilvusServiceGrpc;
import io.elanus.wire.proto.milvus.RenameCollectionRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A DDL that a client repeats under its key answers as the first did, over gRPC and REST.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class IdempotencyIT {
  private static String post(HttpClient http, Elanus db, String route, String key, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(db.uri() + "/v2/vectordb/" + route))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void restTakesTheKeyFromAHeader() throws Exception {
    String rename = "{'collectionName':'a','newCollectionName':'b'}";
    try (Elanus db = Elanus.inMemory();
        HttpClient http = HttpClient.newHttpClient()) {
      post(http, db, "collections/create", "k0", "{'collectionName':'a','dimension':2}");

      assertThat(post(http, db, "collections/rename", "k1", rename)).contains("\"code\":0");
      assertThat(post(http, db, "collections/rename", "k1", rename)).contains("\"code\":0");
      assertThat(post(http, db, "collections/rename", "k2", rename)).doesNotContain("\"code\":0");
      assertThat(
              post(
                  http,
                  db,
                  "collections/rename",
                  "k1",
                  "{'collectionName':'b','newCollectionName':'c'}"))
          .contains("\"code\":1100")
          .contains("used for another request");
      assertThat(post(http, db, "collections/drop", "x".repeat(300), "{'collectionName':'b'}"))
          .contains("idempotency key");
    }
  }

  private static Status rename(ManagedChannel channel, String key) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), key);
    return MilvusServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
        .renameCollection(
            RenameCollectionRequest.newBuilder().setOldName("a").setNewName("b").build());
  }

  @Test
  void grpcTakesTheKeyFromTheMetadata() throws Exception {
    try (Elanus db = Elanus.inMemory();
        HttpClient http = HttpClient.newHttpClient()) {
      post(http, db, "collections/create", "k0", "{'collectionName':'a','dimension':2}");
      ManagedChannel channel =
          ManagedChannelBuilder.forTarget(db.uri().substring("http://".length()))
              .usePlaintext()
              .build();
      try {
        assertThat(rename(channel, "k1").getCode()).isZero();
        assertThat(rename(channel, "k1").getCode()).isZero();
        assertThat(rename(channel, "k2").getCode()).isNotZero();
      } finally {
        channel.shutdownNow();
      }
    }
  }
}
