package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import io.milvus.v2.client.MilvusClientV2;
import io.milvus.v2.exception.MilvusClientException;
import io.milvus.v2.service.utility.request.FlushReq;
import io.milvus.v2.service.vector.request.InsertReq;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server whose disk runs full refuses writes with a reason, keeps what it acknowledged through
/// kills and restarts, and works again when there is space.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FullDiskIT {
  private static final String NAME = "rows_on_a_small_disk";
  private static final int DISK_MIB = 160;
  // Storing the rows takes their size once more beside the log, so more is freed than they fill.
  private static final int BALLAST_MIB = 100;
  private static final int BATCH = 250;
  private static final int DIM = 256;

  @TempDir Path folder = Path.of("unset");

  @Test
  void acknowledgedRowsOutliveAFullDisk() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    Optional<SmallDisk> mounted = SmallDisk.mount(disk, DISK_MIB);
    assumeTrue(mounted.isPresent(), "needs the right to make mount namespaces");
    try (SmallDisk small = mounted.get()) {
      small.takeSpace(BALLAST_MIB);
      long acknowledged;
      try (ServerProcess server = start(small, disk);
          Sdk.Closing client = Sdk.open(server.uri())) {
        Sdk.createVersioned(client.client(), NAME, DIM);
        acknowledged = fillUp(client.client());
        holds(client.client(), acknowledged);
        server.kill();
      }
      refusesOrHolds(small, disk, acknowledged);
      small.freeSpace();
      try (ServerProcess server = start(small, disk);
          Sdk.Closing client = Sdk.open(server.uri())) {
        holds(client.client(), acknowledged);
        insert(client.client(), 1_000_000, 1);
        client.client().flush(FlushReq.builder().collectionNames(List.of(NAME)).build());
        assertThat(Sdk.count(client.client(), NAME, "id == 1000000")).isEqualTo(1);
        holds(client.client(), acknowledged);
        assertThat(server.stop()).isIn(0, 143);
      }
    }
  }

  private static ServerProcess start(SmallDisk small, Path disk) throws IOException {
    return ServerProcess.start(disk.resolve("data"), List.of(), small.wrapper());
  }

  /// Inserts until the server refuses; answers how many rows it acknowledged, keys 0 until this.
  private static long fillUp(MilvusClientV2 client) {
    for (long done = 0; ; done += BATCH) {
      assertThat(done).as("rows on a disk of %d MiB", DISK_MIB).isLessThan(200_000);
      try {
        insert(client, done, BATCH);
      } catch (MilvusClientException e) {
        assertThat(done).as("rows before the disk was full").isPositive();
        assertThat(e.getMessage()).containsIgnoringCase("space");
        return done;
      }
    }
  }

  private static void insert(MilvusClientV2 client, long first, int count) {
    List<JsonObject> rows = new ArrayList<>();
    for (long id = first; id < first + count; id++) {
      float[] vector = new float[DIM];
      vector[(int) (id % DIM)] = id;
      rows.add(Sdk.row(id, 0, vector));
    }
    client.insert(InsertReq.builder().collectionName(NAME).data(rows).build());
  }

  /// All acknowledged rows are there once; of the refused batch there may be all or nothing.
  private static void holds(MilvusClientV2 client, long acknowledged) {
    assertThat(Sdk.count(client, NAME, "id < " + acknowledged)).isEqualTo(acknowledged);
    assertThat(Sdk.count(client, NAME, "id >= " + acknowledged + " and id < 1000000"))
        .isIn(0L, (long) BATCH);
  }

  /// On a disk that is still full a start may be refused, but what runs has all rows.
  private static void refusesOrHolds(SmallDisk small, Path disk, long acknowledged) {
    try (ServerProcess server = start(small, disk);
        Sdk.Closing client = Sdk.open(server.uri())) {
      holds(client.client(), acknowledged);
    } catch (IOException refused) {
      assertThat(refused.getMessage()).containsIgnoringCase("space");
    }
  }
}
