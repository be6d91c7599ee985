package io.elanus.server.node;

import io.elanus.base.config.Key;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;

/// Settings of the process itself.
///
/// Immutable.
public record ServerConfig(
    @Key(
            value = "common.http.managementPort",
            min = "-1",
            max = "65535",
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
            max = "1024",
            defaultValue = "64",
            unit = "MB",
            doc = "Size at which a file of the log is full.")
        int walSegmentMb) {
  public ServerConfig {
    if (authorizationEnabled) {
      throw DbException.described(
          ErrorCode.PARAMETER_INVALID,
          "setting common.security.authorizationEnabled: authorization is not supported yet;"
              + " set it to false and keep the port on a trusted network");
    }
  }
}
