package io.elanus.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every rule of docs/spec names a test that exists, and the rules that this release promises are
/// all there.
class SpecCoverageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern ROW = Pattern.compile("^\\| ([A-Z]-\\d+) \\|.*$");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");

  /// Rules that the standalone server promises.
  private static final List<String> PROMISED =
      List.of(
          "T-01", "T-02", "T-03", "T-04", "W-01", "W-03", "W-04", "W-05", "W-08", "W-09", "W-10",
          "W-11", "C-01", "C-02", "C-03", "C-04", "C-05", "C-06", "C-07", "B-01", "B-02", "B-03",
          "B-04", "B-05", "B-10", "B-11", "B-12", "B-13", "B-14", "B-15", "P-01", "P-02");

  private static Map<String, List<String>> rules() throws IOException {
    Map<String, List<String>> rules = new TreeMap<>();
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs/spec"))) {
      for (Path page : pages.filter(p -> p.toString().endsWith(".md")).sorted().toList()) {
        for (String line : Files.readAllLines(page)) {
          Matcher row = ROW.matcher(line);
          if (row.matches()) {
            List<String> tests = rules.computeIfAbsent(row.group(1), _ -> new ArrayList<>());
            Matcher test = TEST.matcher(line);
            while (test.find()) {
              tests.add(test.group(1) + "." + test.group(2));
            }
          }
        }
      }
    }
    return rules;
  }

  @Test
  void everyPromisedRuleHasATest() throws IOException {
    Map<String, List<String>> rules = rules();

    for (String rule : PROMISED) {
      assertThat(rules.getOrDefault(rule, List.of())).as("tests of rule %s", rule).isNotEmpty();
    }
  }

  @Test
  void everyTestNamedExists() throws IOException {
    TreeSet<String> known = new TreeSet<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file :
          files
              .filter(p -> p.toString().contains("/src/"))
              .filter(p -> p.toString().endsWith(".java"))
              .toList()) {
        String name = String.valueOf(file.getFileName()).replace(".java", "");
        Matcher method =
            Pattern.compile("(?m)^  (?:final )?void (\\w+)\\(").matcher(Files.readString(file));
        while (method.find()) {
          known.add(name + "." + method.group(1));
        }
      }
    }

    rules()
        .forEach((rule, tests) ->
            assertThat(known).as("tests named for rule %s", rule).containsAll(tests));
  }
}
