package io.elanus.engine.storage.object;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.nio.charset.StandardCharsets;

/// Rules for object keys: `/`-separated names, none of them empty, `.` or `..`, of at most 255
/// bytes each, without control characters and backslashes; the first name isn't `.tmp`. A key is an
/// object or a folder of objects, never both.
///
/// Thread-safe: stateless.
public final class ObjectKeys {
  static final String TEMP_FOLDER = ".tmp";
  private static final int MAX_BYTES = 1024;
  private static final int MAX_NAME_BYTES = 255;

  private ObjectKeys() {}

  /// `key` when it keeps the rules, PARAMETER_INVALID otherwise.
  public static String valid(String key) {
    if (key.isEmpty() || key.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw DbException.invalid("object key must have 1 to " + MAX_BYTES + " bytes");
    }
    String[] names = key.split("/", -1);
    for (String name : names) {
      checkName(key, name);
    }
    if (names[0].equals(TEMP_FOLDER)) {
      throw DbException.invalid("object key " + key + " lies in the reserved folder .tmp");
    }
    return key;
  }

  private static void checkName(String key, String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw DbException.invalid("object key " + key + " has an empty, . or .. name");
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      throw DbException.invalid("object key has a name above " + MAX_NAME_BYTES + " bytes");
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isISOControl(c) || c == '\\') {
        throw DbException.invalid("object key has a control character or backslash");
      }
    }
  }

  /// `prefix` when it can be the beginning of a key (the empty one is every key's).
  static String validPrefix(String prefix) {
    if (!prefix.isEmpty()) {
      valid(prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix);
    }
    return prefix;
  }

  static DbException notFound(String key) {
    return DbException.withFields(ErrorCode.IO_KEY_NOT_FOUND, "key", key);
  }

  static DbException beyondEnd(String key, long offset, long length, long sizeBytes) {
    return DbException.described(
        ErrorCode.IO_UNEXPECTED_EOF,
        "object " + key + " has " + sizeBytes + " bytes, asked for " + length + " at " + offset);
  }

  static DbException folderConflict(String key) {
    return DbException.invalid(
        "object key " + key + " is a folder of objects, or lies below an object");
  }
}
