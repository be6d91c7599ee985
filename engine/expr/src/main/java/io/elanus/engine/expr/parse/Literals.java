package io.elanus.engine.expr.parse;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Values of literal tokens.
///
/// Thread-safe: stateless.
final class Literals {
  private Literals() {}

  /// A decimal, octal, hex or binary integer with an optional minus in front; refused outside
  /// int64.
  static long integer(String text, boolean negative) {
    int radix = 10;
    int skip = 0;
    if (text.length() > 1 && text.charAt(0) == '0') {
      char marker = Character.toLowerCase(text.charAt(1));
      radix = marker == 'x' ? 16 : marker == 'b' ? 2 : 8;
      skip = radix == 8 ? 1 : 2;
    }
    try {
      String digits = text.substring(skip);
      return Long.parseLong(negative ? "-" + digits : digits, radix);
    } catch (NumberFormatException e) {
      throw rangeFailure("strconv.ParseInt", text);
    }
  }

  /// A decimal or hexadecimal floating point number; refused beyond the range of a double.
  static double floating(String text) {
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw rangeFailure("strconv.ParseFloat", text);
    }
    return value;
  }

  private static ParseFailure rangeFailure(String what, String text) {
    return ParseFailure.plan(what + ": parsing \"" + text + "\": value out of range");
  }

  /// The text a string literal stands for, prefix and quotes taken off, escapes resolved.
  static String string(String literal) {
    int open = 0;
    while (literal.charAt(open) != '"' && literal.charAt(open) != '\'') {
      open++;
    }
    boolean raw = open == 1 && (literal.charAt(0) | 0x20) == 'r';
    int end = literal.length() - 1;
    if (raw || literal.indexOf('\\') < 0) {
      return literal.substring(open + 1, end);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(literal.length());
    int i = open + 1;
    while (i < end) {
      char c = literal.charAt(i);
      if (c == '\\') {
        i = escape(literal, i + 1, end, out);
      } else {
        int codePoint = literal.codePointAt(i);
        put(out, codePoint);
        i += Character.charCount(codePoint);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static void put(ByteArrayOutputStream out, int codePoint) {
    if (codePoint < 128) {
      out.write(codePoint);
    } else {
      out.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
    }
  }

  /// Writes the escape whose letter stands at `i`; answers the index after it.
  private static int escape(String s, int i, int end, ByteArrayOutputStream out) {
    char c = s.charAt(i);
    int simple = simpleEscape(c);
    if (simple >= 0) {
      out.write(simple);
      return i + 1;
    }
    if (c >= '0' && c <= '7') {
      int value = 0;
      int j = i;
      while (j < end && j < i + 3 && s.charAt(j) >= '0' && s.charAt(j) <= '7') {
        value = value * 8 + s.charAt(j++) - '0';
      }
      out.write(value);
      return j;
    }
    int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    int value = digits == 0 ? -1 : hex(s, i + 1, Math.min(end, i + 1 + digits), digits);
    if (value < 0) {
      out.write('\\');
      return i;
    }
    if (digits == 2) {
      out.write(value);
      return i + 3;
    }
    int after = i + 1 + digits;
    if (Character.isHighSurrogate((char) value) && s.startsWith("\\u", after)) {
      int low = hex(s, after + 2, Math.min(end, after + 6), 4);
      if (low >= 0 && Character.isLowSurrogate((char) low)) {
        put(out, Character.toCodePoint((char) value, (char) low));
        return after + 6;
      }
    }
    put(out, value);
    return after;
  }

  private static int simpleEscape(char c) {
    return switch (c) {
      case 'a' -> 7;
      case 'b' -> 8;
      case 'f' -> 12;
      case 'n' -> 10;
      case 'r' -> 13;
      case 't' -> 9;
      case 'v' -> 11;
      case '\\', '\'', '"', '?' -> c;
      default -> -1;
    };
  }

  /// The value of exactly `digits` hex digits, or -1; also -1 beyond Unicode.
  private static int hex(String s, int from, int to, int digits) {
    if (to - from != digits) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(s.charAt(i), 16);
      if (digit < 0 || value > 0x10ffff) {
        return -1;
      }
      value = value * 16 + digit;
    }
    return Character.isValidCodePoint(value) ? value : -1;
  }
}
