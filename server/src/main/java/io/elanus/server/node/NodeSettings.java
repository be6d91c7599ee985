package io.elanus.server.node;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Settings;
import io.elanus.role.coord.load.LoadConfig;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.role.coord.segments.SegmentsConfig;
import io.elanus.role.data.DataConfig;
import io.elanus.role.proxy.task.ProxyConfig;
import io.elanus.role.query.QueryConfig;
import io.elanus.role.streaming.StreamingConfig;
import io.elanus.server.rpc.PortConfig;
import java.util.ArrayList;
import java.util.List;

/// The configuration record of every component, bound from one set of settings.
///
/// Immutable.
public record NodeSettings(Edge edge, Coord coord, Workers workers) {

  public record Edge(ServerConfig server, PortConfig port, ProxyConfig proxy) {}

  public record Coord(CoordConfig coord, SegmentsConfig segments, LoadConfig loads) {}

  public record Workers(StreamingConfig streaming, QueryConfig query, DataConfig data) {}

  /// Every record that has keys, for unknown-key checks and the reference page.
  static List<Class<? extends Record>> records() {
    List<Class<? extends Record>> records = new ArrayList<>();
    records.add(ServerConfig.class);
    records.add(PortConfig.class);
    records.add(ProxyConfig.Schema.class);
    records.add(ProxyConfig.Requests.class);
    records.add(ProxyConfig.Times.class);
    records.add(CoordConfig.Channels.class);
    records.add(CoordConfig.Limits.class);
    records.add(CoordConfig.Broadcasts.class);
    records.add(SegmentsConfig.Indexing.class);
    records.add(SegmentsConfig.Compaction.class);
    records.add(SegmentsConfig.Garbage.class);
    records.add(LoadConfig.class);
    records.addAll(StreamingConfig.RECORDS);
    records.add(QueryConfig.class);
    records.add(DataConfig.class);
    return records;
  }

  /// Binds and checks every record.
  public static NodeSettings bind(Settings settings) {
    return new NodeSettings(
        new Edge(
            ConfigBinder.bind(ServerConfig.class, settings),
            ConfigBinder.bind(PortConfig.class, settings),
            new ProxyConfig(
                ConfigBinder.bind(ProxyConfig.Schema.class, settings),
                ConfigBinder.bind(ProxyConfig.Requests.class, settings),
                ConfigBinder.bind(ProxyConfig.Times.class, settings))),
        new Coord(
            CoordConfig.bind(settings),
            new SegmentsConfig(
                ConfigBinder.bind(SegmentsConfig.Indexing.class, settings),
                ConfigBinder.bind(SegmentsConfig.Compaction.class, settings),
                ConfigBinder.bind(SegmentsConfig.Garbage.class, settings)),
            ConfigBinder.bind(LoadConfig.class, settings)),
        new Workers(
            StreamingConfig.bind(settings),
            ConfigBinder.bind(QueryConfig.class, settings),
            ConfigBinder.bind(DataConfig.class, settings)));
  }
}
