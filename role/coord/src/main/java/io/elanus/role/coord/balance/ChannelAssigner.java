package io.elanus.role.coord.balance;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.Invariant;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.Timers;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.RangeResult;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.coord.part.CoordinatorDeps;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.role.coord.part.Waits;
import io.elanus.role.coord.tso.ChannelTerms;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.StreamingService.OpenChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Assigns every PChannel to a StreamingNode (rules W-01, W-02), to the one with the fewest
/// channels:
///
/// | from | to | when |
/// | --- | --- | --- |
/// | UNINITIALIZED, UNAVAILABLE | ASSIGNING | owner and raised term are being persisted, then opened |
/// | ASSIGNING | ASSIGNED | the node confirmed that the WAL is open |
/// | ASSIGNING | UNAVAILABLE | the node refused the term, or is gone |
/// | ASSIGNED | UNAVAILABLE | the node is gone |
///
/// A higher term is known to the timestamp oracle before it is persisted, and persisted before any
/// node hears of it; so an older owner gets no more ticks once a newer one may write.
///
/// Thread-safe: state is owned by the loop `coord/balance`; `owners` and `ready` are for readers.
public final class ChannelAssigner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ChannelAssigner.class);
  private static final Duration OPEN_WITHIN = Duration.ofSeconds(60);
  private static final Duration NO_NODE_PAUSE = Duration.ofMillis(50);
  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
  private static final Duration RETRY_FIRST = Duration.ofMillis(20);
  private static final Duration RETRY_LIMIT = Duration.ofSeconds(5);

  enum ChannelState {
    /// Not looked at since the start.
    UNINITIALIZED,
    /// On its way to a node.
    ASSIGNING,
    /// Serves.
    ASSIGNED,
    /// Its node is gone or refused it.
    UNAVAILABLE;

    private boolean leadsTo(ChannelState next) {
      return switch (this) {
        case UNINITIALIZED, UNAVAILABLE -> next == ASSIGNING;
        case ASSIGNING -> next == ASSIGNED || next == UNAVAILABLE;
        case ASSIGNED -> next == UNAVAILABLE;
      };
    }
  }

  private static final class Channel {
    final PChannel pchannel;
    ChannelState state = ChannelState.UNINITIALIZED;
    @Nullable NodeId node;
    long term;
    int attempts;

    Channel(PChannel pchannel) {
      this.pchannel = pchannel;
    }

    void moveTo(ChannelState next) {
      Invariant.check(
          state.leadsTo(next), "channel %s can't go from %s to %s", pchannel, state, next);
      state = next;
    }
  }

  private final CoordinatorDeps.Seams runtime;
  private final NodeLinks<StreamingService> nodes;
  private final FencedStore store;
  private final ChannelTerms terms;
  private final Loop loop;
  private final List<PChannel> pchannels;
  private final TreeMap<PChannel, Channel> channels = new TreeMap<>();
  private final ConcurrentSkipListMap<PChannel, NodeId> owners = new ConcurrentSkipListMap<>();
  private volatile CompletableFuture<Void> ready = new CompletableFuture<>();
  private volatile boolean closed;
  private Timers.@Nullable Cancellable check;
  private volatile Runnable ownersChanged = () -> {};

  public ChannelAssigner(CoordinatorDeps deps, FencedStore store, ChannelTerms terms) {
    this.runtime = deps.runtime();
    this.nodes = deps.nodes().streaming();
    this.store = store;
    this.terms = terms;
    this.loop = runtime.threads().loop("coord/balance", 65_536);
    this.pchannels = new ArrayList<>();
    for (int i = 0; i < deps.config().channels().count(); i++) {
      pchannels.add(PChannel.of(deps.config().channels().prefix(), i));
    }
  }

  /// All physical channels, in index order; the first carries the control channel.
  public List<PChannel> pchannels() {
    return List.copyOf(pchannels);
  }

  /// Reads earlier assignments and starts assigning; completes when that has begun. [#whenReady]
  /// tells when it is done.
  public CompletableFuture<Void> start() {
    return store
        .prefix(Assignment.PREFIX)
        .thenAcceptAsync(
            stored -> {
              load(stored);
              assign(List.copyOf(channels.values()));
              check =
                  runtime
                      .threads()
                      .timers()
                      .every(CHECK_EVERY, Waits.unlessClosed(loop), this::checkNodes);
            },
            loop);
  }

  private void load(RangeResult stored) {
    pchannels.forEach(pchannel -> channels.put(pchannel, new Channel(pchannel)));
    for (KeyValue entry : stored.entries()) {
      Assignment earlier = WireJson.read(entry.value(), Assignment.class);
      Channel channel = channels.computeIfAbsent(earlier.pchannel(), Channel::new);
      channel.term = earlier.term();
      channel.node = earlier.node();
      terms.raise(earlier.pchannel(), earlier.term());
    }
  }

  /// Completes once every channel is assigned; a new future while one is not.
  public CompletableFuture<Void> whenReady() {
    return ready;
  }

  /// The node that serves `pchannel` now; null while there is none.
  public @Nullable NodeId owner(PChannel pchannel) {
    return owners.get(pchannel);
  }

  /// Runs `listener` on the loop of this object whenever a channel got an owner.
  public void onOwnersChanged(Runnable listener) {
    ownersChanged = listener;
  }

  private void assign(List<Channel> wanted) {
    if (closed || wanted.isEmpty()) {
      return;
    }
    List<NodeId> up = nodes.nodes();
    if (up.isEmpty()) {
      later(NO_NODE_PAUSE, () -> assign(wanted));
      return;
    }
    Txn.Builder txn = Txn.builder();
    for (Channel channel : wanted) {
      channel.moveTo(ChannelState.ASSIGNING);
      channel.node = choose(channel, up);
      channel.term = Math.max(channel.term, terms.term(channel.pchannel)) + 1;
      terms.raise(channel.pchannel, channel.term);
      Assignment assignment = new Assignment(channel.pchannel, channel.node, channel.term);
      txn.put(Assignment.PREFIX + channel.pchannel.name(), WireJson.write(assignment));
    }
    store
        .commit(txn)
        .whenCompleteAsync(
            (_, failure) -> {
              if (failure == null) {
                wanted.forEach(this::open);
                return;
              }
              wanted.forEach(channel -> channel.moveTo(ChannelState.UNAVAILABLE));
              if (!store.isDeposed()) {
                log.atWarn().setCause(failure).log("assignment not persisted, retrying");
                later(RETRY_LIMIT, () -> assign(wanted));
              }
            },
            loop);
  }

  /// The node it had, when that is up and not busier than others by more than a channel; else the
  /// one with the fewest.
  private NodeId choose(Channel channel, List<NodeId> up) {
    Map<NodeId, Integer> load = new TreeMap<>();
    up.forEach(node -> load.put(node, 0));
    for (Channel other : channels.values()) {
      NodeId node = other.node;
      if (other != channel && node != null) {
        load.computeIfPresent(node, (_, count) -> count + 1);
      }
    }
    NodeId best = up.getFirst();
    for (NodeId node : up) {
      if (load.getOrDefault(node, 0) < load.getOrDefault(best, 0)) {
        best = node;
      }
    }
    NodeId before = channel.node;
    boolean keeps =
        before != null
            && load.containsKey(before)
            && load.getOrDefault(before, 0) <= load.getOrDefault(best, 0);
    return keeps && before != null ? before : best;
  }

  private void open(Channel channel) {
    NodeId node = channel.node;
    if (closed || node == null) {
      return;
    }
    long term = channel.term;
    Deadline deadline = Deadline.after(runtime.clock(), OPEN_WITHIN);
    CallContext context = new CallContext(deadline, "open-" + channel.pchannel);
    CompletableFuture<?> opened;
    try {
      opened = nodes.node(node).open(context, new OpenChannel(channel.pchannel, term));
    } catch (RuntimeException e) {
      opened = CompletableFuture.failedFuture(e);
    }
    Waits.until(deadline, runtime.threads(), Waits.unlessClosed(loop), opened)
        .whenCompleteAsync(
            (_, failure) -> {
              if (failure == null) {
                opened(channel, node);
              } else {
                notOpened(channel, node, Waits.cause(failure));
              }
            },
            loop);
  }

  private void opened(Channel channel, NodeId node) {
    channel.moveTo(ChannelState.ASSIGNED);
    channel.attempts = 0;
    owners.put(channel.pchannel, node);
    log.atDebug()
        .addKeyValue("pchannel", channel.pchannel)
        .addKeyValue("node", node)
        .addKeyValue("term", channel.term)
        .log("channel assigned");
    boolean all = channels.values().stream().allMatch(c -> c.state == ChannelState.ASSIGNED);
    if (all && !ready.isDone()) {
      log.atInfo().addKeyValue("channels", channels.size()).log("all channels are assigned");
      ready.complete(null);
    }
    ownersChanged.run();
  }

  private void notOpened(Channel channel, NodeId node, Throwable cause) {
    if (closed) {
      return;
    }
    log.atWarn()
        .addKeyValue("pchannel", channel.pchannel)
        .addKeyValue("node", node)
        .addKeyValue("term", channel.term)
        .setCause(cause)
        .log("channel not opened, retrying");
    Duration pause =
        Waits.backoff(RETRY_FIRST, RETRY_LIMIT, channel.attempts++, runtime.rng().nextDouble());
    boolean refused =
        cause instanceof DbException error && error.code() == ErrorCode.CHANNEL_NOT_AVAILABLE;
    if (refused || !nodes.nodes().contains(node)) {
      channel.moveTo(ChannelState.UNAVAILABLE);
      later(pause, () -> assign(List.of(channel)));
    } else {
      later(pause, () -> open(channel));
    }
  }

  /// Moves the channels of nodes that are gone.
  private void checkNodes() {
    List<NodeId> up = nodes.nodes();
    List<Channel> lost = new ArrayList<>();
    for (Channel channel : channels.values()) {
      NodeId node = channel.node;
      if (channel.state == ChannelState.ASSIGNED && node != null && !up.contains(node)) {
        channel.moveTo(ChannelState.UNAVAILABLE);
        owners.remove(channel.pchannel);
        lost.add(channel);
      }
    }
    if (!lost.isEmpty()) {
      if (ready.isDone()) {
        ready = new CompletableFuture<>();
      }
      log.atInfo().addKeyValue("channels", lost.size()).log("channels lost their node");
      assign(lost);
    }
  }

  private void later(Duration pause, Runnable step) {
    runtime.threads().timers().after(pause, Waits.unlessClosed(loop), step);
  }

  @Override
  public void close() {
    closed = true;
    try {
      loop.execute(() -> {
        if (check != null) {
          check.cancel();
        }
        ready.completeExceptionally(
            DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "coordinator is closed"));
      });
    } catch (RejectedExecutionException e) {
      log.debug("closed before", e);
    }
    loop.close();
  }
}
