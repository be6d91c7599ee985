package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.examples.Quickstart;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The Java quickstart gives sensible answers.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class QuickstartIT {
  // Tests run in the module's folder.
  private static final Path SAMPLE = Path.of("..", "..", "examples", "data", "glosses.jsonl");

  @TempDir Path folder = Path.of("unset");

  @Test
  void answersQuestionsWithTheEntriesThatMeanThem() throws Exception {
    Map<String, List<String>> answers = Quickstart.run(SAMPLE, folder);

    assertThat(answers).hasSize(6);
    assertThat(answers.values()).allSatisfy(entries -> assertThat(entries).hasSize(3));
    assertThat(answers.get("a vehicle that flies with rotating wings"))
        .anyMatch(entry -> entry.startsWith("helicopter"));
    assertThat(answers.get("the fear of being in small closed spaces"))
        .anyMatch(entry -> entry.startsWith("claustrophobia"));
    assertThat(answers.get("someone who repairs teeth")).anyMatch(entry -> entry.contains("dent"));
    assertThat(answers.get("a hot drink made from roasted beans"))
        .anyMatch(entry -> entry.contains("coffee"));
  }
}
