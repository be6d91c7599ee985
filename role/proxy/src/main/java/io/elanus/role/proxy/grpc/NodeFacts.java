package io.elanus.role.proxy.grpc;

import java.util.List;
import java.util.function.Supplier;

/// What the operations calls tell about this process.
///
/// Immutable; `health` is asked at each call.
public record NodeFacts(
    String contractVersion,
    String productVersion,
    String deployMode,
    long nodeId,
    String address,
    Supplier<Health> health) {

  /// Reasons are empty when healthy.
  public record Health(boolean healthy, List<String> reasons) {}
}
