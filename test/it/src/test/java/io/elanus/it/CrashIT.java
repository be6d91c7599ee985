package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.gson.JsonObject;
import io.milvus.v2.client.MilvusClientV2;
import io.milvus.v2.common.ConsistencyLevel;
import io.milvus.v2.service.collection.request.DropCollectionReq;
import io.milvus.v2.service.collection.request.HasCollectionReq;
import io.milvus.v2.service.utility.request.FlushReq;
import io.milvus.v2.service.vector.request.DeleteReq;
import io.milvus.v2.service.vector.request.InsertReq;
import io.milvus.v2.service.vector.request.QueryReq;
import io.milvus.v2.service.vector.request.SearchReq;
import io.milvus.v2.service.vector.request.UpsertReq;
import io.milvus.v2.service.vector.request.data.FloatVec;
import io.milvus.v2.service.vector.response.QueryResp;
import io.milvus.v2.service.vector.response.SearchResp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// kill −9 at random moments while clients insert, upsert, delete, flush and change the schema:
/// after each restart every acknowledged write is there once, no batch is there in part, and every
/// DDL is done or not done.
///
/// `-Delanus.crash.rounds=300` for a long run, `-Delanus.seed=N` to replay one (timing still
/// differs).
class CrashIT {
  private static final String ROWS = "crash_rows";
  private static final int DIM = 4;
  private static final int WRITERS = 3;
  private static final long KEYS_PER_WRITER = 1_000_000;
  private static final int ROUNDS = Integer.getInteger("elanus.crash.rounds", 10);

  private final long seed = Long.getLong("elanus.seed", new Random().nextLong());
  private final List<CrashModel> models = new ArrayList<>();
  private final DdlModel ddl = new DdlModel();

  @TempDir Path folder = Path.of("unset");

  /// Collections that must exist, and one whose fate is unknown.
  private static final class DdlModel {
    private final TreeSet<String> there = new TreeSet<>();
    private @Nullable String uncertain;
    private int next;
  }

  private static float[] vectorOf(long id, long version) {
    return new float[] {id, version, 1, 0};
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void acknowledgedWritesSurviveEveryKill() throws Exception {
    System.out.println("crash test: " + ROUNDS + " rounds, -Delanus.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < WRITERS; i++) {
      models.add(new CrashModel());
    }
    for (int round = 0; round <= ROUNDS; round++) {
      System.out.println("crash test: round " + round);
      try (ServerProcess server =
          ServerProcess.start(folder, List.of("--enable-native-access=ALL-UNNAMED"))) {
        MilvusClientV2 client = Sdk.connect(server.uri());
        if (round == 0) {
          Sdk.createVersioned(client, ROWS, DIM);
        } else {
          check(client, round);
        }
        client.close();
        if (round < ROUNDS) {
          disturb(server, random);
        }
      }
    }
  }

  /// Runs the writers and kills the server under them.
  private void disturb(ServerProcess server, Random random) throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      long writerSeed = random.nextLong();
      threads.add(
          Thread.ofPlatform()
              .start(() -> write(server.uri(), writer, new Random(writerSeed), stop)));
    }
    long ddlSeed = random.nextLong();
    threads.add(
        Thread.ofPlatform().start(() -> changeSchema(server.uri(), new Random(ddlSeed), stop)));
    TimeUnit.MILLISECONDS.sleep(700 + random.nextInt(1_500));
    server.kill();
    stop.set(true);
    for (Thread thread : threads) {
      thread.join(60_000);
      assertThat(thread.isAlive())
          .as("a client hangs after the kill at %s", List.of(thread.getStackTrace()))
          .isFalse();
    }
  }

  private void write(String uri, int writer, Random random, AtomicBoolean stop) {
    CrashModel model = models.get(writer);
    try (Closing client = new Closing(Sdk.connect(uri))) {
      long version = random.nextInt(1 << 30);
      while (!stop.get()) {
        int kind = random.nextInt(10);
        List<Long> known = model.keys();
        if (kind < 5 || known.isEmpty()) {
          insert(client.client(), model, writer, random, version++);
        } else if (kind < 7) {
          upsert(client.client(), model, known, random, version++);
        } else if (kind < 9) {
          delete(client.client(), model, known, random);
        } else {
          client
              .client()
              .flush(
                  FlushReq.builder()
                      .collectionNames(List.of(ROWS))
                      .waitFlushedTimeoutMs(200L)
                      .build());
        }
      }
    } catch (RuntimeException e) {
      // The server was killed under the call: its fate is what the model calls uncertain.
      if (!stop.get()) {
        System.out.println("writer " + writer + " ended: " + e.getMessage());
      }
    }
  }

  private record Closing(MilvusClientV2 client) implements AutoCloseable {
    @Override
    public void close() {
      client.close();
    }
  }

  private static void insert(
      MilvusClientV2 client, CrashModel model, int writer, Random random, long version) {
    Map<Long, @Nullable Long> changes = new TreeMap<>();
    List<JsonObject> rows = new ArrayList<>();
    int size = 1 + random.nextInt(random.nextInt(8) == 0 ? 2_000 : 20);
    for (int i = 0; i < size; i++) {
      long id = writer * KEYS_PER_WRITER + random.nextInt((int) KEYS_PER_WRITER);
      if (!model.keys().contains(id) && changes.put(id, version) == null) {
        rows.add(Sdk.row(id, version, vectorOf(id, version)));
      }
    }
    if (rows.isEmpty()) {
      return;
    }
    model.sending(new CrashModel.Batch(changes));
    client.insert(InsertReq.builder().collectionName(ROWS).data(rows).build());
    model.acknowledged();
  }

  private static void upsert(
      MilvusClientV2 client, CrashModel model, List<Long> known, Random random, long version) {
    Map<Long, @Nullable Long> changes = new TreeMap<>();
    List<JsonObject> rows = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(30); i++) {
      long id = known.get(random.nextInt(known.size()));
      if (changes.put(id, version) == null) {
        rows.add(Sdk.row(id, version, vectorOf(id, version)));
      }
    }
    model.sending(new CrashModel.Batch(changes));
    client.upsert(UpsertReq.builder().collectionName(ROWS).data(rows).build());
    model.acknowledged();
  }

  private static void delete(
      MilvusClientV2 client, CrashModel model, List<Long> known, Random random) {
    Map<Long, @Nullable Long> changes = new TreeMap<>();
    for (int i = 0; i < 1 + random.nextInt(30); i++) {
      changes.put(known.get(random.nextInt(known.size())), null);
    }
    model.sending(new CrashModel.Batch(changes));
    client.delete(
        DeleteReq.builder().collectionName(ROWS).ids(new ArrayList<>(changes.keySet())).build());
    model.acknowledged();
  }

  private void changeSchema(String uri, Random random, AtomicBoolean stop) {
    try (Closing client = new Closing(Sdk.connect(uri))) {
      while (!stop.get()) {
        if (ddl.there.size() < 3 || random.nextBoolean()) {
          String name = "crash_ddl_" + ddl.next++;
          ddl.uncertain = name;
          Sdk.createVersioned(client.client(), name, DIM);
          ddl.there.add(name);
        } else {
          String name = ddl.there.first();
          ddl.uncertain = name;
          ddl.there.remove(name);
          client.client().dropCollection(DropCollectionReq.builder().collectionName(name).build());
        }
        ddl.uncertain = null;
      }
    } catch (RuntimeException e) {
      if (!stop.get()) {
        System.out.println("schema writer ended: " + e.getMessage());
      }
    }
  }

  private void check(MilvusClientV2 client, int round) {
    Map<Long, Long> all = rows(client);
    assertThat(Sdk.count(client, ROWS, "")).as("count(*) of round %s", round).isEqualTo(all.size());
    for (int writer = 0; writer < WRITERS; writer++) {
      Map<Long, Long> own = new TreeMap<>();
      long from = writer * KEYS_PER_WRITER;
      all.forEach((id, version) -> {
        if (id >= from && id < from + KEYS_PER_WRITER) {
          own.put(id, version);
        }
      });
      assertThat(models.get(writer).settle(own))
          .as("round %s, writer %s, -Delanus.seed=%s", round, writer, seed)
          .isEmpty();
    }
    checkSearch(client, all);
    checkDdl(client);
  }

  private static Map<Long, Long> rows(MilvusClientV2 client) {
    QueryResp reply =
        client.query(
            QueryReq.builder()
                .collectionName(ROWS)
                .filter("id >= 0")
                .outputFields(List.of("id", "ver"))
                .consistencyLevel(ConsistencyLevel.STRONG)
                .build());
    Map<Long, Long> rows = new TreeMap<>();
    for (QueryResp.QueryResult result : reply.getQueryResults()) {
      Map<String, Object> row = result.getEntity();
      Long before = rows.put((Long) row.get("id"), (Long) row.get("ver"));
      assertThat(before).as("key %s is there twice", row.get("id")).isNull();
    }
    return rows;
  }

  /// What searches answer is true: a search among one row finds it exactly, and every hit of a free
  /// one is a row of `all` at its true distance, once, nearest first. (Which hits a graph finds is
  /// approximate, so the nearest row itself may be missing.)
  private static void checkSearch(MilvusClientV2 client, Map<Long, Long> all) {
    List<Long> ids = new ArrayList<>(all.keySet());
    for (int i = 0; i < Math.min(10, ids.size()); i++) {
      long id = ids.get(i * ids.size() / 10 % ids.size());
      float[] vector = vectorOf(id, Objects.requireNonNull(all.get(id)));
      List<SearchResp.SearchResult> exact = search(client, vector, "id == " + id);
      assertThat(exact).hasSize(1);
      assertThat(exact.getFirst().getScore()).isZero();

      Set<Object> seen = new HashSet<>();
      float last = 0;
      for (SearchResp.SearchResult hit : search(client, vector, "")) {
        Long version = all.get((Long) hit.getId());
        assertThat(seen.add(hit.getId())).as("key %s is found once", hit.getId()).isTrue();
        assertThat(hit.getEntity().get("ver")).as("row %s", hit.getId()).isEqualTo(version);
        assertThat(hit.getScore()).isGreaterThanOrEqualTo(last);
        last = hit.getScore();
        double distance =
            squaredDistance(vector, vectorOf((Long) hit.getId(), Objects.requireNonNull(version)));
        assertThat((double) hit.getScore()).isCloseTo(distance, withinPercentage(0.01));
      }
      assertThat(seen).hasSize(Math.min(10, all.size()));
    }
  }

  private static List<SearchResp.SearchResult> search(
      MilvusClientV2 client, float[] vector, String filter) {
    return client
        .search(
            SearchReq.builder()
                .collectionName(ROWS)
                .data(List.of(new FloatVec(vector)))
                .limit(10)
                .filter(filter)
                .outputFields(List.of("ver"))
                .searchParams(Map.of("ef", 64))
                .consistencyLevel(ConsistencyLevel.STRONG)
                .build())
        .getSearchResults()
        .getFirst();
  }

  private static double squaredDistance(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      double difference = (double) a[i] - b[i];
      sum += difference * difference;
    }
    return sum;
  }

  private void checkDdl(MilvusClientV2 client) {
    for (String name : ddl.there) {
      assertThat(has(client, name)).as("acknowledged collection %s", name).isTrue();
    }
    String name = ddl.uncertain;
    if (name != null) {
      if (has(client, name)) {
        // Done means whole: it takes rows and can be dropped.
        client.insert(
            InsertReq.builder()
                .collectionName(name)
                .data(List.of(Sdk.row(1, 1, vectorOf(1, 1))))
                .build());
        client.dropCollection(DropCollectionReq.builder().collectionName(name).build());
      }
      assertThat(has(client, name)).isFalse();
      ddl.uncertain = null;
    }
  }

  private static boolean has(MilvusClientV2 client, String name) {
    return client.hasCollection(HasCollectionReq.builder().collectionName(name).build());
  }
}
