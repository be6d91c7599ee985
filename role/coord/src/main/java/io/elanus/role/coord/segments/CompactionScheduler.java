package io.elanus.role.coord.segments;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.Invariant;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.Timers;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DataNodeService.Compact;
import io.elanus.wire.service.DataNodeService.Compacted;
import io.elanus.wire.service.NodeLinks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs compactions: a DataNode writes the new segment, then one transaction makes it live and
/// marks its inputs as replaced. Before that transaction the new segment is files that nothing
/// names; afterwards the inputs are kept until no view reads them. So a crash leaves either the
/// inputs or the output live.
///
/// Owned by: the coordinator's data loop.
final class CompactionScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionScheduler.class);
  private static final Duration TIMEOUT = Duration.ofHours(1);
  private static final Duration NO_NODE_PAUSE = Duration.ofSeconds(1);
  private static final int TASKS_PER_NODE = 1;
  private static final int MAX_QUEUED = 10_000;

  /// Hears of what compactions did.
  interface Observer {
    /// `output` is live, the plan's inputs are replaced; durable.
    void swapped(CompactionPlan plan, SegmentId output);

    /// The files under `path` are not needed.
    void discard(String path);
  }

  /// A plan on its way.
  private static final class Task {
    final CompactionPlan plan;
    final Ending ending;
    @Nullable NodeId node;

    Task(CompactionPlan plan, Ending ending) {
      this.plan = plan;
      this.ending = ending;
    }
  }

  /// How a plan of a manual compaction takes part in the swap.
  interface Ending {
    Ending NONE =
        new Ending() {
          @Override
          public void prepare(SegmentChange change, SegmentId output) {}

          @Override
          public void failed(DbException error) {}
        };

    /// Adds to the transaction of the swap.
    void prepare(SegmentChange change, SegmentId output);

    void failed(DbException error);
  }

  private record Cooling(int failures, long notBeforeNanos) {}

  private final LoopWork work;
  private final CatalogView catalog;
  private final SegmentCatalog segments;
  private final NodeLinks<DataNodeService> nodes;
  private final IdSource ids;
  private final SegmentsConfig.Compaction config;
  private final Observer observer;
  private final Backoff backoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(10));
  private final Queue<Task> queue = new ArrayDeque<>();
  private final List<Task> running = new ArrayList<>();
  private final TreeMap<SegmentId, Cooling> cooling = new TreeMap<>();
  private final TreeSet<CollectionId> toReview = new TreeSet<>();
  private Timers.@Nullable Cancellable reviewTimer;
  private Timers.@Nullable Cancellable nodeTimer;
  private boolean closed;

  CompactionScheduler(
      IndexScheduler.Parts parts, SegmentsConfig.Compaction config, Observer observer) {
    this.work = parts.work();
    this.catalog = parts.catalog();
    this.segments = parts.segments();
    this.nodes = parts.nodes();
    this.ids = parts.ids();
    this.config = config;
    this.observer = observer;
  }

  void close() {
    closed = true;
    queue.clear();
    if (reviewTimer != null) {
      reviewTimer.cancel();
    }
    if (nodeTimer != null) {
      nodeTimer.cancel();
    }
  }

  /// Something was stored: looks for work a little later.
  void touch(CollectionId collection) {
    if (!config.auto() || closed) {
      return;
    }
    toReview.add(collection);
    scheduleReview(config.checkDelay());
  }

  private void scheduleReview(Duration pause) {
    if (reviewTimer == null && !closed) {
      reviewTimer = work.after(pause, this::review);
    }
  }

  private void review() {
    reviewTimer = null;
    List<CollectionId> due = List.copyOf(toReview);
    toReview.clear();
    for (CollectionId id : due) {
      CollectionMeta collection = catalog.collection(id);
      if (collection == null
          || "false"
              .equals(collection.options().properties().get("collection.autocompaction.enabled"))) {
        continue;
      }
      CompactionPlanner planner =
          new CompactionPlanner(config, segments.of(id), CompactionPlanner.Mode.AUTO);
      for (CompactionPlan plan : planner.plan(busy())) {
        if (queue.size() < MAX_QUEUED) {
          queue.add(new Task(plan, Ending.NONE));
        }
      }
      if (isCooling(id)) {
        toReview.add(id);
      }
    }
    if (!toReview.isEmpty()) {
      scheduleReview(config.checkDelay().multipliedBy(2));
    }
    pump();
  }

  private boolean isCooling(CollectionId id) {
    return cooling.keySet().stream().anyMatch(s -> segments.of(id).record(s) != null);
  }

  /// Segments that a plan has taken, or whose last compaction failed a short while ago.
  private Set<SegmentId> busy() {
    Set<SegmentId> busy = taken();
    long now = work.nanoTime();
    cooling.forEach((segment, rest) -> {
      if (rest.notBeforeNanos() - now > 0) {
        busy.add(segment);
      }
    });
    return busy;
  }

  private Set<SegmentId> taken() {
    Set<SegmentId> taken = new TreeSet<>();
    queue.forEach(task -> taken.addAll(task.plan.inputs()));
    running.forEach(task -> taken.addAll(task.plan.inputs()));
    return taken;
  }

  /// What a client's compaction would do now.
  List<CompactionPlan> manualPlans(CollectionId id) {
    return new CompactionPlanner(config, segments.of(id), CompactionPlanner.Mode.MANUAL)
        .plan(taken());
  }

  void submit(CompactionPlan plan, Ending ending) {
    queue.add(new Task(plan, ending));
    pump();
  }

  private void pump() {
    if (closed || queue.isEmpty()) {
      return;
    }
    List<NodeId> up = nodes.nodes();
    if (up.isEmpty()) {
      if (nodeTimer == null) {
        nodeTimer =
            work.after(
                NO_NODE_PAUSE,
                () -> {
                  nodeTimer = null;
                  pump();
                });
      }
      return;
    }
    for (NodeId node : up) {
      long busy = running.stream().filter(t -> node.equals(t.node)).count();
      while (busy < TASKS_PER_NODE && !queue.isEmpty()) {
        start(queue.remove(), node);
        busy++;
      }
    }
  }

  private void start(Task task, NodeId node) {
    task.node = node;
    running.add(task);
    ids.next(id -> send(task, node, new SegmentId(id)), error -> failed(task, error));
  }

  private void send(Task task, NodeId node, SegmentId output) {
    CompactionPlan plan = task.plan;
    CollectionMeta collection = catalog.collection(plan.collection());
    CollectionSegments state = segments.of(plan.collection());
    List<SegmentMeta> inputs = new ArrayList<>();
    TreeMap<Long, DeltaLogMeta> deltas = new TreeMap<>();
    for (SegmentId id : plan.inputs()) {
      SegmentRecord record = state.record(id);
      if (record != null && record.isLive()) {
        inputs.add(record.meta());
        state.deltasFor(record.meta()).forEach(d -> deltas.put(d.id(), d));
      }
    }
    if (collection == null || inputs.size() != plan.inputs().size()) {
      failed(task, DbException.of(ErrorCode.SEGMENT_NOT_FOUND));
      return;
    }
    String path = ObjectPaths.segment(plan.collection(), plan.place().partitionId(), output);
    Compact request =
        new Compact(
            collection,
            inputs,
            List.copyOf(deltas.values()),
            new Compact.Output(output, path, plan.readTs()));
    work.call(
        "compact into segment " + output,
        TIMEOUT,
        context -> nodes.node(node).compact(context, request),
        (Outcome<Compacted> outcome) -> {
          switch (outcome) {
            case Outcome.Done<Compacted>(var compacted) ->
                swap(task, request.output(), compacted.segment());
            case Outcome.Failed<Compacted>(var error) -> {
              observer.discard(path);
              failed(task, error);
            }
          }
        });
  }

  private void swap(Task task, Compact.Output output, SegmentMeta written) {
    CompactionPlan plan = task.plan;
    boolean hasRows = written.stats().rows() > 0;
    SegmentId target = hasRows ? output.id() : SegmentRecord.NO_ROWS;
    Invariant.check(
        written.id().equals(output.id()) && written.place().equals(plan.place()),
        "compaction wrote segment %s at %s instead of %s at %s",
        written.id(),
        written.place(),
        output.id(),
        plan.place());
    work.then(
        segments.change(
            plan.collection(),
            (state, change) -> {
              for (SegmentId id : plan.inputs()) {
                SegmentRecord record = state.record(id);
                if (record == null || !record.isLive()) {
                  return false; // Dropped with its partition or collection meanwhile.
                }
                change.put(record.replaced(target));
              }
              if (hasRows) {
                change.put(
                    SegmentRecord.live(
                        new SegmentMeta(
                            output.id(),
                            plan.place(),
                            SegmentState.FLUSHED,
                            output.path(),
                            written.stats(),
                            output.readTs(),
                            List.of())));
              }
              task.ending.prepare(change, target);
              return true;
            }),
        outcome -> {
          switch (outcome) {
            case Outcome.Failed<Boolean>(var error) -> failed(task, error);
            case Outcome.Done<Boolean>(var swapped) -> swapped(task, output, target, swapped);
          }
        });
  }

  private void swapped(Task task, Compact.Output output, SegmentId target, boolean swapped) {
    if (!swapped || target.equals(SegmentRecord.NO_ROWS)) {
      observer.discard(output.path());
    }
    if (!swapped) {
      failed(task, DbException.of(ErrorCode.SEGMENT_NOT_FOUND));
      return;
    }
    LOG.atInfo()
        .addKeyValue("collection", task.plan.collection())
        .addKeyValue("inputs", task.plan.inputs())
        .addKeyValue("output", target)
        .log("segments compacted");
    task.plan.inputs().forEach(cooling::remove);
    running.remove(task);
    observer.swapped(task.plan, target);
    touch(task.plan.collection());
    pump();
  }

  private void failed(Task task, DbException error) {
    LOG.atWarn()
        .addKeyValue("collection", task.plan.collection())
        .addKeyValue("inputs", task.plan.inputs())
        .addKeyValue("reason", error.getMessage())
        .log("compaction failed");
    CollectionSegments state = segments.of(task.plan.collection());
    for (SegmentId input : task.plan.inputs()) {
      SegmentRecord record = state.record(input);
      if (record == null || !record.isLive()) {
        cooling.remove(input);
        continue;
      }
      Cooling before = cooling.get(input);
      int failures = before == null ? 1 : before.failures() + 1;
      cooling.put(
          input, new Cooling(failures, work.nanoTime() + backoff.after(failures).toNanos()));
    }
    running.remove(task);
    task.ending.failed(error);
    touch(task.plan.collection());
    pump();
  }
}
