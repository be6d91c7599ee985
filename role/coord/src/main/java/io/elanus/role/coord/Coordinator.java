package io.elanus.role.coord;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.PChannel;
import io.elanus.role.coord.balance.ChannelAssigner;
import io.elanus.role.coord.broadcast.AckCallbacks;
import io.elanus.role.coord.broadcast.Broadcaster;
import io.elanus.role.coord.broadcast.BroadcasterDeps;
import io.elanus.role.coord.broadcast.BroadcasterDeps.ClusterRole;
import io.elanus.role.coord.load.LoadConfig;
import io.elanus.role.coord.load.LoadPart;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.role.coord.part.CoordinatorDeps;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.role.coord.part.PartContext;
import io.elanus.role.coord.schema.SchemaPart;
import io.elanus.role.coord.segments.SegmentsConfig;
import io.elanus.role.coord.segments.SegmentsPart;
import io.elanus.role.coord.tso.ChannelTerms;
import io.elanus.role.coord.tso.Tso;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.TsoService;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The active coordinator. Starting takes a new term, which deposes every earlier one, then brings
/// up in this order: timestamp oracle, catalog, segments, channel assignment (which goes on in the
/// background), broadcaster, loads. Services answer error 1 or 2 before.
///
/// Thread-safe.
public final class Coordinator implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Coordinator.class);

  private final CoordinatorDeps deps;
  private final FencedStore store;
  private final Tso tso;
  private final ChannelAssigner channels;
  private final SchemaPart schema;
  private final Broadcaster broadcaster;
  private final CatalogService catalogService;
  private final SegmentsPart segments;
  private final LoadPart loads;
  private final AtomicBoolean closed = new AtomicBoolean();

  /// With default settings for segments and loads.
  public Coordinator(CoordinatorDeps deps) {
    this(deps, SegmentsConfig.DEFAULT, LoadConfig.DEFAULT);
  }

  public Coordinator(CoordinatorDeps deps, SegmentsConfig segmentsConfig, LoadConfig loadConfig) {
    this.deps = deps;
    CoordinatorDeps.Seams runtime = deps.runtime();
    this.store = new FencedStore(deps.stores().meta());
    ChannelTerms terms = new ChannelTerms();
    this.tso = new Tso(runtime.threads(), store, terms, deps.leadership(), runtime.metrics());
    this.channels = new ChannelAssigner(deps, store, terms);
    this.schema = new SchemaPart(deps, channels.pchannels());
    AckCallbacks callbacks = new AckCallbacks();
    BroadcasterDeps.Outside outside =
        new BroadcasterDeps.Outside(deps.wal(), tso, channels::whenReady);
    this.broadcaster =
        new Broadcaster(
            new BroadcasterDeps(
                runtime.threads(),
                runtime.rng().split("broadcast"),
                runtime.faults(),
                store,
                outside,
                () -> ClusterRole.PRIMARY),
            deps.config().broadcasts(),
            callbacks);
    schema.register(callbacks, broadcaster.executor());
    this.catalogService = schema.service(broadcaster, tso);
    PartContext context = new PartContext(deps, store, schema.catalog(), tso);
    this.segments = new SegmentsPart(context, segmentsConfig);
    this.loads = new LoadPart(context, segments, channels::owner, loadConfig);
    schema.listen(segments);
    schema.listen(loads);
    channels.onOwnersChanged(loads::ownersChanged);
  }

  /// Completes when every service answers. DDL waits beyond that until all channels are open.
  public CompletableFuture<Void> start() {
    long began = deps.runtime().clock().nanoTime();
    return store
        .takeTerm()
        .thenCompose(_ -> tso.start())
        .thenCompose(_ -> schema.load(store))
        // StreamingNodes ask for recovery points while they open channels.
        .thenCompose(_ -> segments.start())
        .thenCompose(_ -> channels.start())
        .thenCompose(_ -> broadcaster.recover())
        .thenCompose(_ -> loads.start())
        .thenRun(() -> {
          schema.serve(true);
          long micros = (deps.runtime().clock().nanoTime() - began) / 1000;
          log.atInfo()
              .addKeyValue("term", store.term())
              .addKeyValue("collections", schema.catalog().collections().size())
              .addKeyValue("micros", micros)
              .log("coordinator serves");
        });
  }

  public TsoService tso() {
    return tso;
  }

  public CatalogService catalog() {
    return catalogService;
  }

  public DataCoordService dataCoord() {
    return segments;
  }

  public QueryCoordService queryCoord() {
    return loads;
  }

  /// Broadcasts under way and who waits for what, for operators and tests.
  public Broadcaster broadcaster() {
    return broadcaster;
  }

  public CatalogView catalogView() {
    return schema.catalog();
  }

  /// All physical channels, in index order.
  public List<PChannel> pchannels() {
    return channels.pchannels();
  }

  /// The StreamingNode that serves `pchannel` now; null while there is none.
  public @Nullable NodeId channelOwner(PChannel pchannel) {
    return channels.owner(pchannel);
  }

  /// Completes once every PChannel is assigned and open; a new future while one is not.
  public CompletableFuture<Void> whenChannelsReady() {
    return channels.whenReady();
  }

  public long term() {
    return store.term();
  }

  /// Stops serving at once; unfinished work is taken up by the next start. Idempotent.
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    schema.serve(false);
    loads.close();
    segments.close();
    broadcaster.close();
    channels.close();
    tso.close();
  }
}
