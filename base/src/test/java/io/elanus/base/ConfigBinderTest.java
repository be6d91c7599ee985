package io.elanus.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Key;
import io.elanus.base.config.Settings;
import io.elanus.base.error.DbException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigBinderTest {
  record Sample(
      @Key(value = "common.gracefulTime", defaultValue = "5000", unit = "ms", doc = "Staleness.")
          Duration gracefulTime,
      @Key(value = "a.count", defaultValue = "16", doc = "Count.", aliases = "a.old") int count,
      @Key(value = "a.name", defaultValue = "x", doc = "Name.") String name,
      @Key(value = "a.port", defaultValue = "0", min = "0", max = "65535", doc = "Port.") int port,
      @Key(value = "a.share", defaultValue = "0.2", max = "1", doc = "Share.") double share,
      @Key(value = "a.pause", defaultValue = "1s", unit = "ms", doc = "Pause.") Duration pause,
      @Key(value = "a.on", defaultValue = "true", doc = "On.") boolean on) {}

  @Test
  void defaultsFillWhatIsNotSet() {
    assertThat(ConfigBinder.defaults(Sample.class))
        .isEqualTo(new Sample(Duration.ofSeconds(5), 16, "x", 0, 0.2, Duration.ofSeconds(1), true));
  }

  @Test
  void keysAndAliasesAreFoundInAnyCase() {
    Settings settings = Settings.of(Map.of("COMMON.gracefultime", "2s", "a.old", "7"));

    Sample sample = ConfigBinder.bind(Sample.class, settings);

    assertThat(sample.gracefulTime()).isEqualTo(Duration.ofSeconds(2));
    assertThat(sample.count()).isEqualTo(7);
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

  @ParameterizedTest
  @CsvSource({
    "a.count, 0, at least 1",
    "a.count, -3, at least 1",
    "a.port, -1, 0 to 65535",
    "a.port, 65536, 0 to 65535",
    "a.share, -0.1, 0 to 1",
    "a.share, 1.1, 0 to 1",
    "a.share, NaN, 0 to 1",
    "a.pause, 0, at least 1ms",
    "a.pause, -2s, at least 1ms",
    "a.pause, soon, duration",
    "a.pause, s, duration",
    "a.on, yes, boolean"
  })
  void whatIsOutOfRangeIsRefusedWithKeyRangeAndValue(String key, String value, String expected) {
    assertThatThrownBy(() -> ConfigBinder.bind(Sample.class, Settings.of(Map.of(key, value))))
        .isInstanceOf(DbException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(expected)
        .hasMessageContaining(value);
  }

  @ParameterizedTest
  @CsvSource({"a.port, 0", "a.port, 65535", "a.share, 0", "a.share, 1", "a.pause, 1"})
  void theEndsOfARangeAreTaken(String key, String value) {
    Settings settings = Settings.of(Map.of(key, value));

    assertThatCode(() -> ConfigBinder.bind(Sample.class, settings)).doesNotThrowAnyException();
  }

  @Test
  void aBareNumberHasTheUnitOfItsKey() {
    Sample sample = ConfigBinder.bind(Sample.class, Settings.of(Map.of("a.pause", "120000")));

    assertThat(sample.pause()).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void unknownKeysAreFound() {
    Settings settings = Settings.of(Map.of("a.count", "1", "b.other", "2"));

    assertThat(settings.unknownKeys(ConfigBinder.knownKeys(List.of(Sample.class))))
        .containsExactly("b.other");
  }
}
