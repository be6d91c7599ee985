package io.elanus.role.coord.part;

import io.elanus.base.config.Key;
import java.time.Duration;

/// Settings of the coordinator, under Milvus' documented names.
///
/// Immutable.
public record CoordConfig(Channels channels, Limits limits, Broadcasts broadcasts) {
  public static final CoordConfig DEFAULT =
      new CoordConfig(Channels.DEFAULT, Limits.DEFAULT, Broadcasts.DEFAULT);

  /// Physical channels: `<clusterPrefix>-<dmlPrefix>_<i>`.
  public record Channels(
      @Key(
              value = "msgChannel.chanNamePrefix.cluster",
              defaultValue = "by-dev",
              doc = "First part of every channel name.")
          String clusterPrefix,
      @Key(
              value = "msgChannel.chanNamePrefix.rootCoordDml",
              defaultValue = "rootcoord-dml",
              doc = "Second part of the names of physical channels.")
          String dmlPrefix,
      @Key(
              value = "rootCoord.dmlChannelNum",
              defaultValue = "16",
              doc = "Physical channels of the cluster; may grow, never shrink.")
          int count) {
    public static final Channels DEFAULT = new Channels("by-dev", "rootcoord-dml", 16);

    public String prefix() {
      return clusterPrefix + "-" + dmlPrefix;
    }
  }

  /// How much the catalog may hold.
  public record Limits(
      @Key(
              value = "rootCoord.maxPartitionNum",
              defaultValue = "1024",
              doc = "Partitions of a collection at most.")
          int maxPartitions,
      @Key(
              value = "rootCoord.maxDatabaseNum",
              defaultValue = "64",
              doc = "Databases at most.")
          int maxDatabases,
      @Key(
              value = "rootCoord.maxGeneralCapacity",
              defaultValue = "65536",
              doc = "Sum over all collections of shards times partitions at most.")
          int maxCapacity,
      @Key(
              value = "quotaAndLimits.limits.maxCollectionNum",
              defaultValue = "65536",
              doc = "Collections of the cluster at most.")
          int maxCollections,
      @Key(
              value = "quotaAndLimits.limits.maxCollectionNumPerDB",
              defaultValue = "65536",
              doc = "Collections of one database at most.")
          int maxCollectionsPerDatabase) {
    public static final Limits DEFAULT = new Limits(1024, 64, 65536, 65536, 65536);
  }

  /// The Broadcaster.
  public record Broadcasts(
      @Key(
              value = "streaming.walBroadcaster.concurrencyRatio",
              defaultValue = "4",
              doc = "Broadcasts appended at the same time, per CPU; never fewer than 64 in all.")
          int concurrencyRatio,
      @Key(
              value = "streaming.walBroadcaster.tombstone.checkInternal",
              defaultValue = "5m",
              doc = "How often the age of tombstones is checked.",
              aliases = "streaming.walBroadcaster.tombstone.checkInterval")
          Duration tombstoneCheckInterval,
      @Key(
              value = "streaming.walBroadcaster.tombstone.maxCount",
              defaultValue = "8192",
              doc = "Tombstones kept at most.")
          int tombstoneMaxCount,
      @Key(
              value = "streaming.walBroadcaster.tombstone.maxLifetime",
              defaultValue = "24h",
              doc = "Age at which a tombstone goes.")
          Duration tombstoneMaxLifetime) {
    public static final Broadcasts DEFAULT =
        new Broadcasts(4, Duration.ofMinutes(5), 8192, Duration.ofHours(24));
  }
}
