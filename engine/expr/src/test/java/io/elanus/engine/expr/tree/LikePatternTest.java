package io.elanus.engine.expr.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LikePatternTest {
  private static boolean matches(String pattern, String value) {
    byte[] bytes = ("<<" + value + ">>").getBytes(StandardCharsets.UTF_8);
    return LikePattern.of(pattern).matches(bytes, 2, bytes.length - 2);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "abc, abc, true",
        "abc, abcd, false",
        "abc, ab, false",
        "\"\", \"\", true",
        "\"\", a, false",
        "%, \"\", true",
        "%%, anything, true",
        "a%, a, true",
        "a%, ba, false",
        "%a, ba, true",
        "%a, ab, false",
        "%a%, xay, true",
        "a%a, a, false",
        "a%a, aa, true",
        "a%b%c, axbxc, true",
        "a%b%c, axcxb, false",
        "%ab%ab, abab, true",
        "%ab%ab, ab, false",
        "_, é, true",
        "_, 中, true",
        "_, 😀, true",
        "_, ab, false",
        "_, \"\", false",
        "a_c, a中c, true",
        "%_中, x中, true",
        "%_中, 中, false",
        "_%_, 中文, true",
        "_%_, 中, false",
        "%__%, 中文, true",
        "100\\%, 100%, true",
        "100\\%, 1000, false",
        "\\%%, %x, true",
        "%\\%, x%, true",
        "%\\%, x, false",
        "a\\_b, a_b, true",
        "a\\_b, axb, false",
        "a\\b, a\\b, true",
        "a\\, a\\, true",
        "A%, a, false",
      })
  void matchesWholeValues(String pattern, String value, boolean want) {
    assertThat(matches(pattern == null ? "" : pattern, value == null ? "" : value)).isEqualTo(want);
  }

  @Test
  void prefixesAreTakenLiterally() {
    byte[] value = "a\\%_z".getBytes(StandardCharsets.UTF_8);

    assertThat(LikePattern.startingWith("a\\%_").matches(value, 0, value.length)).isTrue();
    assertThat(LikePattern.startingWith("a%").matches(value, 0, value.length)).isFalse();
    assertThat(LikePattern.startingWith("").matches(value, 0, value.length)).isTrue();
    assertThat(LikePattern.startingWith("")).isEqualTo(LikePattern.of("%%"));
  }
}
