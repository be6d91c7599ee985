package io.elanus.engine.storage.meta;

/// One change of one key.
///
/// Immutable.
public sealed interface WatchEvent {
  String key();

  /// Store revision of the transaction that made the change.
  long revision();

  /// The key was set.
  record Updated(KeyValue entry) implements WatchEvent {
    @Override
    public String key() {
      return entry.key();
    }

    @Override
    public long revision() {
      return entry.modRevision();
    }
  }

  /// The key was removed, by a transaction or because its lease ended.
  record Deleted(String key, long revision) implements WatchEvent {}
}
