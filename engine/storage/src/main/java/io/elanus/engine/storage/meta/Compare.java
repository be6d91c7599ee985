package io.elanus.engine.storage.meta;

/// A condition of a [Txn] on one key, read at the state before the transaction.
///
/// Immutable.
public sealed interface Compare {
  String key();

  /// The key doesn't exist.
  record Absent(String key) implements Compare {}

  /// The key exists.
  record Exists(String key) implements Compare {}

  /// The key exists and was changed last by the transaction with this revision.
  record ModRevision(String key, long revision) implements Compare {}

  /// The key exists and was created by the transaction with this revision: the fence of an elected
  /// leader, whose writes compare its election key.
  record CreateRevision(String key, long revision) implements Compare {}

  /// The key exists and holds exactly these bytes.
  record Value(String key, byte[] value) implements Compare {}
}
