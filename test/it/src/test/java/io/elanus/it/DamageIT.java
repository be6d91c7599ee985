package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.elanus.server.embedded.Elanus;
import io.milvus.v2.common.ConsistencyLevel;
import io.milvus.v2.common.DataType;
import io.milvus.v2.common.IndexParam;
import io.milvus.v2.exception.MilvusClientException;
import io.milvus.v2.service.collection.request.AddFieldReq;
import io.milvus.v2.service.collection.request.CreateCollectionReq;
import io.milvus.v2.service.collection.request.LoadCollectionReq;
import io.milvus.v2.service.utility.request.FlushReq;
import io.milvus.v2.service.vector.request.InsertReq;
import io.milvus.v2.service.vector.request.SearchReq;
import io.milvus.v2.service.vector.request.data.FloatVec;
import io.milvus.v2.service.vector.response.SearchResp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Files of a stopped server are damaged, or of a newer version: the next start refuses with a
/// reason, or the server answers with all acknowledged rows or with an error, never with fewer rows
/// or wrong ones.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DamageIT {
  private static final String NAME = "damaged_rows";
  private static final int ROWS = 1200;

  @TempDir Path folder = Path.of("unset");

  @Test
  void aFlippedLogIsRefused() throws Exception {
    fill(false);
    Path log = largest(path -> path.toString().endsWith(".wal"));
    flip(log, Files.size(log) / 2);
    refusesToStart("restore the folder from a copy");
  }

  @Test
  void aCutLogIsRefused() throws Exception {
    fill(false);
    Path log = largest(path -> path.toString().endsWith(".wal"));
    try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
      file.truncate(file.size() / 2);
    }
    refusesToStart("restore the folder from a copy");
  }

  @Test
  void aMissingLogFileIsRefused() throws Exception {
    fill(false);
    Files.delete(largest(path -> path.toString().endsWith(".wal")));
    refusesToStart("restore the folder from a copy");
  }

  @Test
  void aLogOfANewerVersionIsRefused() throws Exception {
    fill(false);
    Path log = largest(path -> path.toString().endsWith(".wal"));
    byte[] bytes = Files.readAllBytes(log);
    setVersion(bytes, 8, 2, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(12));
    Files.write(log, bytes);

    refusesToStart(log.toString(), "format version 2", "reads up to 1", "the newer version");
    assertThat(log).hasBinaryContent(bytes);
  }

  @Test
  void readsOfASegmentOfANewerVersionFail() throws Exception {
    fill(true);
    Path manifest = largest(path -> path.endsWith("manifest"));
    byte[] bytes = Files.readAllBytes(manifest);
    setVersion(bytes, 4, 2, bytes.length);
    Files.write(manifest, bytes);
    readsFail("format version 2, this version reads up to 1; start it with the newer version");
  }

  /// Puts `version` at `offset` of a checked part whose last four bytes are its checksum.
  private static void setVersion(byte[] bytes, int offset, int version, int checkedBytes) {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(offset, version);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, checkedBytes - 4);
    file.putInt(checkedBytes - 4, (int) crc.getValue());
  }

  @Test
  void readsOfAFlippedColumnFail() throws Exception {
    fill(true);
    Path column = largest(path -> path.toString().endsWith(".col"));
    flip(column, Files.size(column) / 2);
    readsFail("checksum");
  }

  @Test
  void readsOfAMissingColumnFail() throws Exception {
    fill(true);
    Files.delete(largest(path -> path.toString().endsWith(".col")));
    readsFail("is missing");
  }

  @Test
  void aDamagedIndexIsBuiltAgain() throws Exception {
    fill(true);
    Path index = largest(DamageIT::isIndex);
    flip(index, Files.size(index) / 2);
    answersEveryRow();
  }

  @Test
  void aMissingIndexIsBuiltAgain() throws Exception {
    fill(true);
    Files.delete(largest(DamageIT::isIndex));
    answersEveryRow();
  }

  @Test
  void onlyTheDamagedIndexOfTwoIsBuiltAgain() throws Exception {
    fillTwoFields();
    List<Path> indexes = files().filter(DamageIT::isIndex).sorted().toList();
    assertThat(indexes).hasSize(2);
    Path whole = indexes.get(0);
    Path damaged = indexes.get(1); // The later one: if both were built again, it would come last.
    flip(damaged, Files.size(damaged) / 2);

    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      client.client().loadCollection(LoadCollectionReq.builder().collectionName(NAME).build());
      for (int id = 0; id < ROWS; id += 100) {
        assertThat(nearest(client, "up", id)).containsExactly((long) id);
        assertThat(nearest(client, "down", ROWS - id)).containsExactly((long) id);
      }
      List<Path> built = new ArrayList<>();
      await(
          "a new index",
          () -> {
            built.clear();
            files().filter(DamageIT::isIndex).filter(p -> !indexes.contains(p)).forEach(built::add);
            return built.stream().anyMatch(path -> indexOf(path).equals(indexOf(damaged)));
          });
      assertThat(built).hasSize(1);
      assertThat(whole).exists();
    }
  }

  /// The index id of `indexes/<collection>/<segment>/<index>-<build>`.
  private static String indexOf(Path path) {
    String name = String.valueOf(path.getFileName());
    return name.substring(0, name.indexOf('-'));
  }

  private static List<Object> nearest(Sdk.Closing client, String field, float x) {
    return client
        .client()
        .search(
            SearchReq.builder()
                .collectionName(NAME)
                .annsField(field)
                .data(List.of(new FloatVec(new float[] {x, 0})))
                .limit(1)
                .consistencyLevel(ConsistencyLevel.STRONG)
                .build())
        .getSearchResults()
        .getFirst()
        .stream()
        .map(SearchResp.SearchResult::getId)
        .toList();
  }

  /// Rows 0 until ROWS, flushed: `up` is (id, 0), `down` is (ROWS - id, 0), both with an index.
  private void fillTwoFields() throws Exception {
    CreateCollectionReq.CollectionSchema schema =
        CreateCollectionReq.CollectionSchema.builder().build();
    schema.addField(
        AddFieldReq.builder().fieldName("id").dataType(DataType.Int64).isPrimaryKey(true).build());
    List<IndexParam> params = new ArrayList<>();
    for (String field : List.of("up", "down")) {
      schema.addField(
          AddFieldReq.builder()
              .fieldName(field)
              .dataType(DataType.FloatVector)
              .dimension(2)
              .build());
      params.add(
          IndexParam.builder()
              .fieldName(field)
              .indexType(IndexParam.IndexType.HNSW)
              .metricType(IndexParam.MetricType.L2)
              .extraParams(Map.of("M", 8, "efConstruction", 64))
              .build());
    }
    List<JsonObject> rows = new ArrayList<>();
    for (int id = 0; id < ROWS; id++) {
      JsonObject row = new JsonObject();
      row.addProperty("id", id);
      row.add("up", vector(id));
      row.add("down", vector(ROWS - id));
      rows.add(row);
    }
    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      client
          .client()
          .createCollection(
              CreateCollectionReq.builder()
                  .collectionName(NAME)
                  .collectionSchema(schema)
                  .indexParams(params)
                  .build());
      client.client().insert(InsertReq.builder().collectionName(NAME).data(rows).build());
      client.client().flush(FlushReq.builder().collectionNames(List.of(NAME)).build());
      await("two index files", () -> files().filter(DamageIT::isIndex).count() == 2);
    }
  }

  private static JsonArray vector(int x) {
    JsonArray values = new JsonArray();
    values.add(x);
    values.add(0);
    return values;
  }

  /// Rows 0 until ROWS at (id, 0), stored in segments with an index when `flushed`, otherwise in
  /// the log.
  private void fill(boolean flushed) throws Exception {
    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      Sdk.createVersioned(client.client(), NAME, 2);
      List<JsonObject> rows = new ArrayList<>();
      for (int id = 0; id < ROWS; id++) {
        rows.add(Sdk.row(id, 0, new float[] {id, 0}));
      }
      client.client().insert(InsertReq.builder().collectionName(NAME).data(rows).build());
      if (flushed) {
        client.client().flush(FlushReq.builder().collectionNames(List.of(NAME)).build());
        await("an index file", () -> files().anyMatch(DamageIT::isIndex));
      }
    }
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as(what + " within a minute").isLessThan(until);
      Thread.onSpinWait();
    }
  }

  private static boolean isIndex(Path path) {
    return path.toString().contains("/objects/indexes/");
  }

  /// The start is refused with one line that says what to do.
  private void refusesToStart(String... texts) {
    assertThatThrownBy(() -> Elanus.start(folder).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("stored data can't be recovered: ")
        .hasMessageContainingAll(texts)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  /// The server runs, but reads of the damaged collection fail with the reason.
  private void readsFail(String reason) throws Exception {
    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      assertThatThrownBy(() -> Sdk.count(client.client(), NAME, ""))
          .isInstanceOf(MilvusClientException.class)
          .hasMessageContaining("segment load failed")
          .hasMessageContaining(reason);
      assertThatThrownBy(() -> Sdk.nearest(client.client(), NAME, new float[] {1, 0}, 1))
          .isInstanceOf(MilvusClientException.class);
    }
  }

  private void answersEveryRow() throws Exception {
    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      client.client().loadCollection(LoadCollectionReq.builder().collectionName(NAME).build());
      assertThat(Sdk.count(client.client(), NAME, "")).isEqualTo(ROWS);
      assertThat(Sdk.count(client.client(), NAME, "ver == 0")).isEqualTo(ROWS);
      for (int id = 0; id < ROWS; id += 100) {
        assertThat(Sdk.nearest(client.client(), NAME, new float[] {id, 0}, 1))
            .containsExactly((long) id);
      }
    }
  }

  private Stream<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(folder)) {
      all.filter(Files::isRegularFile).forEach(found::add);
    } catch (UncheckedIOException e) {
      // A file that was renamed or removed meanwhile; the caller looks again or finds what is left.
      return found.stream();
    }
    return found.stream();
  }

  private Path largest(Predicate<Path> wanted) throws IOException {
    @Nullable Path best = null;
    for (Path path : files().filter(wanted).toList()) {
      if (best == null || Files.size(path) > Files.size(best)) {
        best = path;
      }
    }
    if (best == null) {
      throw new AssertionError("no such file below " + folder);
    }
    return best;
  }

  private static void flip(Path path, long position) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocate(8);
      file.read(bytes, position);
      bytes.flip();
      for (int i = 0; i < bytes.limit(); i++) {
        bytes.put(i, (byte) ~bytes.get(i));
      }
      file.write(bytes, position);
    }
  }
}
