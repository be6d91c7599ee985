package io.elanus.server.embedded;

import io.elanus.base.config.Settings;
import io.elanus.server.node.StandaloneNode;
import io.elanus.server.node.StartupException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// A whole server inside this JVM, on a free loopback port:
///
/// ```java
/// try (var db = Elanus.start(Path.of("data"))) {
///   var client = new MilvusClientV2(ConnectConfig.builder().uri(db.uri()).build());
/// }
/// ```
///
/// Beside a Milvus client, import `io.elanus:elanus-bom` in `dependencyManagement`: the client
/// brings an older protobuf and gRPC, which a start refuses.
///
/// Several may run at once, each with a folder (or memory) of its own. No JVM flags are needed;
/// with `--add-modules jdk.incubator.vector` searches are about twice as fast. Closing it ends its
/// threads and frees its ports and its folder.
///
/// Thread-safe.
public final class Elanus implements AutoCloseable {
  private final StandaloneNode node;

  private Elanus(StandaloneNode node) {
    this.node = node;
  }

  /// Starts a server whose data lives in `folder`, which is made when it is missing.
  ///
  /// @throws IOException when it can't start; the message says why and how to mend it
  public static Elanus start(Path folder) throws IOException {
    return start(folder, Map.of());
  }

  /// The same with settings by their documented keys; they win over what the library chooses.
  public static Elanus start(Path folder, Map<String, String> settings) throws IOException {
    Objects.requireNonNull(folder, "folder");
    try {
      Libraries.check();
      return new Elanus(StandaloneNode.start(folder, withLibraryDefaults(settings)));
    } catch (StartupException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /// Starts a server that keeps everything in memory and loses it on close.
  public static Elanus inMemory() {
    return inMemory(Map.of());
  }

  /// The same with settings by their documented keys.
  public static Elanus inMemory(Map<String, String> settings) {
    try {
      Libraries.check();
      return new Elanus(StandaloneNode.startInMemory(withLibraryDefaults(settings)));
    } catch (StartupException e) {
      throw new UncheckedIOException(new IOException(e.getMessage(), e));
    }
  }

  private static Settings withLibraryDefaults(Map<String, String> settings) {
    Map<String, String> chosen = new TreeMap<>();
    chosen.put("proxy.port", "0");
    chosen.put("common.http.managementPort", "-1");
    return Settings.of(chosen).with(settings);
  }

  /// What clients connect to, for example `http://127.0.0.1:40123`.
  public String uri() {
    return "http://" + node.address() + ":" + node.port();
  }

  /// Stops the server: what was acknowledged is stored. Closing twice does nothing.
  @Override
  public void close() {
    node.close();
  }
}
