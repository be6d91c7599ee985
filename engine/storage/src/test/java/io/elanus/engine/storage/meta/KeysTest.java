package io.elanus.engine.storage.meta;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeysTest {
  private static String randomKey(SplittableRandom random) {
    StringBuilder key = new StringBuilder();
    int length = 1 + random.nextInt(4);
    for (int i = 0; i < length; i++) {
      int point =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3);
            case 1 -> 0xD7FE + random.nextInt(2);
            case 2 -> 0xE000 + random.nextInt(0x2000);
            default -> 0x10000 + random.nextInt(0x100000);
          };
      key.appendCodePoint(point);
    }
    return key.toString();
  }

  @Test
  void orderIsThatOfTheUtf8Bytes() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      String a = randomKey(random);
      String b = random.nextBoolean() ? randomKey(random) : a + randomKey(random);
      int bytes =
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

      assertThat(Integer.signum(Keys.compare(a, b))).isEqualTo(Integer.signum(bytes));
    }
  }

  @Test
  void prefixEndIsTheFirstKeyBehindThePrefix() {
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 20_000; i++) {
      String prefix = randomKey(random);
      String key = random.nextBoolean() ? prefix + randomKey(random) : randomKey(random);

      assertThat(KeyRange.prefix(prefix).contains(key)).isEqualTo(key.startsWith(prefix));
    }
  }
}
