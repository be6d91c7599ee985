package io.elanus.role.coord.load;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.role.coord.load.LoadedSegments.Loaded;
import io.elanus.role.coord.load.LoadedSegments.Trouble;
import io.elanus.role.coord.load.LoadedSegments.With;
import io.elanus.role.coord.segments.Outcome;
import io.elanus.role.coord.segments.SegmentRecord;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.QueryNodeService.LoadSegment;
import io.elanus.wire.service.QueryNodeService.ReleaseSegments;
import io.elanus.wire.service.QueryNodeService.SegmentLoaded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loads and releases the sealed segments of one shard.
///
/// An index file that can't be read doesn't hold up its segment: the node names it, the segment is
/// loaded with its other indexes and that one is built again. Anything else that can't be read is
/// reported, and tried again after a pause.
///
/// Owned by: the coordinator's data loop.
final class SegmentLoader {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentLoader.class);

  private final LoadWorld world;
  private final CollectionId collection;
  private final ShardLoad shard;
  final LoadedSegments state = new LoadedSegments();

  SegmentLoader(LoadWorld world, CollectionId collection, ShardLoad shard) {
    this.world = world;
    this.collection = collection;
    this.shard = shard;
  }

  /// Loads what is not loaded, or loaded without an index or delta log that it should have. Those
  /// in `settled` are in the view: deletes reach them through the delegator.
  void bringUp(Collection<SegmentRecord> wanted, Set<SegmentId> settled) {
    List<NodeId> up = world.queryNodes.nodes();
    state.forgetLost(new TreeSet<>(up));
    CollectionMeta meta = world.catalog.collection(collection);
    if (meta == null) {
      return;
    }
    long now = world.work.nanoTime();
    for (SegmentRecord record : wanted) {
      SegmentId id = record.id();
      if (state.loading.containsKey(id) || state.releasing.contains(id)) {
        continue;
      }
      Loaded current = state.of(id);
      SegmentMeta target = usable(world.segments.withFinishedIndexes(record));
      boolean complete =
          current != null
              && current.with().indexPaths().containsAll(pathsOf(target))
              && current.with().isOf(meta)
              && (settled.contains(id) || isFresh(record));
      if (complete) {
        continue;
      }
      Trouble trouble = state.troubles.get(id);
      if (trouble != null && trouble.notBeforeNanos() - now > 0) {
        shard.wakeIn(Duration.ofNanos(trouble.notBeforeNanos() - now));
        continue;
      }
      NodeId node = current == null ? Placement.of(id, up) : current.node();
      if (node != null && world.slots.take(node, shard)) {
        load(record, target, node, meta);
      }
    }
  }

  /// Whether every delta log that concerns the segment is loaded with it.
  boolean isFresh(SegmentRecord record) {
    Loaded loaded = state.of(record.id());
    if (loaded == null) {
      return false;
    }
    for (DeltaLogMeta delta : world.segments.stored().of(collection).deltasFor(record.meta())) {
      if (!loaded.with().deltas().contains(delta.id())) {
        return false;
      }
    }
    return true;
  }

  private SegmentMeta usable(SegmentMeta target) {
    Trouble trouble = state.troubles.get(target.id());
    if (trouble == null || trouble.skipped().isEmpty()) {
      return target;
    }
    return target.withIndexes(
        target.indexes().stream()
            .filter(index -> index.path().isEmpty() || !trouble.skipped().contains(index.path()))
            .toList());
  }

  private static Set<String> pathsOf(SegmentMeta segment) {
    Set<String> paths = new TreeSet<>();
    for (SegmentIndexMeta index : segment.indexes()) {
      if (!index.path().isEmpty()) {
        paths.add(index.path());
      }
    }
    return paths;
  }

  private void load(SegmentRecord record, SegmentMeta target, NodeId node, CollectionMeta meta) {
    SegmentId id = record.id();
    List<DeltaLogMeta> deltas = world.segments.stored().of(collection).deltasFor(record.meta());
    LoadSegment request = new LoadSegment(target, meta, world.catalog.indexes(collection), deltas);
    state.loading.put(id, node);
    world.work.call(
        "load segment " + id,
        world.config.segmentTimeout(),
        context -> world.queryNodes.node(node).load(context, request),
        (Outcome<SegmentLoaded> outcome) -> {
          state.loading.remove(id);
          switch (outcome) {
            case Outcome.Done<SegmentLoaded>(var answer) -> loaded(record, request, node, answer);
            case Outcome.Failed<SegmentLoaded>(var error) -> failed(record, request, error);
          }
          shard.step();
          world.slots.giveBack(node);
        });
  }

  private void loaded(
      SegmentRecord record, LoadSegment request, NodeId node, SegmentLoaded answer) {
    Set<Long> deltas = new TreeSet<>();
    request.deltas().forEach(delta -> deltas.add(delta.id()));
    Loaded before = state.loaded.get(record.id());
    if (before != null) {
      deltas.addAll(before.with().deltas());
    }
    state.loaded.put(
        record.id(),
        new Loaded(
            node,
            new With(
                pathsOf(request.segment()),
                deltas,
                request.collection().schema().version(),
                request.collection().options()),
            answer.rows(),
            answer.memoryBytes()));
    Trouble trouble = state.troubles.remove(record.id());
    if (trouble != null && !trouble.skipped().isEmpty()) {
      // Until the catalog has taken the files off the segment, they must not be tried again.
      state.troubles.put(
          record.id(), new Trouble(0, trouble.reason(), world.work.nanoTime(), trouble.skipped()));
    }
  }

  private void damaged(SegmentId segment, String path, String reason) {
    LOG.atWarn()
        .addKeyValue("segment", segment)
        .addKeyValue("path", path)
        .addKeyValue("reason", reason)
        .log("index file can't be read, it is built again");
    world.segments.indexDamaged(collection, segment, path);
  }

  private void failed(SegmentRecord record, LoadSegment request, DbException error) {
    SegmentId id = record.id();
    Trouble before = state.troubles.get(id);
    String reason = String.valueOf(error.getMessage());
    Set<String> skipped = new TreeSet<>(before == null ? Set.of() : before.skipped());
    String culprit = isDamage(error) ? culprit(pathsOf(request.segment()), reason) : null;
    if (culprit != null) {
      skipped.add(culprit);
      damaged(id, culprit, reason);
      int failures = before == null ? 0 : before.failures();
      state.troubles.put(id, new Trouble(failures, reason, world.work.nanoTime(), skipped));
      return;
    }
    int failures = before == null ? 1 : before.failures() + 1;
    Duration pause = world.backoff.after(failures);
    state.troubles.put(
        id, new Trouble(failures, reason, world.work.nanoTime() + pause.toNanos(), skipped));
    if (Integer.bitCount(failures) == 1) {
      // Each doubling once: a segment that never loads must not fill the log.
      LOG.atWarn()
          .addKeyValue("collection", collection)
          .addKeyValue("segment", id)
          .addKeyValue("failures", failures)
          .addKeyValue("reason", reason)
          .log("segment can't be loaded, will try again");
    }
  }

  private static boolean isDamage(DbException error) {
    return error.code() == ErrorCode.SEGMENT_LOAD_FAILED
        || error.code() == ErrorCode.DATA_INTEGRITY
        || error.code() == ErrorCode.IO_KEY_NOT_FOUND;
  }

  private static @Nullable String culprit(Set<String> paths, String reason) {
    for (String path : paths) {
      if (reason.contains(path)) {
        return path;
      }
    }
    return null;
  }

  /// Why the load does not get on; null when nothing is wrong.
  @Nullable String trouble() {
    for (Trouble trouble : state.troubles.values()) {
      if (trouble.failures() > 0) {
        return trouble.reason();
      }
    }
    return null;
  }

  /// Releases the segments; `done` runs when the nodes have answered, or are gone.
  void release(Collection<SegmentId> ids, Runnable done) {
    Map<NodeId, List<SegmentId>> byNode = new TreeMap<>();
    for (SegmentId id : ids) {
      Loaded loaded = state.of(id);
      if (loaded != null) {
        byNode.computeIfAbsent(loaded.node(), _ -> new ArrayList<>()).add(id);
      }
    }
    for (Map.Entry<NodeId, List<SegmentId>> entry : byNode.entrySet()) {
      state.releasing.addAll(entry.getValue());
    }
    byNode.forEach((node, segments) -> release(node, segments, 1, done));
  }

  private void release(NodeId node, List<SegmentId> segments, int attempt, Runnable done) {
    if (!world.queryNodes.nodes().contains(node)) {
      released(segments, done);
      return;
    }
    world.work.call(
        "release segments " + segments,
        world.config.segmentTimeout(),
        context -> world.queryNodes.node(node).release(context, new ReleaseSegments(segments)),
        (Outcome<Done> outcome) -> {
          switch (outcome) {
            case Outcome.Done<Done> _ -> released(segments, done);
            case Outcome.Failed<Done>(var error) -> {
              LOG.atWarn()
                  .addKeyValue("node", node)
                  .addKeyValue("segments", segments)
                  .addKeyValue("reason", error.getMessage())
                  .log("release failed, will try again");
              world.work.after(
                  world.backoff.after(attempt), () -> release(node, segments, attempt + 1, done));
            }
          }
        });
  }

  private void released(List<SegmentId> segments, Runnable done) {
    for (SegmentId segment : segments) {
      state.releasing.remove(segment);
      state.loaded.remove(segment);
      state.troubles.remove(segment);
    }
    done.run();
  }
}
