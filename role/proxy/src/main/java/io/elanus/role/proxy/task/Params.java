package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values out of the key-value pairs of `search_params` and `query_params`.
///
/// Thread-safe: stateless.
final class Params {
  private Params() {}

  /// A whole number; null when the key is absent. Error 1100 when it is no number.
  static @Nullable Long number(Map<String, String> params, String key) {
    String text = params.get(key);
    if (text == null) {
      return null;
    }
    Long value = tryNumber(text);
    if (value == null) {
      throw DbException.invalid(key + " [" + text + "] is invalid");
    }
    return value;
  }

  static @Nullable Long tryNumber(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /// `True` and `true` are true, as SDKs write it.
  static boolean flag(Map<String, String> params, String key) {
    String text = params.get(key);
    return text != null && text.equalsIgnoreCase("true");
  }

  /// A flag that must be readable when it is there.
  static boolean strictFlag(Map<String, String> params, String key) {
    String text = params.get(key);
    if (text == null) {
      return false;
    }
    if (text.equalsIgnoreCase("true") || text.equals("1")) {
      return true;
    }
    if (text.equalsIgnoreCase("false") || text.equals("0")) {
      return false;
    }
    throw DbException.invalid("parse " + key + " failed", "true or false", text);
  }

  static String text(Map<String, String> params, String key) {
    return params.getOrDefault(key, "");
  }
}
