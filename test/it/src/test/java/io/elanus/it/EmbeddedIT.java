package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.elanus.server.embedded.Elanus;
import io.elanus.server.embedded.ElanusExtension;
import io.milvus.v2.client.MilvusClientV2;
import io.milvus.v2.service.collection.request.HasCollectionReq;
import io.milvus.v2.service.vector.request.InsertReq;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Servers as a library: several at once, closed without a trace, kept by folder, refused with one
/// line.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EmbeddedIT {
  private static final String NAME = "embedded_rows";

  @TempDir Path folder = Path.of("unset");

  @Test
  void serversInOneJvmKeepTheirDataApart() throws Exception {
    try (Elanus first = Elanus.start(folder.resolve("first"));
        Elanus second = Elanus.start(folder.resolve("second"));
        Elanus memory = Elanus.inMemory();
        Sdk.Closing one = Sdk.open(first.uri());
        Sdk.Closing two = Sdk.open(second.uri());
        Sdk.Closing three = Sdk.open(memory.uri())) {
      Sdk.createVersioned(one.client(), NAME, 2);
      insert(one.client(), 0, 10);
      Sdk.createVersioned(three.client(), NAME, 2);
      insert(three.client(), 0, 3);

      assertThat(Sdk.count(one.client(), NAME, "")).isEqualTo(10);
      assertThat(Sdk.count(three.client(), NAME, "")).isEqualTo(3);
      assertThat(has(two.client())).isFalse();
    }
  }

  @Test
  void keepsItsDataOverARestart() throws Exception {
    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      Sdk.createVersioned(client.client(), NAME, 2);
      insert(client.client(), 0, 50);
    }
    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      assertThat(Sdk.count(client.client(), NAME, "")).isEqualTo(50);
      assertThat(Sdk.nearest(client.client(), NAME, new float[] {7, 0}, 1)).containsExactly(7L);
      insert(client.client(), 50, 60);
    }
    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      assertThat(Sdk.count(client.client(), NAME, "")).isEqualTo(60);
    }
  }

  @Test
  void leavesNoThreadPortOrLockBehind() throws Exception {
    Set<Thread> before = elanusThreads();
    int port;
    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      port = URI.create(db.uri()).getPort();
      Sdk.createVersioned(client.client(), NAME, 2);
      insert(client.client(), 0, 10);
      assertThat(Sdk.count(client.client(), NAME, "")).isEqualTo(10);
      assertThat(started(before)).isNotEmpty();
    }

    for (Thread thread : started(before)) {
      thread.join(10_000);
    }
    assertThat(started(before)).isEmpty();
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      assertThat(socket.isBound()).isTrue();
    }
    try (FileChannel lock = FileChannel.open(folder.resolve("LOCK"), StandardOpenOption.WRITE);
        FileLock held = lock.tryLock()) {
      assertThat(held).isNotNull();
    }
  }

  @Test
  void closesTwiceAsOnce() {
    Elanus db = Elanus.inMemory();
    db.close();
    db.close();
    assertThat(db.uri()).startsWith("http://");
  }

  @Test
  void refusesAFolderInUseWithOneLine() throws Exception {
    try (Elanus db = Elanus.start(folder);
        Sdk.Closing client = Sdk.open(db.uri())) {
      assertThatThrownBy(() -> Elanus.start(folder))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("in use by another server")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
      // The refused start has done no harm to the server that holds the folder.
      Sdk.createVersioned(client.client(), NAME, 2);
      assertThat(has(client.client())).isTrue();
    }
  }

  @Test
  void refusesAFolderWithSomebodyElsesFiles() throws Exception {
    Files.writeString(folder.resolve("thesis.txt"), "chapter one");
    assertThatThrownBy(() -> Elanus.start(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was not made by Elanus");
    assertThat(folder.resolve("thesis.txt")).hasContent("chapter one");
  }

  @Test
  void refusesAWrongSettingAndLeavesTheFolderFree() throws Exception {
    assertThatThrownBy(() -> Elanus.start(folder, Map.of("wal.segmentSize", "many")))
        .hasMessageContaining("wal.segmentSize");
    assertThatThrownBy(() -> Elanus.start(folder, Map.of("proxy.port", "70000")))
        .hasMessageContaining("proxy.port");
    assertThatThrownBy(
            () -> Elanus.start(folder, Map.of("common.security.authorizationEnabled", "true")))
        .hasMessageContaining("authorizationEnabled");
    try (Elanus db = Elanus.start(folder)) {
      assertThat(db.uri()).startsWith("http://127.0.0.1:");
    }
  }

  @Test
  void runsAndSearchesWithoutAnyJvmFlag() throws Exception {
    try (ServerProcess server = ServerProcess.start(folder, List.of());
        Sdk.Closing client = Sdk.open(server.uri())) {
      Sdk.createVersioned(client.client(), NAME, 2);
      insert(client.client(), 0, 100);
      assertThat(Sdk.nearest(client.client(), NAME, new float[] {42.2f, 0}, 3))
          .containsExactly(42L, 43L, 41L);
      assertThat(server.stop()).isIn(0, 143);
    }
  }

  /// Rows `from` until `to`, each at (id, 0).
  private static void insert(MilvusClientV2 client, int from, int to) {
    List<JsonObject> rows = new ArrayList<>();
    for (int id = from; id < to; id++) {
      rows.add(Sdk.row(id, 0, new float[] {id, 0}));
    }
    client.insert(InsertReq.builder().collectionName(NAME).data(rows).build());
  }

  private static boolean has(MilvusClientV2 client) {
    return client.hasCollection(HasCollectionReq.builder().collectionName(NAME).build());
  }

  private static Set<Thread> started(Set<Thread> before) {
    Set<Thread> now = elanusThreads();
    now.removeAll(before);
    return now;
  }

  private static Set<Thread> elanusThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("elanus/"))
        .collect(Collectors.toSet());
  }

  /// A test class with a server in memory of its own.
  @Nested
  class UnderTheExtension {
    @RegisterExtension static final ElanusExtension shared = new ElanusExtension();

    @Test
    void theTestsOfAClassShareAServer(Elanus db) {
      assertThat(db.uri()).isEqualTo(shared.uri());
      try (Sdk.Closing client = Sdk.open(shared.uri())) {
        assertThat(has(client.client())).isFalse();
      }
    }
  }
}
