package io.elanus.testkit;

import io.elanus.base.random.Rng;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Seeds of randomised tests. A failing run prints its seed; `-Delanus.seed=<seed>` runs only that
/// one. `-Delanus.rounds=<n>` makes every such test run `n` rounds.
///
/// Thread-safe: stateless.
public final class Seeds {
  private Seeds() {}

  /// Runs `body` for `rounds` seeds that are the same in every run, or for the given one.
  public static void forEach(String test, int rounds, Consumer<Rng> body) {
    Long fixed = Long.getLong("elanus.seed");
    if (fixed != null) {
      run(test, fixed, body);
      return;
    }
    int count = Integer.getInteger("elanus.rounds", rounds);
    Rng seeds = new Rng(0x5EED).split(test);
    for (int i = 0; i < count; i++) {
      run(test, seeds.nextLong(), body);
    }
  }

  private static void run(String test, long seed, Consumer<Rng> body) {
    try {
      body.accept(new Rng(seed));
    } catch (RuntimeException | AssertionError e) {
      AssertionError failure =
          new AssertionError(
              test + " failed; replay with -Delanus.seed=" + seed + ": " + e.getMessage());
      failure.initCause(e);
      throw failure;
    }
  }

  /// `length` random bytes.
  public static byte[] bytes(Rng rng, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; ) {
      long bits = rng.nextLong();
      for (int j = 0; j < 8 && i < length; j++, bits >>>= 8) {
        bytes[i++] = (byte) bits;
      }
    }
    return bytes;
  }

  /// A text of 1 to `maxChars` characters out of a small alphabet, so that prefixes collide.
  public static String word(Rng rng, int maxChars) {
    byte[] chars = new byte[1 + rng.nextInt(maxChars)];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = (byte) ('a' + rng.nextInt(4));
    }
    return new String(chars, StandardCharsets.US_ASCII);
  }

  /// True in about one of `n` calls.
  public static boolean oneIn(Rng rng, int n) {
    return rng.nextInt(n) == 0;
  }
}
