package io.elanus.engine.storage.meta;

/// Removes every key of `range`; keys that don't exist are no error.
///
/// Immutable.
public record Delete(KeyRange range) {
  public static Delete key(String key) {
    return new Delete(KeyRange.single(key));
  }

  public static Delete prefix(String prefix) {
    return new Delete(KeyRange.prefix(prefix));
  }
}
