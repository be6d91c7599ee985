package io.elanus.base.error;

/// Who has to act on an error.
public enum Blame {
  /// The caller sent something that can never succeed as it is.
  INPUT,
  /// The system is in trouble or not ready; the same call may succeed later.
  SYSTEM
}
