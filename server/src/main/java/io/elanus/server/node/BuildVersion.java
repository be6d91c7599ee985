package io.elanus.server.node;

/// Versions that the server reports.
///
/// Immutable.
public final class BuildVersion {
  public static final String PRODUCT = "0.1.0";

  /// The release of the contract that clients may count on.
  public static final String CONTRACT = "2.6";

  private BuildVersion() {}
}
