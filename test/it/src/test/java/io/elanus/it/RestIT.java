package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.elanus.server.embedded.ElanusExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// REST v2 as a plain HTTP client sees it. Every test uses a collection of its own.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RestIT {
  @RegisterExtension static final ElanusExtension db = new ElanusExtension();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void collectionsAreCreatedDescribedAndDropped() throws Exception {
    create("rest_ddl");
    assertThat(strings(ok("collections/list", "{}"))).contains("rest_ddl");
    assertThat(ok("collections/has", named("rest_ddl")).getAsJsonObject().get("has").getAsBoolean())
        .isTrue();
    JsonObject described = ok("collections/describe", named("rest_ddl")).getAsJsonObject();
    assertThat(described.get("collectionName").getAsString()).isEqualTo("rest_ddl");
    assertThat(described.get("enableDynamicField").getAsBoolean()).isTrue();
    assertThat(described.getAsJsonArray("fields")).hasSize(2);
    assertThat(described.get("load").getAsString()).isIn("LoadStateLoaded", "LoadStateLoading");
    ok("collections/rename", "{'collectionName':'rest_ddl','newCollectionName':'rest_ddl2'}");
    ok("collections/drop", named("rest_ddl2"));
    assertThat(
            ok("collections/has", named("rest_ddl2")).getAsJsonObject().get("has").getAsBoolean())
        .isFalse();
  }

  @Test
  void rowsAreWrittenReadAndDeleted() throws Exception {
    create("rest_rows");
    JsonObject inserted = ok("entities/insert", rows("rest_rows", 1, 2, 3)).getAsJsonObject();
    assertThat(inserted.get("insertCount").getAsInt()).isEqualTo(3);
    ok(
        "entities/upsert",
        "{'collectionName':'rest_rows','data':[{'id':2,'vector':[20,0],'tag':'new'}]}");

    JsonArray found =
        ok(
                "entities/search",
                "{'collectionName':'rest_rows','data':[[20,0.1]],'limit':1,'outputFields':['tag'],"
                    + "'consistencyLevel':'Strong'}")
            .getAsJsonArray();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).getAsJsonObject().get("tag").getAsString()).isEqualTo("new");
    assertThat(found.get(0).getAsJsonObject().has("distance")).isTrue();

    ok("entities/delete", "{'collectionName':'rest_rows','filter':'id in [1]'}");
    JsonArray left =
        ok(
                "entities/query",
                "{'collectionName':'rest_rows','filter':'id > 0','outputFields':['id'],"
                    + "'consistencyLevel':'Strong'}")
            .getAsJsonArray();
    assertThat(left).hasSize(2);
    assertThat(
            ok("entities/get", "{'collectionName':'rest_rows','id':[3],'outputFields':['tag']}")
                .getAsJsonArray())
        .hasSize(1);
    ok("collections/drop", named("rest_rows"));
  }

  @Test
  void int64IsTextUnlessNumbersAreAllowed() throws Exception {
    create("rest_int64");
    ok("entities/insert", rows("rest_int64", 7));
    String query =
        "{'collectionName':'rest_int64','filter':'id == 7','outputFields':['id'],"
            + "'consistencyLevel':'Strong'}";
    JsonElement text = ok("entities/query", query).getAsJsonArray().get(0);
    assertThat(text.getAsJsonObject().get("id").getAsJsonPrimitive().isString()).isTrue();

    JsonObject reply = post("entities/query", query, "Accept-Type-Allow-Int64", "true");
    JsonElement number = reply.getAsJsonArray("data").get(0).getAsJsonObject().get("id");
    assertThat(number.getAsJsonPrimitive().isNumber()).isTrue();
    assertThat(number.getAsLong()).isEqualTo(7);
    ok("collections/drop", named("rest_int64"));
  }

  @Test
  void partitionsAliasesAndIndexesHaveTheirRoutes() throws Exception {
    create("rest_groups");
    ok("partitions/create", "{'collectionName':'rest_groups','partitionName':'p1'}");
    assertThat(strings(ok("partitions/list", named("rest_groups"))))
        .containsExactlyInAnyOrder("_default", "p1");
    ok("aliases/create", "{'collectionName':'rest_groups','aliasName':'rest_alias'}");
    assertThat(
            ok("aliases/describe", "{'aliasName':'rest_alias'}")
                .getAsJsonObject()
                .get("collectionName")
                .getAsString())
        .isEqualTo("rest_groups");
    assertThat(strings(ok("aliases/list", named("rest_groups")))).containsExactly("rest_alias");
    ok("aliases/drop", "{'aliasName':'rest_alias'}");
    assertThat(strings(ok("indexes/list", named("rest_groups")))).containsExactly("vector");
    assertThat(
            ok("indexes/describe", "{'collectionName':'rest_groups','indexName':'vector'}")
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject()
                .get("metricType")
                .getAsString())
        .isEqualTo("COSINE");
    assertThat(strings(ok("databases/list", "{}"))).contains("default");
    ok("collections/drop", named("rest_groups"));
  }

  @Test
  void mistakesAnswerWithTheContractsNumbers() throws Exception {
    assertThat(code("collections/describe", "not json")).isEqualTo(1801);
    assertThat(code("collections/describe", "")).isEqualTo(1801);
    assertThat(code("collections/describe", "{}")).isEqualTo(1802);
    assertThat(code("collections/describe", named("nowhere"))).isEqualTo(100);
    assertThat(code("entities/insert", rows("nowhere", 1))).isEqualTo(100);
    assertThat(code("collections/create", named("no_dimension"))).isEqualTo(1100);
    assertThat(code("collections/alter_properties", "{'collectionName':'x','properties':5}"))
        .isEqualTo(1801);
    String grouped =
        "{'collectionName':'x','search':[{'data':[[1,2]],'groupingField':'f'}],"
            + "'rerank':{'strategy':'rrf'}}";
    assertThat(code("entities/hybrid_search", grouped)).isEqualTo(1100);
  }

  @Test
  void unknownRoutesAre404() throws Exception {
    assertThat(send("nothing/here", "{}").statusCode()).isEqualTo(404);
    HttpResponse<String> root =
        http.send(
            HttpRequest.newBuilder(URI.create(db.uri() + "/"))
                .timeout(Duration.ofSeconds(10))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(root.statusCode()).isEqualTo(404);
  }

  @Test
  void grpcAndRestShareOnePort() throws Exception {
    create("rest_shared");
    ok("entities/insert", rows("rest_shared", 1, 2));
    try (Sdk.Closing client = Sdk.open(db.uri())) {
      assertThat(Sdk.count(client.client(), "rest_shared", "")).isEqualTo(2);
    }
    ok("collections/drop", named("rest_shared"));
  }

  @Test
  void answersPipelinedRequestsInOrderOnOneConnection() throws Exception {
    URI uri = URI.create(db.uri());
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      // Odd ones fail in the parser at once, even ones ask the catalog: their order must not show
      // it.
      String body = i % 2 == 0 ? "{\"collectionName\":\"none_" + i + "\"}" : "{}";
      requests
          .append("POST /v2/vectordb/collections/describe HTTP/1.1\r\nHost: test\r\n")
          .append("Content-Type: application/json\r\nContent-Length: ")
          .append(body.length())
          .append("\r\n\r\n")
          .append(body);
    }
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      List<Integer> codes = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        String reply = readReply(in);
        codes.add(JsonParser.parseString(reply).getAsJsonObject().get("code").getAsInt());
        if (i % 2 == 0) {
          assertThat(reply).contains("none_" + i);
        }
      }
      assertThat(codes).containsExactly(100, 1802, 100, 1802, 100);
    }
  }

  private static String readReply(BufferedReader in) throws IOException {
    assertThat(in.readLine()).startsWith("HTTP/1.1 200");
    int length = -1;
    for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    assertThat(length).isPositive();
    char[] body = new char[length];
    for (int read = 0; read < length; ) {
      int more = in.read(body, read, length - read);
      assertThat(more).isPositive();
      read += more;
    }
    return new String(body);
  }

  // Bodies are written with single quotes to be read more easily.

  private void create(String name) throws Exception {
    ok("collections/create", "{'collectionName':'" + name + "','dimension':2}");
    ok("collections/load", named(name));
    for (int i = 0; i < 600; i++) {
      String state =
          ok("collections/get_load_state", named(name))
              .getAsJsonObject()
              .get("loadState")
              .getAsString();
      if (state.equals("LoadStateLoaded")) {
        return;
      }
    }
    throw new AssertionError("collection " + name + " was not loaded");
  }

  private static String named(String collection) {
    return "{'collectionName':'" + collection + "'}";
  }

  private static String rows(String collection, int... ids) {
    StringBuilder rows = new StringBuilder();
    for (int id : ids) {
      rows.append(rows.isEmpty() ? "" : ",");
      rows.append("{'id':" + id + ",'vector':[" + id + ",1],'tag':'t" + id + "'}");
    }
    return "{'collectionName':'" + collection + "','data':[" + rows + "]}";
  }

  private JsonElement ok(String route, String body) throws Exception {
    JsonObject reply = post(route, body);
    assertThat(reply.get("code").getAsInt()).as("%s: %s", route, reply).isZero();
    return reply.get("data");
  }

  private int code(String route, String body) throws Exception {
    return post(route, body).get("code").getAsInt();
  }

  private JsonObject post(String route, String body, String... headers) throws Exception {
    HttpResponse<String> reply = send(route, body, headers);
    assertThat(reply.statusCode()).as("%s: %s", route, reply.body()).isEqualTo(200);
    return JsonParser.parseString(reply.body()).getAsJsonObject();
  }

  private HttpResponse<String> send(String route, String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(db.uri() + "/v2/vectordb/" + route))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static List<String> strings(JsonElement array) {
    return array.getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList();
  }
}
