package io.elanus.role.proxy.task;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Key;
import io.elanus.role.proxy.check.Limits;
import java.time.Duration;

/// Settings of the proxy, under Milvus' documented names.
///
/// Immutable.
public record ProxyConfig(Schema schema, Requests requests, Times times) {
  public static final ProxyConfig DEFAULT =
      new ProxyConfig(
          ConfigBinder.defaults(Schema.class),
          ConfigBinder.defaults(Requests.class),
          ConfigBinder.defaults(Times.class));

  /// What a schema may hold.
  public record Schema(
      @Key(
              value = "proxy.maxFieldNum",
              defaultValue = "64",
              doc = "Fields of a collection at most.")
          int maxFields,
      @Key(
              value = "proxy.maxVectorFieldNum",
              defaultValue = "10",
              doc = "Vector fields of a collection at most.")
          int maxVectorFields,
      @Key(
              value = "proxy.maxDimension",
              min = "2",
              defaultValue = "32768",
              doc = "Dimension of a vector field at most.")
          int maxDimension,
      @Key(
              value = "proxy.maxVarCharLength",
              max = "65535",
              defaultValue = "65535",
              doc = "Bytes that max_length of a VARCHAR field may ask for.")
          int maxVarCharLength,
      @Key(
              value = "proxy.maxShardNum",
              defaultValue = "16",
              doc = "Shards of a collection at most.")
          int maxShards,
      @Key(
              value = "rootCoord.maxPartitionNum",
              defaultValue = "1024",
              doc = "Partitions of a collection at most.")
          int maxPartitions) {}

  /// What one request may ask for.
  public record Requests(
      @Key(
              value = "quotaAndLimits.limits.nq",
              defaultValue = "16384",
              doc = "Query vectors of a search at most.")
          long maxNq,
      @Key(
              value = "quotaAndLimits.limits.topK",
              defaultValue = "16384",
              doc = "Hits of a query vector at most; also bounds the offset.")
          long maxTopK,
      @Key(
              value = "quotaAndLimits.limits.maxQueryResultWindow",
              defaultValue = "16384",
              doc = "Offset + limit of a query at most.")
          long maxQueryWindow,
      @Key(
              value = "quotaAndLimits.limits.maxInsertSize",
              min = "-1",
              defaultValue = "-1",
              unit = "bytes",
              doc = "Bytes of one insert or upsert at most; -1 for no limit.")
          long maxInsertBytes,
      @Key(
              value = "quotaAndLimits.limits.maxOutputSize",
              defaultValue = "104857600",
              unit = "bytes",
              doc = "Bytes that a search or query may answer.")
          long maxOutputBytes) {
    public Limits limits() {
      return new Limits(maxNq, maxTopK, maxQueryWindow);
    }
  }

  /// Times.
  public record Times(
      @Key(
              value = "common.gracefulTime",
              min = "0",
              defaultValue = "5000",
              unit = "ms",
              doc = "How old the data of a Bounded read may be.")
          Duration gracefulTime,
      @Key(
              value = "proxy.slowQuerySpanInSeconds",
              min = "0",
              defaultValue = "1",
              unit = "s",
              doc = "Searches and queries that take longer are logged and counted as slow.")
          Duration slowQuery,
      @Key(
              value = "proxy.requestTimeout",
              defaultValue = "600",
              unit = "s",
              doc = "Time for a request whose client set no deadline.")
          Duration defaultTimeout) {}
}
