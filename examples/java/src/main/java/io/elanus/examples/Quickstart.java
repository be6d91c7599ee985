package io.elanus.examples;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.elanus.server.embedded.Elanus;
import io.milvus.v2.client.ConnectConfig;
import io.milvus.v2.client.MilvusClientV2;
import io.milvus.v2.common.ConsistencyLevel;
import io.milvus.v2.common.DataType;
import io.milvus.v2.common.IndexParam;
import io.milvus.v2.service.collection.request.AddFieldReq;
import io.milvus.v2.service.collection.request.CreateCollectionReq;
import io.milvus.v2.service.collection.request.DropCollectionReq;
import io.milvus.v2.service.vector.request.InsertReq;
import io.milvus.v2.service.vector.request.SearchReq;
import io.milvus.v2.service.vector.request.data.BaseVector;
import io.milvus.v2.service.vector.request.data.FloatVec;
import io.milvus.v2.service.vector.response.SearchResp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Semantic search over dictionary glosses with the official Java client, on a server in this JVM.
public final class Quickstart {
  private static final String NAME = "glosses_java";
  private static final int DIM = 384;

  private Quickstart() {}

  /// One line of the sample: a dictionary entry or a question.
  record Entry(long id, String word, String gloss, boolean question, float[] vector) {}

  /// `Quickstart [examples/data/glosses.jsonl]`
  public static void main(String[] args) throws IOException {
    Path sample = Path.of(args.length > 0 ? args[0] : "examples/data/glosses.jsonl");
    run(sample, Files.createTempDirectory("quickstart"))
        .forEach((question, answers) -> {
          System.out.println(question);
          answers.forEach(answer -> System.out.println("  " + answer));
        });
  }

  /// Starts a server on `folder`, loads the sample, and answers each question with the three
  /// nearest entries, nearest first.
  public static Map<String, List<String>> run(Path sample, Path folder) throws IOException {
    List<Entry> entries = read(sample);
    try (var db = Elanus.start(folder)) {
      var client = new MilvusClientV2(ConnectConfig.builder().uri(db.uri()).build());
      try {
        createCollection(client);
        insert(client, entries.stream().filter(entry -> !entry.question()).toList());
        var answers = ask(client, entries.stream().filter(Entry::question).toList());
        client.dropCollection(DropCollectionReq.builder().collectionName(NAME).build());
        return answers;
      } finally {
        client.close();
      }
    }
  }

  private static void createCollection(MilvusClientV2 client) {
    var schema = CreateCollectionReq.CollectionSchema.builder().build();
    schema.addField(
        AddFieldReq.builder().fieldName("id").dataType(DataType.Int64).isPrimaryKey(true).build());
    schema.addField(
        AddFieldReq.builder().fieldName("word").dataType(DataType.VarChar).maxLength(128).build());
    schema.addField(
        AddFieldReq.builder().fieldName("gloss").dataType(DataType.VarChar).maxLength(512).build());
    schema.addField(
        AddFieldReq.builder()
            .fieldName("vector")
            .dataType(DataType.FloatVector)
            .dimension(DIM)
            .build());
    var index =
        IndexParam.builder()
            .fieldName("vector")
            .indexType(IndexParam.IndexType.HNSW)
            .metricType(IndexParam.MetricType.COSINE)
            .extraParams(Map.of("M", 16, "efConstruction", 200))
            .build();
    client.createCollection(
        CreateCollectionReq.builder()
            .collectionName(NAME)
            .collectionSchema(schema)
            .indexParams(List.of(index))
            .build());
  }

  private static void insert(MilvusClientV2 client, List<Entry> entries) {
    List<JsonObject> rows = new ArrayList<>();
    for (Entry entry : entries) {
      var row = new JsonObject();
      row.addProperty("id", entry.id());
      row.addProperty("word", entry.word());
      row.addProperty("gloss", entry.gloss());
      var vector = new JsonArray(DIM);
      for (float value : entry.vector()) {
        vector.add(value);
      }
      row.add("vector", vector);
      rows.add(row);
    }
    client.insert(InsertReq.builder().collectionName(NAME).data(rows).build());
  }

  private static Map<String, List<String>> ask(MilvusClientV2 client, List<Entry> questions) {
    List<BaseVector> vectors = new ArrayList<>();
    for (Entry question : questions) {
      vectors.add(new FloatVec(question.vector()));
    }
    var found =
        client.search(
            SearchReq.builder()
                .collectionName(NAME)
                .data(vectors)
                .limit(3)
                .outputFields(List.of("word", "gloss"))
                .consistencyLevel(ConsistencyLevel.STRONG)
                .build());
    Map<String, List<String>> answers = new LinkedHashMap<>();
    for (int i = 0; i < questions.size(); i++) {
      List<String> lines = new ArrayList<>();
      for (SearchResp.SearchResult hit : found.getSearchResults().get(i)) {
        lines.add(hit.getEntity().get("word") + ": " + hit.getEntity().get("gloss"));
      }
      answers.put(questions.get(i).gloss(), lines);
    }
    return answers;
  }

  private static List<Entry> read(Path sample) throws IOException {
    var gson = new Gson();
    List<Entry> entries = new ArrayList<>();
    for (String line : Files.readAllLines(sample, StandardCharsets.UTF_8)) {
      JsonObject row = gson.fromJson(line, JsonObject.class);
      entries.add(
          new Entry(
              row.get("id").getAsLong(),
              row.get("word").getAsString(),
              row.get("gloss").getAsString(),
              row.get("kind").getAsString().equals("question"),
              vector(row.get("vector").getAsString())));
    }
    return entries;
  }

  /// Base64 of little-endian float16 values.
  private static float[] vector(String base64) {
    var bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64)).order(ByteOrder.LITTLE_ENDIAN);
    float[] values = new float[bytes.remaining() / Short.BYTES];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.float16ToFloat(bytes.getShort());
    }
    return values;
  }
}
