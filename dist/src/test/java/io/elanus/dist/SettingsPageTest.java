package io.elanus.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.server.node.SettingsPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// docs/settings.md is what the code says: keys, defaults, units. A change of one needs the other.
class SettingsPageTest {
  @Test
  void pageShowsEveryKeyWithItsDefault() throws IOException {
    Path page = Path.of("..").toAbsolutePath().normalize().resolve("docs/settings.md");

    assertThat(Files.readString(page))
        .as("write it anew: bin/elanus settings > docs/settings.md")
        .isEqualTo(SettingsPage.render());
  }
}
