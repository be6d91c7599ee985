package io.elanus.role.query.load;

import java.util.Map;

/// How long rows of a collection live.
///
/// Thread-safe: stateless.
public final class TimeToLive {
  private static final String KEY = "collection.ttl.seconds";

  private TimeToLive() {}

  /// Milliseconds; 0 = for ever.
  public static long millis(Map<String, String> properties) {
    String seconds = properties.get(KEY);
    if (seconds == null) {
      return 0;
    }
    try {
      return Math.max(0, Math.multiplyExact(Long.parseLong(seconds.strip()), 1000L));
    } catch (ArithmeticException | NumberFormatException e) {
      return 0; // Checked when it was set; what is left is from a version that allowed more.
    }
  }
}
