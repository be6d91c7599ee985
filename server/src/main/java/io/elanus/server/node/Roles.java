package io.elanus.server.node;

import io.elanus.base.error.FaultHandler;
import io.elanus.base.id.NodeId;
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
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.StreamingService;
import io.micrometer.core.instrument.MeterRegistry;

/// Every role of a standalone process, joined by plain references: what the process is made of.
///
/// Thread-safe: fields are set once.
final class Roles implements AutoCloseable {
  /// All roles of one process share its id.
  static final NodeId NODE = new NodeId(1);

  private static final int SEARCH_QUEUE = 16_384;

  /// What the process gives to its roles.
  record Host(Threads threads, Rng rng, FaultHandler faults, MeterRegistry metrics) {}

  private final Coordinator coordinator;
  private final StreamingNode streaming;
  private final ChannelDamage damage;
  private final Delegators delegators;
  private final QueryNode queryNode;
  private final DataNode dataNode;
  private final ProxyNode proxy;

  Roles(Host host, Engines engines, NodeSettings settings) {
    Threads threads = host.threads();
    LocalLinks<StreamingService> streamingLinks = new LocalLinks<>();
    LocalLinks<DelegatorService> delegatorLinks = new LocalLinks<>();
    LocalLinks<QueryNodeService> queryLinks = new LocalLinks<>();
    LocalLinks<DataNodeService> dataLinks = new LocalLinks<>();
    LocalLinks<ProxyCacheService> proxyLinks = new LocalLinks<>();
    ForwardingStreaming wal = new ForwardingStreaming();

    coordinator =
        new Coordinator(
            new CoordinatorDeps(
                new CoordinatorDeps.Seams(
                    threads, threads.clock(), host.rng(), host.faults(), host.metrics()),
                new CoordinatorDeps.Stores(engines.meta(), engines.objects()),
                new CoordinatorDeps.Nodes(
                    streamingLinks, delegatorLinks, queryLinks, dataLinks, proxyLinks),
                wal,
                settings.coord().coord()),
            settings.coord().segments(),
            settings.coord().loads());
    streaming =
        new StreamingNode(
            new StreamingDeps(
                new StreamingDeps.Engines(engines.wal(), engines.meta(), engines.objects()),
                new StreamingDeps.Coordinator(coordinator.tso(), coordinator.dataCoord()),
                new StreamingDeps.Process(threads, host.rng(), host.faults(), host.metrics()),
                settings.workers().streaming()));
    damage = new ChannelDamage(streaming);
    wal.forwardTo(streaming);
    streamingLinks.add(NODE, damage);

    ReadPool readPool =
        new ReadPool(
            threads.pool("query/search", Runtime.getRuntime().availableProcessors(), SEARCH_QUEUE));
    FilterCache filters = new FilterCache(settings.workers().query().filterCacheSize());
    QueryMetrics queryMetrics = new QueryMetrics(host.metrics());
    queryNode = new QueryNode(engines.objects(), threads, readPool, filters, queryMetrics);
    queryLinks.add(NODE, queryNode);
    delegators =
        new Delegators(
            new DelegatorDeps(
                streaming,
                queryLinks,
                threads,
                readPool,
                filters,
                settings.workers().query(),
                queryMetrics));
    delegatorLinks.add(NODE, delegators);

    dataNode = new DataNode(threads, engines.objects(), settings.workers().data());
    dataLinks.add(NODE, dataNode);

    proxy =
        new ProxyNode(
            new ProxyServices(
                coordinator.tso(),
                coordinator.catalog(),
                coordinator.dataCoord(),
                coordinator.queryCoord(),
                streaming,
                delegatorLinks),
            new ProxyNode.Surroundings(threads, host.rng(), host.metrics()),
            settings.edge().proxy());
    proxyLinks.add(NODE, proxy);
  }

  Coordinator coordinator() {
    return coordinator;
  }

  ProxyNode proxy() {
    return proxy;
  }

  /// Tells of a damaged log while channels are opened.
  ChannelDamage damage() {
    return damage;
  }

  /// Stops the roles, consumers before what they consume.
  @Override
  public void close() {
    proxy.close();
    coordinator.close();
    delegators.close();
    queryNode.close();
    dataNode.close();
    streaming.close();
  }
}
