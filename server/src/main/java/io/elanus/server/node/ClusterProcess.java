package io.elanus.server.node;

import io.elanus.base.error.FaultHandler;
import io.elanus.base.id.NodeId;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.random.Rng;
import io.elanus.role.coord.Coordinator;
import io.elanus.role.coord.part.CoordinatorDeps;
import io.elanus.role.data.DataNode;
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
import io.elanus.server.cluster.AliveOnly;
import io.elanus.server.cluster.ChannelRoutes;
import io.elanus.server.cluster.Connector;
import io.elanus.server.cluster.Election;
import io.elanus.server.cluster.LeaderLink;
import io.elanus.server.cluster.Members;
import io.elanus.server.cluster.Role;
import io.elanus.server.cluster.Session;
import io.elanus.server.cluster.Session.Member;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.TsoService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A process of a cluster: any roles, joined to those of other processes by the metadata store,
/// which tells who is alive, who leads and who owns which channel, and by a network.
///
/// A coordinator stands by until it is elected. A process whose [#lost] fails must end: others act
/// as if it were gone.
///
/// Thread-safe: fields are set once.
public final class ClusterProcess implements AutoCloseable {
  private static final int SEARCH_QUEUE = 16_384;
  private static final int MAILBOX = 65_536;

  /// What the process runs on.
  public record Host(Threads threads, Rng rng, FaultHandler faults, MeterRegistry metrics) {}

  private final Host host;
  private final Engines engines;
  private final NodeSettings settings;
  private final Member member;
  private final Duration ttl;
  private final Loop loop;
  private final Members members;
  private final ChannelRoutes routes;
  private final LeaderLink leader;
  private final Map<Class<?>, Object> services = new LinkedHashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private volatile @Nullable Session session;
  private final @Nullable Election election;
  private final @Nullable Coordinator coordinator;
  private final @Nullable ProxyNode proxy;

  /// @param member this process, with an id of its own ([Session#newNodeId])
  /// @param ttl after which a silent process counts as gone
  public ClusterProcess(
      Host host,
      Engines engines,
      NodeSettings settings,
      Member member,
      Connector connector,
      Duration ttl) {
    this.host = host;
    this.engines = engines;
    this.settings = settings;
    this.member = member;
    this.ttl = ttl;
    Threads threads = host.threads();
    this.loop = threads.loop("cluster", MAILBOX);
    this.members = keep(new Members(engines.meta(), threads, loop, connector));
    this.routes =
        keep(
            new ChannelRoutes(
                engines.meta(),
                threads,
                loop,
                members.links(Role.STREAMING_NODE, StreamingService.class)));
    this.leader = keep(new LeaderLink(engines.meta(), threads, loop, members));
    List<Role> roles = member.roles();
    this.election =
        roles.contains(Role.COORDINATOR)
            ? keep(new Election(engines.meta(), threads, loop, member.node(), ttl))
            : null;
    this.coordinator = election == null ? null : coordinator(election);
    if (roles.contains(Role.QUERY_NODE) || roles.contains(Role.STREAMING_NODE)) {
      readers(roles);
    }
    if (roles.contains(Role.DATA_NODE)) {
      DataNode node = keep(new DataNode(threads, engines.objects(), settings.workers().data()));
      serve(DataNodeService.class, node);
    }
    this.proxy = roles.contains(Role.PROXY) ? proxy() : null;
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(resource);
    return resource;
  }

  private <S> void serve(Class<S> service, S implementation) {
    services.put(service, AliveOnly.guard(service, implementation, this::isAlive));
  }

  /// Whether others certainly take this process for alive.
  public boolean isAlive() {
    Session announced = session;
    return announced != null && announced.isAlive();
  }

  private Coordinator coordinator(Election leadership) {
    Coordinator built =
        keep(
            new Coordinator(
                new CoordinatorDeps(
                    new CoordinatorDeps.Seams(
                        host.threads(),
                        host.threads().clock(),
                        host.rng(),
                        host.faults(),
                        host.metrics()),
                    new CoordinatorDeps.Stores(engines.meta(), engines.objects()),
                    new CoordinatorDeps.Nodes(
                        members.links(Role.STREAMING_NODE, StreamingService.class),
                        members.links(Role.STREAMING_NODE, DelegatorService.class),
                        members.links(Role.QUERY_NODE, QueryNodeService.class),
                        members.links(Role.DATA_NODE, DataNodeService.class),
                        members.links(Role.PROXY, ProxyCacheService.class)),
                    routes,
                    leadership,
                    settings.coord().coord()),
                settings.coord().segments(),
                settings.coord().loads()));
    serve(TsoService.class, built.tso());
    serve(CatalogService.class, built.catalog());
    serve(DataCoordService.class, built.dataCoord());
    serve(QueryCoordService.class, built.queryCoord());
    return built;
  }

  /// What searches: sealed segments on a QueryNode, shards on a StreamingNode.
  private void readers(List<Role> roles) {
    Threads threads = host.threads();
    ReadPool pool =
        new ReadPool(
            threads.pool("query/search", Runtime.getRuntime().availableProcessors(), SEARCH_QUEUE));
    FilterCache filters = new FilterCache(settings.workers().query().filterCacheSize());
    QueryMetrics metrics = new QueryMetrics(host.metrics());
    if (roles.contains(Role.QUERY_NODE)) {
      QueryNode node = keep(new QueryNode(engines.objects(), threads, pool, filters, metrics));
      serve(QueryNodeService.class, node);
    }
    if (!roles.contains(Role.STREAMING_NODE)) {
      return;
    }
    StreamingNode streaming =
        keep(
            new StreamingNode(
                new StreamingDeps(
                    new StreamingDeps.Engines(engines.wal(), engines.meta(), engines.objects()),
                    new StreamingDeps.Coordinator(
                        leader.client(TsoService.class), leader.client(DataCoordService.class)),
                    new StreamingDeps.Process(threads, host.rng(), host.faults(), host.metrics()),
                    settings.workers().streaming())));
    serve(StreamingService.class, streaming);
    Delegators delegators =
        keep(
            new Delegators(
                new DelegatorDeps(
                    streaming,
                    members.links(Role.QUERY_NODE, QueryNodeService.class),
                    threads,
                    pool,
                    filters,
                    settings.workers().query(),
                    metrics)));
    serve(DelegatorService.class, delegators);
  }

  private ProxyNode proxy() {
    ProxyNode node =
        keep(
            new ProxyNode(
                new ProxyServices(
                    leader.client(TsoService.class),
                    leader.client(CatalogService.class),
                    leader.client(DataCoordService.class),
                    leader.client(QueryCoordService.class),
                    routes,
                    members.links(Role.STREAMING_NODE, DelegatorService.class)),
                new ProxyNode.Surroundings(host.threads(), host.rng(), host.metrics()),
                settings.edge().proxy()));
    serve(ProxyCacheService.class, node);
    return node;
  }

  /// What this process serves to others, by interface of `wire.service`. Calls are refused unless
  /// the process is certainly alive to others.
  public Map<Class<?>, Object> services() {
    return Map.copyOf(services);
  }

  /// The client's side; null without the role.
  public @Nullable ProxyNode proxyNode() {
    return proxy;
  }

  /// The coordinator, active or standing by; null without the role.
  public @Nullable Coordinator coordinatorOrNull() {
    return coordinator;
  }

  public NodeId id() {
    return member.node();
  }

  /// Announces the process, whose [#services] must be reachable by then; completes when others can
  /// see it. A coordinator goes on to stand for election.
  public CompletableFuture<Void> start() {
    return CompletableFuture.allOf(members.start(), routes.start(), leader.start())
        .thenCompose(_ -> Session.open(engines.meta(), host.threads(), loop, member, ttl))
        .thenAcceptAsync(this::announced, loop);
  }

  private void announced(Session announced) {
    keep(announced);
    session = announced;
    announced.lost().whenComplete((_, why) -> lost.completeExceptionally(why));
    Election standing = election;
    Coordinator candidate = coordinator;
    if (standing == null || candidate == null) {
      return;
    }
    standing.lost().whenComplete((_, why) -> lost.completeExceptionally(why));
    standing
        .campaign()
        .thenCompose(_ -> candidate.start())
        .whenComplete((_, failure) -> {
          if (failure != null) {
            lost.completeExceptionally(failure);
          }
        });
  }

  /// Fails once this process has to end; never completes otherwise.
  public CompletableFuture<Void> lost() {
    return lost;
  }

  /// Leaves the cluster, then stops the roles, consumers before what they consume.
  @Override
  public void close() {
    for (AutoCloseable resource : open.reversed()) {
      try {
        resource.close();
      } catch (Exception e) {
        host.faults().onFault("cluster/close", e);
      }
    }
    loop.close();
  }
}
