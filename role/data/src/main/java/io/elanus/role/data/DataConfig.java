package io.elanus.role.data;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Key;

/// Settings of a DataNode.
///
/// Immutable.
public record DataConfig(
    @Key(
            value = "dataNode.index.buildThreads",
            min = "0",
            max = "1024",
            defaultValue = "0",
            doc = "Threads that build indexes; 0 = one a core.")
        int buildThreads,
    @Key(
            value = "dataNode.compaction.threads",
            max = "1024",
            defaultValue = "1",
            doc = "Compactions that run at the same time.")
        int compactionThreads,
    @Key(
            value = "dataNode.queueLength",
            defaultValue = "1024",
            doc = "Tasks that wait for a thread; more are refused with code 4.")
        int queueLength) {
  public static final DataConfig DEFAULT = ConfigBinder.defaults(DataConfig.class);

  int threadsForBuilds() {
    return buildThreads > 0 ? buildThreads : Runtime.getRuntime().availableProcessors();
  }
}
