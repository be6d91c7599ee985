package io.elanus.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.config.Settings;
import io.elanus.base.error.FaultHandler;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.NodeId;
import io.elanus.base.loop.SystemThreads;
import io.elanus.base.random.Rng;
import io.elanus.base.time.SystemClock;
import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.role.coord.Coordinator;
import io.elanus.role.coord.part.CoordinatorDeps;
import io.elanus.role.data.DataNode;
import io.elanus.role.proxy.rest.RestHandler;
import io.elanus.role.proxy.task.ProxyNode;
import io.elanus.role.proxy.task.ProxyServices;
import io.elanus.role.query.QueryMetrics;
import io.elanus.role.query.delegator.DelegatorDeps;
import io.elanus.role.query.delegator.Delegators;
import io.elanus.role.query.load.QueryNode;
import io.elanus.role.query.search.FilterCache;
import io.elanus.role.query.search.ReadPool;
import io.elanus.role.streaming.StreamingDeps;
import io.elanus.role.streaming.StreamingNode;
import io.elanus.server.rpc.Loopback;
import io.elanus.server.rpc.PortServer;
import io.elanus.server.rpc.RemoteLink;
import io.elanus.server.rpc.RemoteServices;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.StreamingService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Five processes in one JVM, one for each role, which know each other only by port: what a client
/// sees is the same as from a standalone server.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RemoteLinksIT {
  private static final NodeId STREAMING = new NodeId(2);
  private static final NodeId QUERY = new NodeId(3);
  private static final NodeId DATA = new NodeId(4);
  private static final NodeId PROXY = new NodeId(5);
  private static final JsonMapper JSON = new JsonMapper();
  private static final int ROWS = 1500;

  /// Small segments get an index too.
  private static final Map<String, String> SETTINGS =
      Map.of("indexCoord.segment.minSegmentNumRowsToEnableIndex", "100");

  private final List<AutoCloseable> open = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
  private final NodeSettings settings = NodeSettings.bind(Settings.of(SETTINGS));
  private final HttpClient client = HttpClient.newHttpClient();
  private String base = "";
  private @Nullable Coordinator coordinator;

  /// Its threads, metrics and network belong to one process.
  private final class OneProcess {
    final SystemThreads threads;
    final Loopback net;
    final Rng rng = new Rng(7);
    final MeterRegistry metrics = new SimpleMeterRegistry();
    final FaultHandler faults = (component, thrown) -> fault.compareAndSet(null, thrown);

    OneProcess(String name) {
      threads = keep(new SystemThreads(name, faults));
      net = keep(new Loopback(name));
    }

    RemoteLink to(PortServer server) {
      return net.link(server.port());
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(resource);
    return resource;
  }

  @BeforeEach
  void start() {
    OneProcess coordProcess = new OneProcess("coord");
    OneProcess streamingProcess = new OneProcess("streaming");
    OneProcess queryProcess = new OneProcess("query");
    OneProcess dataProcess = new OneProcess("data");
    OneProcess proxyProcess = new OneProcess("proxy");
    // Shared stores are what etcd and S3 are in a cluster; only the streaming node has the log.
    MetaStore meta =
        keep(new MemoryMetaStore(coordProcess.threads.clock(), coordProcess.threads.timers()));
    ObjectStore objects = keep(new MemoryObjectStore());

    LocalLinks<StreamingService> streamings = new LocalLinks<>();
    LocalLinks<DelegatorService> delegators = new LocalLinks<>();
    LocalLinks<QueryNodeService> queries = new LocalLinks<>();
    LocalLinks<DataNodeService> datas = new LocalLinks<>();
    LocalLinks<ProxyCacheService> proxies = new LocalLinks<>();
    ForwardingStreaming wal = new ForwardingStreaming();
    Coordinator coord =
        keep(
            new Coordinator(
                new CoordinatorDeps(
                    new CoordinatorDeps.Seams(
                        coordProcess.threads,
                        coordProcess.threads.clock(),
                        coordProcess.rng,
                        coordProcess.faults,
                        coordProcess.metrics),
                    new CoordinatorDeps.Stores(meta, objects),
                    new CoordinatorDeps.Nodes(streamings, delegators, queries, datas, proxies),
                    wal,
                    settings.coord().coord()),
                settings.coord().segments(),
                settings.coord().loads()));
    PortServer coordPort =
        coordProcess.net.listen(
            coordProcess.net.services().serve(coord.tso()),
            coordProcess.net.services().serve(coord.catalog()),
            coordProcess.net.services().serve(coord.dataCoord()),
            coordProcess.net.services().serve(coord.queryCoord()));

    PortServer queryPort = startQueryNode(queryProcess, objects);
    PortServer streamingPort =
        startStreaming(streamingProcess, meta, objects, coordPort, queryPort);
    DataNode data = keep(new DataNode(dataProcess.threads, objects, settings.workers().data()));
    PortServer dataPort = dataProcess.net.listen(dataProcess.net.services().serve(data));

    PortServer proxyPort = startProxy(proxyProcess, coordPort, streamingPort);

    RemoteLink coordToStreaming = coordProcess.to(streamingPort);
    wal.forwardTo(RemoteServices.streaming(coordToStreaming));
    streamings.add(STREAMING, RemoteServices.streaming(coordToStreaming));
    delegators.add(STREAMING, RemoteServices.delegator(coordToStreaming));
    queries.add(QUERY, RemoteServices.queryNode(coordProcess.to(queryPort)));
    datas.add(DATA, RemoteServices.dataNode(coordProcess.to(dataPort)));
    proxies.add(PROXY, RemoteServices.proxyCache(coordProcess.to(proxyPort)));
    coord
        .start()
        .thenCompose(_ -> coord.whenChannelsReady())
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
    coordinator = coord;
    base = base(proxyPort.port());
  }

  private static String base(int port) {
    return "http://127.0.0.1:" + port + "/v2/vectordb/";
  }

  private PortServer startProxy(
      OneProcess process, PortServer coordPort, PortServer streamingPort) {
    RemoteLink proxyToStreaming = process.to(streamingPort);
    RemoteLink proxyToCoord = process.to(coordPort);
    LocalLinks<DelegatorService> proxyDelegators = new LocalLinks<>();
    proxyDelegators.add(STREAMING, RemoteServices.delegator(proxyToStreaming));
    ProxyNode proxy =
        keep(
            new ProxyNode(
                new ProxyServices(
                    RemoteServices.tso(proxyToCoord),
                    RemoteServices.catalog(proxyToCoord),
                    RemoteServices.dataCoord(proxyToCoord),
                    RemoteServices.queryCoord(proxyToCoord),
                    RemoteServices.streaming(proxyToStreaming),
                    proxyDelegators),
                new ProxyNode.Surroundings(process.threads, process.rng, process.metrics),
                settings.edge().proxy()));
    return process.net.listenWith(
        new RestHandler(proxy, process.threads.pool("proxy/large", 2, 64)),
        process.net.services().serve(proxy));
  }

  private PortServer startQueryNode(OneProcess process, ObjectStore objects) {
    QueryNode node =
        keep(
            new QueryNode(
                objects,
                process.threads,
                new ReadPool(process.threads.pool("query/search", 2, 1024)),
                new FilterCache(settings.workers().query().filterCacheSize()),
                new QueryMetrics(process.metrics)));
    return process.net.listen(process.net.services().serve(node));
  }

  private PortServer startStreaming(
      OneProcess process,
      MetaStore meta,
      ObjectStore objects,
      PortServer coordPort,
      PortServer queryPort) {
    RemoteLink toCoord = process.to(coordPort);
    StreamingNode streaming =
        keep(
            new StreamingNode(
                new StreamingDeps(
                    new StreamingDeps.Engines(keep(new MemoryWal()), meta, objects),
                    new StreamingDeps.Coordinator(
                        RemoteServices.tso(toCoord), RemoteServices.dataCoord(toCoord)),
                    new StreamingDeps.Process(
                        process.threads, process.rng, process.faults, process.metrics),
                    settings.workers().streaming())));
    LocalLinks<QueryNodeService> queries = new LocalLinks<>();
    queries.add(QUERY, RemoteServices.queryNode(process.to(queryPort)));
    Delegators delegators =
        keep(
            new Delegators(
                new DelegatorDeps(
                    streaming,
                    queries,
                    process.threads,
                    new ReadPool(process.threads.pool("query/search", 2, 1024)),
                    new FilterCache(settings.workers().query().filterCacheSize()),
                    settings.workers().query(),
                    new QueryMetrics(process.metrics))));
    return process.net.listen(
        process.net.services().serve(streaming), process.net.services().serve(delegators));
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    for (AutoCloseable resource : open.reversed()) {
      resource.close();
    }
    assertThat(fault.get()).isNull();
  }

  private JsonNode post(String route, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + route))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return JSON.readTree(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  private JsonNode ok(String route, String body) throws Exception {
    JsonNode reply = post(route, body);
    assertThat(reply.get("code").asInt()).as("%s: %s", route, reply).isZero();
    return reply.path("data");
  }

  private long count(String filter) throws Exception {
    JsonNode rows =
        ok(
            "entities/query",
            "{\"collectionName\":\"c\",\"outputFields\":[\"count(*)\"],\"filter\":\""
                + filter
                + "\"}");
    return rows.get(0).get("count(*)").asLong();
  }

  /// The two rows nearest to (x, 0); an `x` beside a whole number has no ties.
  private List<Long> nearest(double x, String filter) throws Exception {
    JsonNode hits =
        ok(
            "entities/search",
            "{\"collectionName\":\"c\",\"limit\":2,\"data\":[["
                + x
                + ",0]],\"filter\":\""
                + filter
                + "\"}");
    List<Long> ids = new ArrayList<>();
    hits.forEach(hit -> ids.add(hit.get("id").asLong()));
    return ids;
  }

  private static String rows(int from, int to, int tag) {
    StringBuilder rows = new StringBuilder("{\"collectionName\":\"c\",\"data\":[");
    for (int id = from; id < to; id++) {
      rows.append(id == from ? "" : ",")
          .append("{\"id\":" + id + ",\"tag\":" + tag + ",\"v\":[" + id + ",0]}");
    }
    return rows.append("]}").toString();
  }

  private void create() throws Exception {
    ok(
        "collections/create",
        "{\"collectionName\":\"c\",\"schema\":{\"fields\":["
            + "{\"fieldName\":\"id\",\"dataType\":\"Int64\",\"isPrimary\":true},"
            + "{\"fieldName\":\"tag\",\"dataType\":\"Int64\"},"
            + "{\"fieldName\":\"v\",\"dataType\":\"FloatVector\",\"elementTypeParams\":{\"dim\":2}}]},"
            + "\"indexParams\":[{\"fieldName\":\"v\",\"indexName\":\"v\",\"metricType\":\"L2\","
            + "\"indexType\":\"HNSW\",\"params\":{\"M\":8,\"efConstruction\":64}}],"
            + "\"params\":{\"shardsNum\":2,\"consistencyLevel\":\"Strong\"}}");
  }

  private void awaitIndexed(int rows) throws Exception {
    long until = SystemClock.INSTANCE.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    JsonNode index;
    do {
      assertThat(SystemClock.INSTANCE.nanoTime()).as("indexed within a minute").isLessThan(until);
      index = ok("indexes/describe", "{\"collectionName\":\"c\",\"indexName\":\"v\"}").get(0);
    } while (index.get("indexedRows").asLong() < rows);
  }

  /// Waits until all rows are read from sealed segments on the query node.
  private void awaitHandedOver(long rows) throws Exception {
    QueryCoordService loads = Objects.requireNonNull(coordinator).queryCoord();
    CallContext context = CallContext.background("test");
    CollectionId id =
        Objects.requireNonNull(coordinator)
            .catalog()
            .collection(context, CatalogService.FindCollection.byName("default", "c"))
            .get(10, TimeUnit.SECONDS)
            .meta()
            .id();
    long until = SystemClock.INSTANCE.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    List<QueryCoordService.LoadedSegment> loaded;
    do {
      assertThat(SystemClock.INSTANCE.nanoTime()).as("loaded within a minute").isLessThan(until);
      loaded =
          loads
              .loadedSegments(context, new QueryCoordService.ListLoadedSegments(id))
              .get(10, TimeUnit.SECONDS)
              .segments();
    } while (loaded.stream().mapToLong(QueryCoordService.LoadedSegment::rows).sum() < rows);
    assertThat(loaded).extracting(QueryCoordService.LoadedSegment::node).containsOnly(QUERY);
  }

  private interface Step {
    void run() throws Exception;
  }

  /// What a client does and must see; `whenIndexed` runs once the index is built.
  private void useAsClient(Step whenIndexed) throws Exception {
    create();
    ok("entities/insert", rows(0, ROWS, 0));
    assertThat(count("")).isEqualTo(ROWS);
    assertThat(nearest(700.2, "")).containsExactly(700L, 701L);

    ok("entities/upsert", rows(0, 10, 1));
    ok("entities/delete", "{\"collectionName\":\"c\",\"filter\":\"id in [20, 21]\"}");
    assertThat(count("tag == 1")).isEqualTo(10);
    assertThat(count("")).isEqualTo(ROWS - 2);

    ok("collections/flush", "{\"collectionName\":\"c\"}");
    awaitIndexed(ROWS);
    whenIndexed.run();
    assertThat(count("")).isEqualTo(ROWS - 2);
    assertThat(nearest(700.2, "")).containsExactly(700L, 701L);
    assertThat(nearest(20.2, "")).containsExactly(19L, 22L);
    assertThat(nearest(5.2, "tag == 1")).containsExactly(5L, 6L);
    assertThat(nearest(9.2, "tag == 0")).containsExactly(10L, 11L);

    ok("aliases/create", "{\"collectionName\":\"c\",\"aliasName\":\"a\"}");
    ok("partitions/create", "{\"collectionName\":\"c\",\"partitionName\":\"p\"}");
    assertThat(ok("partitions/list", "{\"collectionName\":\"a\"}")).hasSize(2);
    ok(
        "entities/insert",
        "{\"collectionName\":\"a\",\"partitionName\":\"p\","
            + "\"data\":[{\"id\":9000,\"tag\":2,\"v\":[9000,0]}]}");
    assertThat(nearest(9000, "tag == 2")).containsExactly(9000L);

    // Keys of sealed segments, found by a read first.
    ok("entities/delete", "{\"collectionName\":\"c\",\"filter\":\"tag == 0\"}");
    assertThat(count("")).isEqualTo(11);
    assertThat(nearest(700.2, "")).doesNotContain(700L, 701L);
    ok("collections/release", "{\"collectionName\":\"c\"}");
    JsonNode released = post("entities/query", "{\"collectionName\":\"c\",\"filter\":\"id >= 0\"}");
    assertThat(released.get("code").asInt()).isEqualTo(101);
    ok("collections/load", "{\"collectionName\":\"c\"}");
    awaitLoaded();
    assertThat(count("")).isEqualTo(11);
    ok("partitions/release", "{\"collectionName\":\"c\",\"partitionNames\":[\"p\"]}");
    ok("partitions/drop", "{\"collectionName\":\"c\",\"partitionName\":\"p\"}");
    assertThat(count("")).isEqualTo(10);
    ok("aliases/drop", "{\"aliasName\":\"a\"}");
    ok("collections/drop", "{\"collectionName\":\"c\"}");
    assertThat(ok("collections/list", "{}")).isEmpty();
  }

  private void awaitLoaded() throws Exception {
    long until = SystemClock.INSTANCE.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    JsonNode state;
    do {
      assertThat(SystemClock.INSTANCE.nanoTime()).as("loaded within a minute").isLessThan(until);
      state = ok("collections/get_load_state", "{\"collectionName\":\"c\"}");
    } while (!state.get("loadState").asString().equals("LoadStateLoaded"));
  }

  @Test
  void aClientOfFiveProcessesSeesOneServer() throws Exception {
    useAsClient(() -> awaitHandedOver(ROWS));
  }

  @Test
  void aClientOfOneProcessSeesTheSame() throws Exception {
    Settings standalone =
        Settings.of(SETTINGS).with(Map.of("proxy.port", "0", "common.http.managementPort", "-1"));
    try (StandaloneNode node = StandaloneNode.startInMemory(standalone)) {
      base = base(node.port());
      useAsClient(() -> {});
    }
  }

  @Test
  void errorsCrossTheLinksUnchanged() throws Exception {
    JsonNode missing = post("collections/describe", "{\"collectionName\":\"none\"}");
    assertThat(missing.get("code").asInt()).isEqualTo(100);
    assertThat(missing.get("message").asString())
        .contains("collection not found[database=default][collection=none]");

    create();
    JsonNode twice = post("aliases/create", "{\"collectionName\":\"c\",\"aliasName\":\"c\"}");
    assertThat(twice.get("code").asInt()).isEqualTo(1601);
  }
}
