package io.elanus.role.proxy.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.column.PrimaryKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashingTest {

  /// Computed with an implementation that gives the published vectors of murmur3-32.
  @ParameterizedTest
  @CsvSource({
    "0, 1669671676",
    "1, 1392991556",
    "2, 1176478452",
    "-1, 1651860712",
    "100, 1177227376",
    "1234567890123, 1740798302",
    "9223372036854775807, 40977599",
    "-9223372036854775808, 1366273829"
  })
  void hashesIntegersAsMurmur3OfTheirBytes(long key, int hash) {
    assertThat(Hashing.ofLong(key)).isEqualTo(hash);
  }

  @Test
  void hashesTextsAsCrcOfTheirFirstHundredBytes() {
    assertThat(Hashing.ofText("")).isZero();
    assertThat(Hashing.ofText("a")).isEqualTo(3904355907L);
    assertThat(Hashing.ofText("milvus")).isEqualTo(725768567L);
    assertThat(Hashing.ofText("主键")).isEqualTo(1419991207L);
    assertThat(Hashing.ofText("x".repeat(100))).isEqualTo(1577999759L);
    assertThat(Hashing.ofText("x".repeat(150))).isEqualTo(1577999759L);
  }

  @Test
  void takesTheHashModuloTheBuckets() {
    assertThat(Hashing.buckets(PrimaryKeys.of(0L, 1L, 2L), 4))
        .containsExactly(1669671676 % 4, 1392991556 % 4, 1176478452 % 4);
    assertThat(Hashing.buckets(PrimaryKeys.of("a", "milvus"), 16))
        .containsExactly((int) (3904355907L % 16), (int) (725768567L % 16));
    assertThat(Hashing.buckets(PrimaryKeys.of(7L, 8L), 1)).containsExactly(0, 0);
  }
}
