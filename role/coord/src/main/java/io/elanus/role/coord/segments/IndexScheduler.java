package io.elanus.role.coord.segments;

import io.elanus.base.error.Blame;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.Timers;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DataNodeService.BuildIndex;
import io.elanus.wire.service.DataNodeService.IndexBuilt;
import io.elanus.wire.service.NodeLinks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has every index that needs a file built for every live segment. What is to be done follows from
/// the catalog and the stored segments alone, so a restart resumes; a failed build runs again after
/// a growing pause, unless the index itself is refused.
///
/// Owned by: the coordinator's data loop.
final class IndexScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(IndexScheduler.class);
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);
  private static final Duration NO_NODE_PAUSE = Duration.ofSeconds(1);

  /// Failures from which on a build is shown as failed, though it is tried again.
  private static final int SHOWN_AS_FAILED = 3;

  record Task(CollectionId collection, SegmentId segment, IndexId index)
      implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      int order = segment.compareTo(other.segment);
      return order != 0 ? order : index.compareTo(other.index);
    }
  }

  private record Failure(int count, String reason, boolean isFinal, long notBeforeNanos) {}

  private final LoopWork work;
  private final CatalogView catalog;
  private final SegmentCatalog segments;
  private final NodeLinks<DataNodeService> nodes;
  private final IdSource ids;
  private final SegmentsConfig.Indexing config;
  private final BiConsumer<CollectionId, SegmentRecord> indexed;
  private final Backoff backoff;
  private final TreeSet<Task> pending = new TreeSet<>();
  private final TreeMap<Task, NodeId> running = new TreeMap<>();
  private final TreeMap<Task, Failure> failures = new TreeMap<>();
  private Timers.@Nullable Cancellable retry;
  private boolean closed;

  /// What a scheduler is built from.
  record Parts(
      LoopWork work,
      CatalogView catalog,
      SegmentCatalog segments,
      NodeLinks<DataNodeService> nodes,
      IdSource ids) {}

  /// `indexed` is told of every segment that got an index, when that is durable.
  IndexScheduler(
      Parts parts,
      SegmentsConfig.Indexing config,
      BiConsumer<CollectionId, SegmentRecord> indexed) {
    this.work = parts.work();
    this.catalog = parts.catalog();
    this.segments = parts.segments();
    this.nodes = parts.nodes();
    this.ids = parts.ids();
    this.config = config;
    this.indexed = indexed;
    this.backoff = new Backoff(config.retryPause(), MAX_PAUSE);
  }

  void close() {
    closed = true;
    pending.clear();
    if (retry != null) {
      retry.cancel();
    }
  }

  /// Looks for missing indexes of a collection.
  void review(CollectionId id) {
    CollectionMeta collection = catalog.collection(id);
    if (collection == null || closed) {
      return;
    }
    failures.keySet().removeIf(t -> t.collection().equals(id) && missing(t) == null);
    List<IndexMeta> indexes = catalog.indexes(id);
    for (SegmentRecord record : segments.of(id).live()) {
      for (IndexMeta index : indexes) {
        Task task = new Task(id, record.id(), index.id());
        if (!running.containsKey(task)
            && IndexRules.isMissing(record.meta(), index, collection, config.minRows())) {
          pending.add(task);
        }
      }
    }
    pump();
  }

  /// Forgets failures, so that what was refused is tried with the index as it is now.
  void forgetFailures(IndexId index) {
    failures.keySet().removeIf(task -> task.index().equals(index));
  }

  /// How the index of one segment stands; asked only when its file is missing.
  @Nullable String failureOf(CollectionId collection, SegmentId segment, IndexId index) {
    Failure failure = failures.get(new Task(collection, segment, index));
    return failure != null && (failure.isFinal() || failure.count() >= SHOWN_AS_FAILED)
        ? failure.reason()
        : null;
  }

  boolean isIdle() {
    return running.isEmpty();
  }

  private void pump() {
    if (closed || pending.isEmpty()) {
      return;
    }
    List<NodeId> up = nodes.nodes();
    if (up.isEmpty()) {
      wakeIn(NO_NODE_PAUSE);
      return;
    }
    long now = work.nanoTime();
    long wakeAfter = Long.MAX_VALUE;
    for (Task task : new ArrayList<>(pending)) {
      Failure failure = failures.get(task);
      if (failure != null && failure.isFinal()) {
        pending.remove(task);
        continue;
      }
      if (failure != null && failure.notBeforeNanos() - now > 0) {
        wakeAfter = Math.min(wakeAfter, failure.notBeforeNanos() - now);
        continue;
      }
      NodeId node = leastBusy(up);
      if (node == null) {
        return; // Every end of a task comes back here.
      }
      pending.remove(task);
      start(task, node);
    }
    if (wakeAfter != Long.MAX_VALUE) {
      wakeIn(Duration.ofNanos(wakeAfter));
    }
  }

  private void wakeIn(Duration pause) {
    if (retry != null) {
      retry.cancel();
    }
    retry = work.after(pause, this::pump);
  }

  private @Nullable NodeId leastBusy(List<NodeId> up) {
    NodeId best = null;
    long least = config.tasksPerNode();
    for (NodeId node : up) {
      long busy = running.values().stream().filter(node::equals).count();
      if (busy < least) {
        least = busy;
        best = node;
      }
    }
    return best;
  }

  private void start(Task task, NodeId node) {
    if (missing(task) == null) {
      return;
    }
    running.put(task, node);
    ids.next(build -> send(task, node, build), error -> failed(task, error));
  }

  /// The build to do, or null when it has become needless.
  private @Nullable BuildIndex missing(Task task) {
    CollectionMeta collection = catalog.collection(task.collection());
    SegmentRecord record = segments.of(task.collection()).record(task.segment());
    if (collection == null || record == null || !record.isLive()) {
      return null;
    }
    for (IndexMeta index : catalog.indexes(task.collection())) {
      if (index.id().equals(task.index())
          && IndexRules.isMissing(record.meta(), index, collection, config.minRows())) {
        return new BuildIndex(record.meta(), collection, index, "");
      }
    }
    return null;
  }

  private void send(Task task, NodeId node, long build) {
    BuildIndex wanted = missing(task);
    if (wanted == null) {
      ended(task);
      return;
    }
    String path = ObjectPaths.index(task.collection(), task.segment(), task.index(), build);
    BuildIndex request =
        new BuildIndex(wanted.segment(), wanted.collection(), wanted.index(), path);
    work.call(
        "build index " + task.index() + " of segment " + task.segment(),
        config.timeout(),
        context -> nodes.node(node).buildIndex(context, request),
        (Outcome<IndexBuilt> outcome) -> {
          switch (outcome) {
            case Outcome.Done<IndexBuilt>(var built) -> built(task, built.index());
            case Outcome.Failed<IndexBuilt>(var error) -> failed(task, error);
          }
        });
  }

  private void built(Task task, SegmentIndexMeta index) {
    work.then(
        segments.change(
            task.collection(),
            (state, change) -> {
              SegmentRecord record = state.record(task.segment());
              // Whatever made the file needless, the garbage collector finds it.
              if (record == null || record.isDropped() || missing(task) == null) {
                return Optional.<SegmentRecord>empty();
              }
              List<SegmentIndexMeta> all = new ArrayList<>(record.meta().indexes());
              all.add(index);
              SegmentRecord updated = record.withMeta(record.meta().withIndexes(all));
              change.put(updated);
              return Optional.of(updated);
            }),
        outcome -> {
          switch (outcome) {
            case Outcome.Failed<Optional<SegmentRecord>>(var error) -> failed(task, error);
            case Outcome.Done<Optional<SegmentRecord>>(var record) -> {
              failures.remove(task);
              ended(task);
              if (record.isPresent()) {
                LOG.atInfo()
                    .addKeyValue("segment", task.segment())
                    .addKeyValue("index", task.index())
                    .addKeyValue("rows", index.rows())
                    .log("index built");
                indexed.accept(task.collection(), record.get());
              }
            }
          }
        });
  }

  private void failed(Task task, DbException error) {
    Failure before = failures.get(task);
    int count = before == null ? 1 : before.count() + 1;
    boolean isFinal =
        error.blame() == Blame.INPUT
            || error.code() == ErrorCode.INDEX_NOT_SUPPORTED
            || error.code() == ErrorCode.UNIMPLEMENTED;
    long notBefore = work.nanoTime() + backoff.after(count).toNanos();
    failures.put(task, new Failure(count, String.valueOf(error.getMessage()), isFinal, notBefore));
    LOG.atWarn()
        .addKeyValue("segment", task.segment())
        .addKeyValue("index", task.index())
        .addKeyValue("failures", count)
        .addKeyValue("reason", error.getMessage())
        .log(isFinal ? "index refused" : "index build failed, will run again");
    boolean wanted = missing(task) != null;
    if (wanted) {
      pending.add(task);
    } else {
      failures.remove(task);
    }
    ended(task);
    SegmentRecord record = segments.of(task.collection()).record(task.segment());
    if (wanted && record != null) {
      // Whoever waits for the index before loading the segment has to know that it won't come soon.
      indexed.accept(task.collection(), record);
    }
  }

  private void ended(Task task) {
    running.remove(task);
    pump();
  }
}
