package io.elanus.role.coord.schema;

import io.elanus.base.id.PChannel;
import io.elanus.base.loop.Loop;
import io.elanus.role.coord.broadcast.AckCallbacks;
import io.elanus.role.coord.broadcast.Broadcaster;
import io.elanus.role.coord.part.CatalogListener;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.role.coord.part.CoordinatorDeps;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.TsoService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The catalog with all that belongs to it, wired: [#register] the callbacks, [#load] the image,
/// then [#serve].
///
/// Thread-safe once serving.
public final class SchemaPart {
  private final CoordinatorDeps deps;
  private final Catalog catalog = new Catalog();
  private final ChannelPlacer placer;
  private final List<PChannel> pchannels;
  private final List<CatalogListener> listeners = new ArrayList<>();
  private volatile boolean serving;

  /// `pchannels` in index order; the first carries the control channel.
  public SchemaPart(CoordinatorDeps deps, List<PChannel> pchannels) {
    this.deps = deps;
    this.pchannels = List.copyOf(pchannels);
    this.placer = new ChannelPlacer(pchannels);
  }

  public CatalogView catalog() {
    return catalog;
  }

  /// Before the first broadcast only.
  public void listen(CatalogListener listener) {
    listeners.add(listener);
  }

  /// Registers the catalog's callbacks; `loop` is the broadcaster's.
  public void register(AckCallbacks registry, Loop loop) {
    ProxyInvalidator proxies =
        new ProxyInvalidator(deps.nodes().proxies(), deps.runtime().threads(), loop);
    new CatalogCallbacks(catalog, placer, proxies, listeners).register(registry);
  }

  /// Reads the catalog; before the broadcaster recovers.
  public CompletableFuture<Void> load(FencedStore store) {
    return catalog.load(store).thenRun(() -> catalog.collections().forEach(placer::add));
  }

  /// The service over `broadcaster`; refuses with error 1 until [#serve].
  public CatalogService service(Broadcaster broadcaster, TsoService tso) {
    DdlRunner runner =
        new DdlRunner(
            catalog,
            broadcaster,
            tso,
            pchannels.getFirst().controlChannel(),
            deps.runtime().threads());
    return new CatalogFront(catalog, runner, placer, deps.config(), () -> serving);
  }

  public void serve(boolean on) {
    serving = on;
  }
}
