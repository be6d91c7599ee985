package io.elanus.engine.storage.meta;

/// Sets `key` to `value`, attached to `lease` (or to none). The caller hands the array over.
///
/// Immutable.
public record Put(String key, byte[] value, LeaseId lease) {
  public Put {
    Keys.valid(key);
  }

  public Put(String key, byte[] value) {
    this(key, value, LeaseId.NONE);
  }
}
