package io.elanus.engine.expr.parse;

import io.elanus.engine.expr.tree.TimeShift;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Points and spans of time as filters write them.
///
/// Thread-safe: stateless.
final class Timestamps {
  // Applied to short literals of bounded shape only; neither pattern can backtrack far.
  private static final Pattern INSTANT =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)[T ](\\d\\d):(\\d\\d):(\\d\\d)(?:[.,](\\d{1,9})\\d*)?"
              + "(Z|[+-]\\d\\d(?::\\d\\d)?)?");
  private static final Pattern DURATION =
      Pattern.compile(
          "P(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)D)?(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)S)?)?");
  // Small enough that evaluation can add it to any timestamp without overflow.
  private static final long MAX_SHIFT = 10_000_000_000_000_000L;
  private static final int MAX_OFFSET_SECONDS = 14 * 3600;
  private static final int MIN_OFFSET_SECONDS = -12 * 3600;

  private Timestamps() {}

  /// Microseconds since 1970 in UTC; a text without offset is local time of `zone`.
  static long instantMicros(String text, ZoneId zone) {
    Matcher m = INSTANT.matcher(text);
    if (!m.matches()) {
      throw unknownFormat(text);
    }
    LocalDateTime time;
    try {
      time =
          LocalDateTime.of(
              number(m, 1), number(m, 2), number(m, 3), number(m, 4), number(m, 5), number(m, 6));
    } catch (DateTimeException e) {
      throw unknownFormat(text);
    }
    String fraction = m.group(7) == null ? "" : m.group(7);
    long micros = Long.parseLong((fraction + "000000").substring(0, 6));
    String offset = m.group(8);
    ZoneId at = offset == null ? zone : offset(text, offset);
    return time.atZone(at).toEpochSecond() * 1_000_000 + micros;
  }

  private static int number(Matcher m, int group) {
    return Integer.parseInt(m.group(group));
  }

  private static ZoneOffset offset(String text, String offset) {
    if (offset.equals("Z")) {
      return ZoneOffset.UTC;
    }
    int hours = Integer.parseInt(offset.substring(1, 3));
    int minutes = offset.length() == 6 ? Integer.parseInt(offset.substring(4)) : 0;
    int sign = offset.charAt(0) == '-' ? -1 : 1;
    if (minutes > 59) {
      throw unknownFormat(text);
    }
    int seconds = sign * (hours * 3600 + minutes * 60);
    if (seconds > MAX_OFFSET_SECONDS || seconds < MIN_OFFSET_SECONDS) {
      throw ParseFailure.parameter(
          "UTC offset hour " + sign * hours + " is out of the valid range [-12, 14]");
    }
    return ZoneOffset.ofTotalSeconds(seconds);
  }

  private static ParseFailure unknownFormat(String text) {
    return ParseFailure.parameter(
        "invalid timestamp string: '" + text + "'. Does not match any known format");
  }

  /// An ISO 8601 duration of whole numbers, `PnYnMnDTnHnMnS`.
  static TimeShift shift(String text, boolean back) {
    Matcher m = DURATION.matcher(text);
    if (!m.matches()) {
      throw ParseFailure.plan("invalid ISO 8601 duration: " + text);
    }
    try {
      long sign = back ? -1 : 1;
      return new TimeShift(
          sign * sum(m, new int[] {1, 2}, new long[] {12, 1}),
          sign * sum(m, new int[] {3}, new long[] {1}),
          sign * sum(m, new int[] {4, 5, 6}, new long[] {3600, 60, 1}));
    } catch (NumberFormatException | ArithmeticException e) {
      throw ParseFailure.plan("value too large in ISO 8601 duration: " + text);
    }
  }

  /// Adds up parts of a duration; throws when the sum passes [#MAX_SHIFT].
  private static long sum(Matcher m, int[] groups, long[] factors) {
    long total = 0;
    for (int i = 0; i < groups.length; i++) {
      String digits = m.group(groups[i]);
      long part = digits == null ? 0 : Long.parseLong(digits);
      total = Math.addExact(total, Math.multiplyExact(part, factors[i]));
    }
    if (total > MAX_SHIFT) {
      throw new ArithmeticException("shift of " + total);
    }
    return total;
  }
}
