package io.elanus.role.coord.load;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.base.time.Timers;
import io.elanus.role.coord.load.LoadedSegments.Loaded;
import io.elanus.role.coord.segments.CollectionSegments;
import io.elanus.role.coord.segments.Outcome;
import io.elanus.role.coord.segments.SegmentRecord;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService.ChannelRecovery;
import io.elanus.wire.service.DelegatorService.FindShardStatus;
import io.elanus.wire.service.DelegatorService.QueryView;
import io.elanus.wire.service.DelegatorService.ShardStatus;
import io.elanus.wire.service.DelegatorService.UnwatchShard;
import io.elanus.wire.service.DelegatorService.UpdateView;
import io.elanus.wire.service.DelegatorService.WatchShard;
import io.elanus.wire.service.Done;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings one shard to what its load asks for and keeps it there. At most one call to the delegator
/// is under way.
///
/// | phase | next |
/// | --- | --- |
/// | not watched | all live segments loaded → `watch` with all of them |
/// | watched | segments loaded, or partitions, indexes, replaced segments changed → `updateView` |
/// | releasing | nothing under way → `unwatch` → release of all segments → gone |
///
/// Whether a delegator that did not answer a watch serves an older view is not known; `unsure` then
/// makes the watch be followed by a view change, whatever the watch did. Likewise a view that was
/// sent and not answered may have been taken: until one is answered, `sent` counts as taken
/// wherever a row could be lost otherwise (the delegator may have dropped growing copies for it),
/// and as not taken wherever a delete could be.
///
/// Owned by: the coordinator's data loop.
final class ShardLoad {
  private static final Logger LOG = LoggerFactory.getLogger(ShardLoad.class);
  private static final Duration SERVICE_TIME_PAUSE = Duration.ofMillis(200);
  private static final Duration NO_OWNER_PAUSE = Duration.ofSeconds(1);
  private static final Duration PROBE_PAUSE = Duration.ofSeconds(1);

  private final LoadWorld world;
  private final CollectionLoad owner;
  private final VChannel vchannel;
  private final SegmentLoader loader;
  private @Nullable NodeId leader;
  private boolean watched;
  private boolean unsure;
  private boolean forceUpdate;
  private boolean calling;
  private boolean gone;
  private int failures;
  private long notBeforeNanos;
  private long probedNanos;
  private @Nullable String trouble;
  private ShardView view = ShardView.EMPTY;
  private @Nullable ShardView sent;
  private HybridTs serviceTime = HybridTs.ZERO;
  private Timers.@Nullable Cancellable wake;
  private long wakeAtNanos;

  /// `unsure` when the delegator may serve a view of before a restart.
  ShardLoad(LoadWorld world, CollectionLoad owner, VChannel vchannel, boolean unsure) {
    this.world = world;
    this.owner = owner;
    this.vchannel = vchannel;
    this.unsure = unsure;
    this.loader = new SegmentLoader(world, owner.id(), this);
    this.notBeforeNanos = world.work.nanoTime();
    this.probedNanos = notBeforeNanos;
  }

  VChannel vchannel() {
    return vchannel;
  }

  @Nullable NodeId leader() {
    return watched ? leader : null;
  }

  boolean isGone() {
    return gone;
  }

  boolean serves(PartitionId partition) {
    return watched && view.serves(partition) && (sent == null || sent.serves(partition));
  }

  /// What keeps the shard from being served; null when nothing went wrong.
  @Nullable String trouble() {
    String segments = loader.trouble();
    return segments == null ? trouble : segments;
  }

  ShardView view() {
    return view;
  }

  /// Where the delegator looks for a segment, as far as is known; null when it doesn't.
  private @Nullable NodeId placeOf(SegmentId segment) {
    NodeId place = sent == null ? null : sent.segments().get(segment);
    return place == null ? view.segments().get(segment) : place;
  }

  /// All segments that the delegator may look for.
  private SortedSet<SegmentId> placed() {
    SortedSet<SegmentId> placed = new TreeSet<>(view.segments().keySet());
    if (sent != null) {
      placed.addAll(sent.segments().keySet());
    }
    return placed;
  }

  @Nullable Loaded loaded(SegmentId segment) {
    return loader.state.of(segment);
  }

  boolean isUsed(SegmentId segment) {
    return !gone && (!watched || placeOf(segment) != null || loader.state.isKnown(segment));
  }

  /// Steps again after `pause`, or earlier.
  void wakeIn(Duration pause) {
    long at = world.work.nanoTime() + pause.toNanos();
    if (wake != null) {
      if (wakeAtNanos - at <= 0) {
        return;
      }
      wake.cancel();
    }
    wakeAtNanos = at;
    wake =
        world.work.after(
            pause,
            () -> {
              wake = null;
              step();
            });
  }

  void close() {
    gone = true;
    if (wake != null) {
      wake.cancel();
      wake = null;
    }
  }

  /// Compares what should be with what is, and starts what leads there.
  void step() {
    if (gone) {
      return;
    }
    if (owner.isReleasing()) {
      stepRelease();
      return;
    }
    if (world.catalog.collection(owner.id()) == null) {
      return; // Dropped: the release follows.
    }
    NodeId now = world.owners.owner(vchannel.pchannel());
    if (watched && !calling && now != null && !now.equals(leader)) {
      forgetWatch("its channel moved");
    }
    List<SegmentRecord> wanted = wanted();
    loader.bringUp(wanted, settled());
    if (!calling) {
      long wait = notBeforeNanos - world.work.nanoTime();
      if (wait > 0) {
        wakeIn(Duration.ofNanos(wait));
      } else if (!watched) {
        tryWatch(now, wanted);
      } else {
        tryUpdate(wanted);
      }
    }
    releaseNeedless(wanted);
    owner.progressed();
  }

  private void forgetWatch(String why) {
    LOG.atInfo()
        .addKeyValue("vchannel", vchannel)
        .addKeyValue("why", why)
        .log("shard is watched anew");
    watched = false;
    unsure = true;
    view = ShardView.EMPTY;
    sent = null;
    serviceTime = HybridTs.ZERO;
  }

  private CollectionSegments stored() {
    return world.segments.stored().of(owner.id());
  }

  /// Segments of the view on the node that the view names.
  private SortedSet<SegmentId> settled() {
    SortedSet<SegmentId> settled = new TreeSet<>();
    view.segments()
        .forEach((segment, node) -> {
          Loaded loaded = loader.state.of(segment);
          if (loaded != null && loaded.node().equals(node)) {
            settled.add(segment);
          }
        });
    return settled;
  }

  /// What should be loaded. A partition that is not served yet needs all its live segments; later
  /// ones wait for their indexes, because their rows are served meanwhile: from the growing copy,
  /// or from the segments that a compaction replaced.
  private List<SegmentRecord> wanted() {
    SortedSet<PartitionId> partitions = owner.partitions();
    List<SegmentRecord> wanted = new ArrayList<>();
    for (SegmentRecord record : stored().of(vchannel)) {
      PartitionId partition = record.meta().place().partitionId();
      if (!record.isLive() || !partitions.contains(partition)) {
        continue;
      }
      boolean now =
          !serves(partition)
              || placeOf(record.id()) != null
              || loader.state.isKnown(record.id())
              || world.segments.isIndexed(record)
              || standsInForLost(record.id());
      if (now) {
        wanted.add(record);
      }
    }
    return wanted;
  }

  /// True when a segment of the view that `successor` replaced is lost with its node.
  private boolean standsInForLost(SegmentId successor) {
    for (SegmentId segment : placed()) {
      if (loader.state.of(segment) == null && stored().successor(segment).equals(successor)) {
        return true;
      }
    }
    return false;
  }

  /// Segments whose rows are elsewhere or nowhere: a delegator must not keep growing copies of
  /// them.
  private SortedSet<SegmentId> replaced() {
    SortedSet<SegmentId> replaced = new TreeSet<>();
    for (SegmentRecord record : stored().of(vchannel)) {
      if (!record.isLive()) {
        replaced.add(record.id());
      }
    }
    return replaced;
  }

  private void tryWatch(@Nullable NodeId node, List<SegmentRecord> wanted) {
    if (node == null) {
      trouble = "no node serves channel " + vchannel.pchannel();
      wakeIn(NO_OWNER_PAUSE);
      return;
    }
    TreeMap<SegmentId, NodeId> segments = new TreeMap<>();
    for (SegmentRecord record : wanted) {
      Loaded loaded = loader.state.of(record.id());
      if (loaded == null || !loader.isFresh(record)) {
        return; // Every end of a load comes back here.
      }
      segments.put(record.id(), loaded.node());
    }
    ChannelRecovery recovery;
    try {
      recovery = world.segments.recovery(vchannel);
    } catch (DbException e) {
      trouble = e.getMessage(); // Dropped this moment: the release follows.
      return;
    }
    ShardView next =
        new ShardView(
            segments,
            replaced(),
            owner.partitions(),
            owner.meta().wholeCollection(),
            world.catalog.indexes(owner.id()),
            recovery.checkpoint().tick());
    QueryView named = next.under(world.nextVersion(), readableFrom(next));
    leader = node;
    callDelegator(
        "watch " + vchannel,
        context ->
            world
                .delegators
                .node(node)
                .watch(context, new WatchShard(recovery, loadOf(next), next.indexes(), named)),
        _ -> {
          watched = true;
          view = next;
          sent = null;
          forceUpdate = unsure;
          unsure = false;
          LOG.atInfo()
              .addKeyValue("vchannel", vchannel)
              .addKeyValue("node", node)
              .addKeyValue("segments", next.segments().size())
              .log("shard is watched");
          changedUse();
        });
  }

  private LoadMeta loadOf(ShardView next) {
    LoadMeta meta = owner.meta();
    return new LoadMeta(
        meta.collectionId(),
        next.wholeCollection(),
        List.copyOf(next.partitions()),
        meta.fields(),
        meta.replicas(),
        meta.createdTs());
  }

  private <T> void callDelegator(
      String what, Function<CallContext, CompletableFuture<T>> call, Consumer<T> answered) {
    calling = true;
    world.work.call(
        what,
        world.config.channelTimeout(),
        call,
        (Outcome<T> outcome) -> {
          calling = false;
          switch (outcome) {
            case Outcome.Done<T>(var value) -> {
              failures = 0;
              trouble = null;
              answered.accept(value);
            }
            case Outcome.Failed<T>(var error) -> delegatorFailed(what, error);
          }
          step();
        });
  }

  private void delegatorFailed(String what, DbException error) {
    failures++;
    trouble = String.valueOf(error.getMessage());
    notBeforeNanos = world.work.nanoTime() + world.backoff.after(failures).toNanos();
    if (Integer.bitCount(failures) == 1) {
      LOG.atWarn()
          .addKeyValue("call", what)
          .addKeyValue("failures", failures)
          .addKeyValue("reason", trouble)
          .log("delegator call failed, will try again");
    }
    if (watched && isUnwatched(error)) {
      forgetWatch("the delegator does not know it");
    } else {
      unsure = true;
      forceUpdate |= watched;
    }
  }

  private static boolean isUnwatched(DbException error) {
    return error.code() == ErrorCode.CHANNEL_NOT_AVAILABLE
        || error.code() == ErrorCode.CHANNEL_NOT_FOUND
        || error.code() == ErrorCode.NODE_NOT_FOUND
        || error.code() == ErrorCode.NODE_OFFLINE;
  }

  private void tryUpdate(List<SegmentRecord> wanted) {
    ShardView next = nextView(wanted);
    HybridTs needed = neededServiceTime(next);
    if (!forceUpdate && next.isServedBy(view) && !next.deltaTick().isAfter(view.deltaTick())) {
      if (!canTrim()) {
        return;
      }
      needed = stored().storedTo(vchannel);
    }
    NodeId node = leader;
    if (node == null) {
      return;
    }
    if (needed.isAfter(serviceTime)) {
      awaitServiceTime(node, needed);
      return;
    }
    QueryView named = next.under(world.nextVersion(), readableFrom(next));
    sent = merged(next);
    callDelegator(
        "update view of " + vchannel,
        context ->
            world
                .delegators
                .node(node)
                .updateView(context, new UpdateView(vchannel, loadOf(next), next.indexes(), named)),
        _ -> {
          view = next;
          sent = null;
          forceUpdate = false;
          unsure = false;
          changedUse();
        });
  }

  /// `next` with what unanswered views before it named besides; partitions are those of all of
  /// them.
  private ShardView merged(ShardView next) {
    ShardView before = sent;
    if (before == null) {
      return next;
    }
    TreeMap<SegmentId, NodeId> segments = new TreeMap<>(before.segments());
    segments.putAll(next.segments());
    SortedSet<PartitionId> partitions = new TreeSet<>(next.partitions());
    partitions.removeIf(partition -> !before.serves(partition));
    return new ShardView(
        segments,
        next.replaced(),
        partitions,
        next.wholeCollection() && before.wholeCollection(),
        next.indexes(),
        next.deltaTick());
  }

  private void changedUse() {
    world.work.post(() -> world.segments.useChanged(owner.id()));
  }

  private ShardView nextView(List<SegmentRecord> wanted) {
    SortedSet<PartitionId> asked = owner.partitions();
    SortedSet<PartitionId> whole = wholePartitions(wanted, asked);
    TreeMap<SegmentId, NodeId> next = new TreeMap<>();
    for (SegmentRecord record : wanted) {
      SegmentId id = record.id();
      NodeId before = placeOf(id);
      Loaded loaded = loader.state.of(id);
      boolean joins = whole.contains(record.meta().place().partitionId()) && isReady(record);
      if (joins && loaded != null) {
        next.put(id, loaded.node());
      } else if (before != null) {
        // Lost with its node: it stays, so that reads fail rather than miss it.
        next.put(id, before);
      }
    }
    for (SegmentId id : placed()) {
      NodeId place = placeOf(id);
      if (place != null && !next.containsKey(id) && staysInView(id, next, asked)) {
        next.put(id, place);
      }
    }
    boolean all = owner.meta().wholeCollection() && whole.containsAll(asked);
    return new ShardView(
        next, replaced(next), whole, all, world.catalog.indexes(owner.id()), deltaTick());
  }

  /// Up to which tick every segment has all deletes. Segments that join have loaded all delta logs,
  /// so up to the checkpoint; those of the view got later deletes from the delegator, as far as it
  /// has read the log. It may be behind the checkpoint: deletes that it has not read yet it must
  /// not skip.
  private HybridTs deltaTick() {
    HybridTs before =
        sent == null ? view.deltaTick() : HybridTs.max(view.deltaTick(), sent.deltaTick());
    HybridTs storedTo = stored().storedTo(vchannel);
    return canTrim() && serviceTime.isAtLeast(storedTo) ? HybridTs.max(before, storedTo) : before;
  }

  /// Replaced segments that the view may name: those whose rows are in it, or nowhere.
  private SortedSet<SegmentId> replaced(SortedMap<SegmentId, NodeId> next) {
    SortedSet<SegmentId> replaced = new TreeSet<>();
    for (SegmentId id : replaced()) {
      SegmentId successor = stored().successor(id);
      boolean elsewhere =
          successor.equals(SegmentRecord.NO_ROWS)
              || successor.equals(SegmentRecord.NOTHING)
              || next.containsKey(successor);
      if (elsewhere && !next.containsKey(id)) {
        replaced.add(id);
      }
    }
    return replaced;
  }

  /// Partitions that are served, or that have all their segments loaded now.
  private SortedSet<PartitionId> wholePartitions(
      List<SegmentRecord> wanted, SortedSet<PartitionId> asked) {
    SortedSet<PartitionId> whole = new TreeSet<>(asked);
    for (SegmentRecord record : wanted) {
      PartitionId partition = record.meta().place().partitionId();
      if (!serves(partition) && !isReady(record)) {
        whole.remove(partition);
      }
    }
    return whole;
  }

  private boolean isReady(SegmentRecord record) {
    Loaded loaded = loader.state.of(record.id());
    return loaded != null
        && (loaded.node().equals(view.segments().get(record.id())) || loader.isFresh(record));
  }

  private boolean staysInView(
      SegmentId id, SortedMap<SegmentId, NodeId> next, SortedSet<PartitionId> asked) {
    SegmentRecord record = stored().record(id);
    if (record == null
        || record.isDropped()
        || !asked.contains(record.meta().place().partitionId())) {
      return false;
    }
    SegmentId successor = stored().successor(id);
    return !successor.equals(SegmentRecord.NO_ROWS)
        && !successor.equals(SegmentRecord.NOTHING)
        && !next.containsKey(successor);
  }

  /// Whether delta logs were stored since the view was made: a later delta tick lets the delegator
  /// forget their deletes.
  private boolean canTrim() {
    return stored().storedTo(vchannel).isAfter(view.deltaTick())
        && stored().deltasOf(vchannel).stream()
            .anyMatch(delta -> delta.maxTs().isAfter(view.deltaTick()));
  }

  /// Up to when deleted rows are missing from the view's segments.
  private HybridTs readableFrom(ShardView next) {
    HybridTs from = HybridTs.ZERO;
    for (SegmentId id : next.segments().keySet()) {
      SegmentRecord record = stored().record(id);
      if (record != null) {
        from = HybridTs.max(from, record.meta().deletesAppliedTs());
      }
    }
    return from;
  }

  /// A compacted segment lacks rows that were deleted up to some time: a shard that reads at an
  /// earlier time must not get it, or a row would be missing whose newer version it doesn't see
  /// yet.
  private HybridTs neededServiceTime(ShardView next) {
    HybridTs needed = HybridTs.ZERO;
    for (SegmentId id : next.segments().keySet()) {
      SegmentRecord record = stored().record(id);
      if (record != null && !view.segments().containsKey(id)) {
        needed = HybridTs.max(needed, record.meta().deletesAppliedTs());
      }
    }
    for (SegmentId id : placed()) {
      if (stored().successor(id).equals(SegmentRecord.NO_ROWS)) {
        needed = HybridTs.max(needed, stored().storedTo(vchannel));
      }
    }
    return needed;
  }

  private void awaitServiceTime(NodeId node, HybridTs needed) {
    callDelegator(
        "status of " + vchannel,
        context -> world.delegators.node(node).status(context, new FindShardStatus(vchannel)),
        (ShardStatus status) -> {
          serviceTime = status.serviceTime();
          if (needed.isAfter(serviceTime)) {
            notBeforeNanos = world.work.nanoTime() + SERVICE_TIME_PAUSE.toNanos();
          }
        });
  }

  /// Asks the delegator whether it still serves the shard, at most once in a while.
  void probe() {
    NodeId node = leader;
    long now = world.work.nanoTime();
    if (!watched || calling || gone || node == null || now - probedNanos < PROBE_PAUSE.toNanos()) {
      return;
    }
    probedNanos = now;
    callDelegator(
        "status of " + vchannel,
        context -> world.delegators.node(node).status(context, new FindShardStatus(vchannel)),
        (ShardStatus status) -> serviceTime = status.serviceTime());
  }

  /// Looks whether nodes that came or went change something.
  boolean isDisturbed(List<NodeId> queryNodes) {
    if (gone || calling) {
      return false;
    }
    if (!watched) {
      return true;
    }
    NodeId now = world.owners.owner(vchannel.pchannel());
    return (now != null && !now.equals(leader))
        || !queryNodes.containsAll(view.segments().values());
  }

  private void releaseNeedless(List<SegmentRecord> wanted) {
    if (calling) {
      return;
    }
    SortedSet<SegmentId> keep = placed();
    wanted.forEach(record -> keep.add(record.id()));
    List<SegmentId> needless =
        loader.state.loaded.keySet().stream()
            .filter(id -> !keep.contains(id) && loader.state.of(id) != null)
            .filter(id -> !loader.state.loading.containsKey(id))
            .toList();
    if (!needless.isEmpty()) {
      loader.release(
          needless,
          () -> {
            changedUse();
            step();
          });
    }
  }

  private void stepRelease() {
    if (calling || !loader.state.loading.isEmpty() || !loader.state.releasing.isEmpty()) {
      return;
    }
    NodeId node = leader == null && unsure ? world.owners.owner(vchannel.pchannel()) : leader;
    boolean reachable = node != null && world.delegators.nodes().contains(node);
    if (reachable && node != null && (watched || unsure)) {
      long wait = notBeforeNanos - world.work.nanoTime();
      if (wait > 0) {
        wakeIn(Duration.ofNanos(wait));
        return;
      }
      callDelegator(
          "unwatch " + vchannel,
          context -> world.delegators.node(node).unwatch(context, new UnwatchShard(vchannel)),
          (Done _) -> forgetLeader());
      return;
    }
    forgetLeader();
    if (loader.state.loaded.isEmpty()) {
      close();
      owner.shardGone();
      return;
    }
    loader.release(List.copyOf(loader.state.loaded.keySet()), this::step);
  }

  private void forgetLeader() {
    watched = false;
    unsure = false;
    leader = null;
    view = ShardView.EMPTY;
    sent = null;
  }

  /// Segments of the target, and how many of them are loaded; the channel counts as one.
  record Progress(long done, long target) {}

  Progress progress(Set<PartitionId> partitions) {
    long done = 0;
    long target = 1;
    boolean served = watched;
    for (PartitionId partition : partitions) {
      served &= serves(partition);
    }
    for (SegmentRecord record : stored().of(vchannel)) {
      PartitionId partition = record.meta().place().partitionId();
      if (record.isLive() && partitions.contains(partition) && !serves(partition)) {
        target++;
        done += loader.state.of(record.id()) == null ? 0 : 1;
      }
    }
    return new Progress(done + (served ? 1 : 0), target);
  }
}
