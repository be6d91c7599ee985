package io.elanus.role.coord.segments;

import io.elanus.base.config.Key;
import java.time.Duration;

/// Settings of index building, compaction and garbage collection.
///
/// Immutable.
public record SegmentsConfig(Indexing indexing, Compaction compaction, Garbage garbage) {
  public static final SegmentsConfig DEFAULT =
      new SegmentsConfig(Indexing.DEFAULT, Compaction.DEFAULT, Garbage.DEFAULT);

  /// Index tasks.
  public record Indexing(
      @Key(
              value = "indexCoord.segment.minSegmentNumRowsToEnableIndex",
              min = "0",
              defaultValue = "1024",
              doc = "Segments with fewer rows are searched exactly and get no index.",
              unit = "rows")
          int minRows,
      @Key(
              value = "dataCoord.index.tasksPerNode",
              defaultValue = "2",
              doc = "Index builds that one DataNode is given at a time.")
          int tasksPerNode,
      @Key(
              value = "dataCoord.index.taskTimeout",
              unit = "s",
              defaultValue = "3h",
              doc = "After this time without an answer an index build is given to a node again.")
          Duration timeout,
      @Key(
              value = "dataCoord.index.retryPause",
              unit = "s",
              defaultValue = "1s",
              doc = "Pause before a failed index build runs again; doubles up to a minute.")
          Duration retryPause) {
    public static final Indexing DEFAULT =
        new Indexing(1024, 2, Duration.ofHours(3), Duration.ofSeconds(1));
  }

  /// Compaction.
  public record Compaction(
      @Key(
              value = "dataCoord.compaction.enableAutoCompaction",
              defaultValue = "true",
              doc = "Whether segments are merged and rewritten without being asked.")
          boolean auto,
      @Key(
              value = "dataCoord.segment.maxRows",
              defaultValue = "1000000",
              doc = "Rows that a merged segment should not exceed.",
              unit = "rows")
          long targetRows,
      @Key(
              value = "dataCoord.segment.maxSize",
              defaultValue = "1024",
              doc = "Size that a merged segment should not exceed.",
              unit = "MB")
          long targetMb,
      @Key(
              value = "dataCoord.compaction.min.segment",
              min = "2",
              defaultValue = "4",
              doc = "Small segments of a partition and shard from which on they are merged.")
          int minInputs,
      @Key(
              value = "dataCoord.compaction.single.ratio.threshold",
              max = "1",
              defaultValue = "0.2",
              doc = "Estimated share of deleted rows above which a segment is rewritten.")
          double deletedShare,
      @Key(
              value = "dataCoord.compaction.single.deltalog.maxnum",
              defaultValue = "16",
              doc = "Delta logs over a segment above which it is rewritten.")
          int maxDeltas,
      @Key(
              value = "dataCoord.compaction.checkDelay",
              min = "0",
              unit = "s",
              defaultValue = "5s",
              doc = "Pause between new stored data and the look for something to compact.")
          Duration checkDelay) {
    public static final Compaction DEFAULT =
        new Compaction(true, 1_000_000, 1024, 4, 0.2, 16, Duration.ofSeconds(5));

    /// Most inputs of one compaction; keeps the swap below the store's limit of operations.
    public static final int MAX_INPUTS = 48;

    public long targetBytes() {
      return targetMb << 20;
    }
  }

  /// Garbage collection.
  public record Garbage(
      @Key(
              value = "dataCoord.gc.dropTolerance",
              min = "0",
              unit = "s",
              defaultValue = "60s",
              doc =
                  "Time between the drop of a segment or collection and the removal of its"
                      + " files.")
          Duration dropTolerance,
      @Key(
              value = "dataCoord.gc.missingTolerance",
              min = "0",
              unit = "s",
              defaultValue = "24h",
              doc = "Age at which objects that no catalog entry names are removed.")
          Duration missingTolerance,
      @Key(
              value = "dataCoord.gc.interval",
              unit = "s",
              defaultValue = "1h",
              doc = "How often the object store is searched for objects that nothing names.")
          Duration interval) {
    public static final Garbage DEFAULT =
        new Garbage(Duration.ofSeconds(60), Duration.ofHours(24), Duration.ofHours(1));
  }
}
