package io.elanus.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Key;
import io.elanus.base.config.Settings;
import io.elanus.base.error.DbException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigBinderTest {
  record Sample(
      @Key(value = "common.gracefulTime", defaultValue = "5000", unit = "ms", doc = "Staleness.")
          Duration gracefulTime,
      @Key(value = "a.count", defaultValue = "16", doc = "Count.", aliases = "a.old") int count,
      @Key(value = "a.name", defaultValue = "x", doc = "Name.") String name) {}

  @Test
  void defaultsFillWhatIsNotSet() {
    assertThat(ConfigBinder.defaults(Sample.class))
        .isEqualTo(new Sample(Duration.ofSeconds(5), 16, "x"));
  }

  @Test
  void keysAndAliasesAreFoundInAnyCase() {
    Settings settings = Settings.of(Map.of("COMMON.gracefultime", "2s", "a.old", "7"));

    assertThat(ConfigBinder.bind(Sample.class, settings))
        .isEqualTo(new Sample(Duration.ofSeconds(2), 7, "x"));
  }

  @Test
  void badValueNamesKeyAndExpectation() {
    assertThatThrownBy(
            () -> ConfigBinder.bind(Sample.class, Settings.of(Map.of("a.count", "many"))))
        .isInstanceOf(DbException.class)
        .hasMessageContaining("a.count")
        .hasMessageContaining("int")
        .hasMessageContaining("many");
  }

  @Test
  void unknownKeysAreFound() {
    Settings settings = Settings.of(Map.of("a.count", "1", "b.other", "2"));

    assertThat(settings.unknownKeys(ConfigBinder.knownKeys(List.of(Sample.class))))
        .containsExactly("b.other");
  }
}
