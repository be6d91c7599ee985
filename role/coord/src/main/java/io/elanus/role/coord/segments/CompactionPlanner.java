package io.elanus.role.coord.segments;

import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentMeta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Decides what to compact.
///
/// Two reasons: many small segments of one partition, shard and schema version are merged, sizes of
/// the same magnitude together, so that a row is rewritten only a few times on its way to a full
/// segment; a segment is rewritten alone when much of it is deleted.
///
/// How much is deleted is an estimate: a delta log's entries spread evenly over the rows it may
/// concern. Only delta logs that lie wholly below the shard's checkpoint count, because deletes are
/// applied up to there: what a rewrite can't apply must not ask for one. Many delta logs over a
/// segment ask for a rewrite too, but not when they delete next to nothing: loading them costs less
/// than building the index of a large segment again.
///
/// Confined to the caller.
final class CompactionPlanner {
  private static final double FULL = 0.8;
  private static final double NEXT_TO_NOTHING = 0.02;

  /// How the plan came to be wanted.
  enum Mode {
    AUTO,
    MANUAL
  }

  private record Group(VChannel vchannel, PartitionId partition, int schemaVersion)
      implements Comparable<Group> {
    private static final Comparator<Group> ORDER =
        Comparator.comparing(Group::vchannel)
            .thenComparing(Group::partition)
            .thenComparingInt(Group::schemaVersion);

    @Override
    public int compareTo(Group other) {
      return ORDER.compare(this, other);
    }
  }

  private final SegmentsConfig.Compaction config;
  private final CollectionSegments state;
  private final Mode mode;

  CompactionPlanner(SegmentsConfig.Compaction config, CollectionSegments state, Mode mode) {
    this.config = config;
    this.state = state;
    this.mode = mode;
  }

  /// Plans that don't share segments and leave out those in `busy`.
  List<CompactionPlan> plan(Set<SegmentId> busy) {
    Map<Group, List<SegmentMeta>> groups = new TreeMap<>();
    for (SegmentRecord record : state.live()) {
      SegmentMeta meta = record.meta();
      if (!busy.contains(record.id())) {
        Group group =
            new Group(
                meta.place().vchannel(), meta.place().partitionId(), meta.stats().schemaVersion());
        groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(meta);
      }
    }
    List<CompactionPlan> plans = new ArrayList<>();
    for (List<SegmentMeta> group : groups.values()) {
      planGroup(group, plans);
    }
    return plans;
  }

  private void planGroup(List<SegmentMeta> group, List<CompactionPlan> plans) {
    List<SegmentMeta> left = new ArrayList<>(group);
    Map<Integer, List<SegmentMeta>> tiers = new TreeMap<>();
    for (SegmentMeta segment : group) {
      if (isSmall(segment)) {
        tiers.computeIfAbsent(tier(segment), _ -> new ArrayList<>()).add(segment);
      }
    }
    for (List<SegmentMeta> tier : tiers.values()) {
      for (List<SegmentMeta> pack : packs(tier)) {
        plans.add(planOf(pack));
        left.removeAll(pack);
      }
    }
    for (SegmentMeta segment : left) {
      if (wantsRewrite(segment)) {
        plans.add(planOf(List.of(segment)));
      }
    }
  }

  private CompactionPlan planOf(List<SegmentMeta> inputs) {
    return new CompactionPlan(
        inputs.getFirst().place(),
        inputs.stream().map(SegmentMeta::id).toList(),
        state.storedTo(inputs.getFirst().place().vchannel()));
  }

  private boolean isSmall(SegmentMeta segment) {
    return segment.stats().rows() * 2L < config.targetRows()
        && segment.stats().sizeBytes() * 2 < config.targetBytes();
  }

  /// Magnitude of a segment's rows, in steps of four; a manual compaction doesn't tell them apart.
  private int tier(SegmentMeta segment) {
    if (mode == Mode.MANUAL) {
      return 0;
    }
    int thousands = Math.max(1, segment.stats().rows() >> 10);
    return (31 - Integer.numberOfLeadingZeros(thousands)) / 2;
  }

  private List<List<SegmentMeta>> packs(List<SegmentMeta> tier) {
    List<List<SegmentMeta>> packs = new ArrayList<>();
    List<SegmentMeta> pack = new ArrayList<>();
    long rows = 0;
    long bytes = 0;
    for (SegmentMeta segment : tier) {
      boolean fits =
          rows + segment.stats().rows() <= config.targetRows()
              && bytes + segment.stats().sizeBytes() <= config.targetBytes()
              && pack.size() < SegmentsConfig.Compaction.MAX_INPUTS;
      if (!fits) {
        keepIfWorth(pack, rows, bytes, packs);
        pack = new ArrayList<>();
        rows = 0;
        bytes = 0;
      }
      pack.add(segment);
      rows += segment.stats().rows();
      bytes += segment.stats().sizeBytes();
    }
    keepIfWorth(pack, rows, bytes, packs);
    return packs;
  }

  private void keepIfWorth(
      List<SegmentMeta> pack, long rows, long bytes, List<List<SegmentMeta>> packs) {
    int enough = mode == Mode.MANUAL ? 2 : config.minInputs();
    boolean isFull = rows >= FULL * config.targetRows() || bytes >= FULL * config.targetBytes();
    if (pack.size() >= enough || (isFull && pack.size() >= 2)) {
      packs.add(pack);
    }
  }

  private boolean wantsRewrite(SegmentMeta segment) {
    HybridTs storedTo = state.storedTo(segment.place().vchannel());
    List<DeltaLogMeta> applicable =
        state.deltasFor(segment).stream().filter(d -> storedTo.isAtLeast(d.maxTs())).toList();
    if (applicable.isEmpty()) {
      return false;
    }
    double share = 0;
    for (DeltaLogMeta delta : applicable) {
      share += delta.entries() / (double) Math.max(1, rowsConcerned(delta));
    }
    return mode == Mode.MANUAL
        || share > config.deletedShare()
        || (applicable.size() > config.maxDeltas() && share > NEXT_TO_NOTHING)
        || applicable.size() > (long) config.maxDeltas() * config.maxDeltas();
  }

  private long rowsConcerned(DeltaLogMeta delta) {
    Predicate<SegmentMeta> concerned = meta -> CollectionSegments.concerns(delta, meta);
    return state.live().stream()
        .map(SegmentRecord::meta)
        .filter(concerned)
        .mapToLong(meta -> meta.stats().rows())
        .sum();
  }
}
