package io.elanus.role.coord.part;

/// Whether this coordinator may still act, by its own clock (rule T-02).
///
/// Thread-safe.
@FunctionalInterface
public interface Leadership {
  /// Of the only coordinator that there can be.
  Leadership SOLE = () -> true;

  /// False from the moment on from which a successor could be active.
  boolean isHeld();
}
