package io.elanus.engine.storage.meta;

import io.elanus.base.error.DbException;
import org.jspecify.annotations.Nullable;

/// Order and validity of keys. The order is that of the UTF-8 bytes, which differs from
/// [String#compareTo] for characters outside the basic plane.
///
/// Thread-safe: stateless.
final class Keys {
  /// Longest key in chars; a limit so that a broken caller is found early.
  static final int MAX_CHARS = 4096;

  private Keys() {}

  static int compare(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return byteOrder(x) - byteOrder(y);
      }
    }
    return a.length() - b.length();
  }

  /// Surrogates stand for code points above every other char, so they move behind U+FFFF.
  private static int byteOrder(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }

  /// The smallest key greater than every key with `prefix`; null when there is none.
  static @Nullable String prefixEnd(String prefix) {
    int end = prefix.length();
    while (end > 0) {
      int last = prefix.codePointBefore(end);
      int head = end - Character.charCount(last);
      if (last < Character.MAX_CODE_POINT) {
        int next = last == Character.MIN_SURROGATE - 1 ? Character.MAX_SURROGATE + 1 : last + 1;
        return prefix.substring(0, head) + Character.toString(next);
      }
      end = head;
    }
    return null;
  }

  /// Refuses keys that are empty, too long or not encodable in UTF-8 (PARAMETER_INVALID).
  static String valid(String key) {
    if (key.isEmpty() || key.length() > MAX_CHARS) {
      throw DbException.invalid(
          "metadata key", "1 to " + MAX_CHARS + " characters", key.length() + " characters");
    }
    int length = key.length();
    for (int at = 0; at < length; at += Character.charCount(key.codePointAt(at))) {
      int point = key.codePointAt(at);
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        throw DbException.invalid("metadata key", "valid UTF-16", "a lone surrogate at " + at);
      }
    }
    return key;
  }
}
