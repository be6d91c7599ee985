package io.elanus.role.coord.segments;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.SegmentId;
import java.util.ArrayList;
import java.util.List;

/// A compaction that a client asked for, as it is kept in the metadata store until all is done.
///
/// Immutable.
record CompactionJob(long id, CollectionId collectionId, List<Step> steps) {
  enum State {
    EXECUTING,
    DONE,
    FAILED
  }

  /// `target` is [SegmentRecord#NOTHING] until the step is done.
  record Step(List<SegmentId> inputs, SegmentId target, State state) {
    Step {
      inputs = List.copyOf(inputs);
    }
  }

  CompactionJob {
    steps = List.copyOf(steps);
  }

  static CompactionJob of(long id, CollectionId collection, List<CompactionPlan> plans) {
    return new CompactionJob(
        id,
        collection,
        plans.stream()
            .map(p -> new Step(p.inputs(), SegmentRecord.NOTHING, State.EXECUTING))
            .toList());
  }

  CompactionJob with(int step, SegmentId target, State state) {
    List<Step> changed = new ArrayList<>(steps);
    changed.set(step, new Step(steps.get(step).inputs(), target, state));
    return new CompactionJob(id, collectionId, changed);
  }

  int count(State state) {
    return (int) steps.stream().filter(s -> s.state() == state).count();
  }
}
