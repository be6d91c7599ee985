package io.elanus.engine.storage.meta;

import org.jspecify.annotations.Nullable;

/// Half-open range of keys in UTF-8 byte order; `to` null means up to the last key.
///
/// Immutable.
public record KeyRange(String from, @Nullable String to) {
  /// Every key.
  public static final KeyRange ALL = new KeyRange("", null);

  /// Exactly `key`.
  public static KeyRange single(String key) {
    return new KeyRange(key, key + '\0');
  }

  /// Keys that start with `prefix`; all keys when it is empty.
  public static KeyRange prefix(String prefix) {
    return new KeyRange(prefix, Keys.prefixEnd(prefix));
  }

  public static KeyRange between(String from, String to) {
    return new KeyRange(from, to);
  }

  /// What is left of this range behind `key`: the next page after a page that ended with `key`.
  public KeyRange after(String key) {
    return new KeyRange(key + '\0', to);
  }

  public boolean contains(String key) {
    return Keys.compare(key, from) >= 0 && (to == null || Keys.compare(key, to) < 0);
  }
}
