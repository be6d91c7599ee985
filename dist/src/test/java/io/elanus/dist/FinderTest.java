package io.elanus.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The finder of ARCHITECTURE.md points at folders that exist.
class FinderTest {
  @Test
  void everyPathOfTheFinderExists() throws IOException {
    Path root = Path.of("..").toAbsolutePath().normalize();
    List<String> paths = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve("ARCHITECTURE.md"))) {
      if (line.startsWith("## Picture")) {
        break;
      }
      Matcher path = Pattern.compile("`([^`]+)`").matcher(line);
      while (line.startsWith("|") && path.find()) {
        paths.add(path.group(1));
      }
    }

    assertThat(paths).hasSizeGreaterThan(10);
    assertThat(paths).allMatch(path -> Files.exists(root.resolve(path)));
  }
}
