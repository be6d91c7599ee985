package io.elanus.server.node;

import io.elanus.base.config.Key;
import io.elanus.base.error.DbException;

/// Settings of the process itself.
///
/// Immutable.
public record ServerConfig(
    @Key(
            value = "common.http.managementPort",
            defaultValue = "9091",
            doc = "Port of health, metrics and the status page; 0 takes a free one, -1 opens none.")
        int managementPort,
    @Key(
            value = "common.security.authorizationEnabled",
            defaultValue = "false",
            doc = "Whether clients must log in. Not supported yet: true is refused at start.")
        boolean authorizationEnabled,
    @Key(
            value = "wal.segmentSize",
            defaultValue = "64",
            unit = "MB",
            doc = "Size at which a file of the log is full.")
        int walSegmentMb) {
  public ServerConfig {
    if (managementPort < -1 || managementPort > 65_535) {
      throw DbException.invalid(
          "setting common.http.managementPort", "-1 to 65535", managementPort);
    }
    if (authorizationEnabled) {
      throw DbException.invalid(
          "setting common.security.authorizationEnabled",
          "false: authorization is not there yet",
          true);
    }
    if (walSegmentMb < 1 || walSegmentMb > 1024) {
      throw DbException.invalid("setting wal.segmentSize", "1 to 1024", walSegmentMb);
    }
  }
}
