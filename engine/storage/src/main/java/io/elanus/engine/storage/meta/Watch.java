package io.elanus.engine.storage.meta;

/// A running watch. To follow a prefix without a gap: watch first, then read the range, then skip
/// events whose revision isn't above the one that the range was read at.
///
/// Thread-safe.
public interface Watch extends AutoCloseable {
  /// Store revision when the watch began: every later change is delivered.
  long startRevision();

  /// Ends the watch; an event that is being delivered may still arrive. Idempotent.
  @Override
  void close();
}
