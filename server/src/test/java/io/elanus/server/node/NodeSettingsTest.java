package io.elanus.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.ConfigBinder.Setting;
import io.elanus.base.config.Settings;
import io.elanus.base.error.DbException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NodeSettingsTest {
  @Test
  void theDefaultsAreInTheirOwnRanges() {
    NodeSettings settings = NodeSettings.bind(Settings.of(Map.of()));

    assertThat(settings.edge().port().port()).isEqualTo(19530);
  }

  @Test
  void everyNumberIsRefusedBelowItsRange() {
    for (Setting setting : ConfigBinder.settings(NodeSettings.records())) {
      if (setting.type() == boolean.class || setting.type() == String.class) {
        continue;
      }
      Settings settings = Settings.of(Map.of(setting.key().value(), "-2"));

      assertThatThrownBy(() -> NodeSettings.bind(settings))
          .as(setting.key().value())
          .isInstanceOf(DbException.class)
          .hasMessageContaining(setting.key().value())
          .hasMessageContaining(setting.range());
    }
  }

  @Test
  void bareNumbersOfTheCoordinatorsTimesAreMilliseconds() {
    NodeSettings settings =
        NodeSettings.bind(
            Settings.of(
                Map.of(
                    "queryCoord.segmentTaskTimeout", "120000",
                    "queryCoord.channelTaskTimeout", "60000",
                    "queryCoord.checkInterval", "1000")));

    assertThat(settings.coord().loads().segmentTimeout()).isEqualTo(Duration.ofMinutes(2));
    assertThat(settings.coord().loads().channelTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.coord().loads().checkInterval()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void authorizationIsRefusedAndNotIgnored() {
    Settings settings = Settings.of(Map.of("common.security.authorizationEnabled", "true"));

    assertThatThrownBy(() -> NodeSettings.bind(settings))
        .isInstanceOf(DbException.class)
        .hasMessageContaining("common.security.authorizationEnabled")
        .hasMessageContaining("not supported");
  }
}
