package io.elanus.role.coord.part;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Key;
import io.elanus.base.config.Settings;
import java.time.Duration;

/// Settings of the coordinator, under Milvus' documented names.
///
/// Immutable.
public record CoordConfig(Channels channels, Limits limits, Broadcasts broadcasts) {
  public static final CoordConfig DEFAULT = bind(Settings.EMPTY);

  /// From `settings` and the keys' defaults; error 1100 for a value that doesn't fit.
  public static CoordConfig bind(Settings settings) {
    return new CoordConfig(
        ConfigBinder.bind(Channels.class, settings),
        ConfigBinder.bind(Limits.class, settings),
        ConfigBinder.bind(Broadcasts.class, settings));
  }

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
              max = "4096",
              defaultValue = "16",
              doc = "Physical channels of the cluster; may grow, never shrink.")
          int count) {
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
      @Key(value = "rootCoord.maxDatabaseNum", defaultValue = "64", doc = "Databases at most.")
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
          int maxCollectionsPerDatabase) {}

  /// The Broadcaster.
  public record Broadcasts(
      @Key(
              value = "streaming.walBroadcaster.concurrencyRatio",
              defaultValue = "4",
              doc = "Broadcasts appended at the same time, per CPU; never fewer than 64 in all.")
          int concurrencyRatio,
      @Key(
              value = "streaming.walBroadcaster.tombstone.checkInternal",
              unit = "s",
              defaultValue = "5m",
              doc = "How often the age of tombstones is checked.",
              aliases = "streaming.walBroadcaster.tombstone.checkInterval")
          Duration tombstoneCheckInterval,
      @Key(
              value = "streaming.walBroadcaster.tombstone.maxCount",
              min = "0",
              defaultValue = "8192",
              doc = "Tombstones kept at most.")
          int tombstoneMaxCount,
      @Key(
              value = "streaming.walBroadcaster.tombstone.maxLifetime",
              min = "0",
              unit = "s",
              defaultValue = "24h",
              doc = "Age at which a tombstone goes.")
          Duration tombstoneMaxLifetime) {}
}
