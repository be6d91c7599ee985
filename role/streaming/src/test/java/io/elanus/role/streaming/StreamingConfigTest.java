package io.elanus.role.streaming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.ConfigBinder.Setting;
import io.elanus.base.config.Key;
import io.elanus.base.config.Settings;
import io.elanus.base.error.DbException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class StreamingConfigTest {
  @Test
  void documentedKeysHaveTheirDocumentedDefaults() {
    Map<String, String> defaults = new TreeMap<>();
    for (Setting setting : ConfigBinder.settings(StreamingConfig.RECORDS)) {
      Key key = setting.key();
      if (!key.value().startsWith("elanus.")) {
        defaults.put(key.value(), key.defaultValue());
      }
    }

    assertThat(defaults)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("proxy.timeTickInterval", "200"),
                Map.entry("dataCoord.segment.maxSize", "1024"),
                Map.entry("dataCoord.segment.maxIdleTime", "600"),
                Map.entry("dataCoord.segment.minSizeFromIdleToSealed", "16"),
                Map.entry("dataCoord.segment.maxLife", "86400"),
                Map.entry("dataCoord.sealPolicy.channel.growingSegmentsMemSize", "4096"),
                Map.entry("streaming.walWriteAheadBuffer.capacity", "64m"),
                Map.entry("streaming.flush.l0.maxRowNum", "500000"),
                Map.entry("streaming.flush.l0.maxLifetime", "10m"),
                Map.entry("dataNode.segment.deleteBufBytes", "16777216"),
                Map.entry("dataNode.channel.updateChannelCheckpointInterval", "60"),
                Map.entry("streaming.walRecovery.persistInterval", "10s")));
  }

  @Test
  void sizesAndDurationsAreReadInTheirUnits() {
    StreamingConfig config = StreamingConfig.defaults();

    assertThat(config.tail().capacityBytes()).isEqualTo(64L << 20);
    assertThat(config.seal().maxSizeBytes()).isEqualTo(1L << 30);
    assertThat(config.seal().maxIdleTime()).isEqualTo(Duration.ofMinutes(10));
    assertThat(config.sequencer().tickInterval()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void aSizeThatIsNoneIsRefused() {
    assertThatThrownBy(() ->
            StreamingConfig.bind(
                Settings.of(Map.of("streaming.walWriteAheadBuffer.capacity", "lots"))))
        .isInstanceOf(DbException.class);
  }
}
