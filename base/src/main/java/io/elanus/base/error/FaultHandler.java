package io.elanus.base.error;

/// Where a component reports a fault that it can't answer to a caller: an invariant that broke, a
/// log that can't be written. The handler stops the role in production and fails the test in tests.
///
/// Thread-safe: callable from any thread.
@FunctionalInterface
public interface FaultHandler {
  /// Reports `fault` of `component` (`role/component/id`). Must not throw.
  void onFault(String component, Throwable fault);
}
