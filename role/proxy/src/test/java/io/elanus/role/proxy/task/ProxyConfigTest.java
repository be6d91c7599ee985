package io.elanus.role.proxy.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProxyConfigTest {
  @Test
  void defaultsAreInRange() {
    assertThat(ProxyConfig.DEFAULT.schema().maxShards()).isEqualTo(16);
    assertThat(ProxyConfig.DEFAULT.requests().maxInsertBytes()).isEqualTo(-1);
  }

  /// Such a server would start and then refuse every request.
  @Test
  void refusesLimitsThatAllowNothing() {
    assertThatThrownBy(() -> new ProxyConfig.Schema(64, 10, 32768, 65535, 0, 1024))
        .isInstanceOf(DbException.class)
        .hasMessageContaining("setting proxy.maxShardNum");
    assertThatThrownBy(() -> new ProxyConfig.Requests(16384, -1, 16384, -1, 1))
        .isInstanceOf(DbException.class)
        .hasMessageContaining("setting quotaAndLimits.limits.topK");
    assertThatThrownBy(
            () -> new ProxyConfig.Times(Duration.ZERO, Duration.ZERO, Duration.ofMillis(0)))
        .isInstanceOf(DbException.class)
        .hasMessageContaining("setting proxy.requestTimeout");
  }
}
