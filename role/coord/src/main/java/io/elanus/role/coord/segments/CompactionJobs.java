package io.elanus.role.coord.segments;

import io.elanus.base.error.DbException;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.SegmentId;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.RangeResult;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.service.DataCoordService.CompactionStarted;
import io.elanus.wire.service.DataCoordService.CompactionStatus;
import io.elanus.wire.service.DataCoordService.MergedSegments;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// Compactions that clients asked for and ask after. A job is stored before it is answered; its
/// steps change in the transactions of their swaps, and those that a restart finds unfinished run
/// again.
///
/// Owned by: the coordinator's data loop.
final class CompactionJobs {
  private static final int MAX_FINISHED = 1000;
  private static final CompactionStarted NOTHING_TO_DO = new CompactionStarted(-1, 0);

  private final FencedStore store;
  private final LoopWork work;
  private final SegmentCatalog segments;
  private final CompactionScheduler scheduler;
  private final IdSource ids;
  private final TreeMap<Long, CompactionJob> jobs = new TreeMap<>();

  CompactionJobs(
      FencedStore store,
      LoopWork work,
      SegmentCatalog segments,
      CompactionScheduler scheduler,
      IdSource ids) {
    this.store = store;
    this.work = work;
    this.segments = segments;
    this.scheduler = scheduler;
    this.ids = ids;
  }

  /// Reads the jobs; [#resume] goes on with them.
  CompletableFuture<Void> open() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    work.then(
        store.prefix(SegmentChange.JOBS),
        outcome -> {
          switch (outcome) {
            case Outcome.Failed<RangeResult>(var error) -> done.completeExceptionally(error);
            case Outcome.Done<RangeResult>(var range) -> {
              for (KeyValue entry : range.entries()) {
                CompactionJob job = WireJson.read(entry.value(), CompactionJob.class);
                jobs.put(job.id(), job);
              }
              done.complete(null);
            }
          }
        });
    return done;
  }

  /// Runs unfinished steps again. A step whose inputs are not all live was overtaken: their rows
  /// are compacted or dropped.
  void resume() {
    for (CompactionJob job : List.copyOf(jobs.values())) {
      CollectionSegments state = segments.of(job.collectionId());
      for (int i = 0; i < job.steps().size(); i++) {
        CompactionJob.Step step = job.steps().get(i);
        if (step.state() != CompactionJob.State.EXECUTING) {
          continue;
        }
        SegmentRecord first = state.record(step.inputs().getFirst());
        boolean live =
            first != null
                && step.inputs().stream()
                    .map(state::record)
                    .allMatch(record -> record != null && record.isLive());
        if (live && first != null) {
          CompactionPlan plan =
              new CompactionPlan(
                  first.meta().place(),
                  step.inputs(),
                  state.storedTo(first.meta().place().vchannel()));
          scheduler.submit(plan, new Step(job.id(), i));
        } else {
          CompactionJob now = jobs.getOrDefault(job.id(), job);
          save(now.with(i, SegmentRecord.NOTHING, CompactionJob.State.FAILED));
        }
      }
    }
  }

  CompletableFuture<CompactionStarted> start(CollectionId collection) {
    CompletableFuture<CompactionStarted> reply = new CompletableFuture<>();
    if (scheduler.manualPlans(collection).isEmpty()) {
      reply.complete(NOTHING_TO_DO);
      return reply;
    }
    ids.next(id -> store(id, collection, reply), reply::completeExceptionally);
    return reply;
  }

  private void store(long id, CollectionId collection, CompletableFuture<CompactionStarted> reply) {
    List<CompactionPlan> plans = scheduler.manualPlans(collection);
    if (plans.isEmpty()) {
      reply.complete(NOTHING_TO_DO);
      return;
    }
    CompactionJob job = CompactionJob.of(id, collection, plans);
    // Taken before the job is stored, so that a second request doesn't plan the same segments.
    jobs.put(id, job);
    work.then(
        segments.change(collection, (_, change) -> change.put(job, () -> {}) != null),
        outcome -> {
          if (outcome instanceof Outcome.Failed<Boolean>(var error)) {
            jobs.remove(id);
            reply.completeExceptionally(error);
            return;
          }
          for (int i = 0; i < plans.size(); i++) {
            scheduler.submit(plans.get(i), new Step(id, i));
          }
          prune();
          reply.complete(new CompactionStarted(id, plans.size()));
        });
  }

  private void prune() {
    for (CompactionJob job : List.copyOf(jobs.values())) {
      if (jobs.size() <= MAX_FINISHED) {
        return;
      }
      if (job.count(CompactionJob.State.EXECUTING) == 0) {
        jobs.remove(job.id());
        store.delete(SegmentChange.JOBS + SegmentChange.number(job.id()));
      }
    }
  }

  private void save(CompactionJob job) {
    jobs.put(job.id(), job);
    // A lost write only makes a restart look at the step again.
    store.put(SegmentChange.JOBS + SegmentChange.number(job.id()), WireJson.write(job));
  }

  /// An id that is not known (any more) has nothing left to execute: completed, as Milvus answers.
  CompactionStatus status(long id) {
    CompactionJob job = jobs.get(id);
    if (job == null) {
      return new CompactionStatus(true, 0, 0, 0, List.of());
    }
    int executing = job.count(CompactionJob.State.EXECUTING);
    List<MergedSegments> merges =
        job.steps().stream()
            .filter(step -> step.state() == CompactionJob.State.DONE)
            .map(step -> new MergedSegments(step.inputs(), step.target()))
            .toList();
    return new CompactionStatus(
        executing == 0, executing, job.count(CompactionJob.State.FAILED), merges.size(), merges);
  }

  /// A step's part in the swap.
  private final class Step implements CompactionScheduler.Ending {
    private final long id;
    private final int step;

    Step(long id, int step) {
      this.id = id;
      this.step = step;
    }

    @Override
    public void prepare(SegmentChange change, SegmentId output) {
      CompactionJob job = jobs.get(id);
      if (job != null) {
        CompactionJob changed = job.with(step, output, CompactionJob.State.DONE);
        change.put(changed, () -> jobs.put(id, changed));
      }
    }

    @Override
    public void failed(DbException error) {
      CompactionJob job = jobs.get(id);
      if (job != null) {
        save(job.with(step, SegmentRecord.NOTHING, CompactionJob.State.FAILED));
      }
    }
  }
}
