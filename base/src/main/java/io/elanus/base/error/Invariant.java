package io.elanus.base.error;

import com.google.errorprone.annotations.FormatMethod;

/// Checks that stay on in production: a failure means a bug, never a caller's mistake.
///
/// Thread-safe: stateless.
public final class Invariant {
  private Invariant() {}

  /// Throws [InvariantViolation] with the formatted message when `holds` is false.
  @FormatMethod
  public static void check(boolean holds, String format, Object... args) {
    if (!holds) {
      throw new InvariantViolation(String.format(java.util.Locale.ROOT, format, args));
    }
  }
}
