package io.elanus.base.error;

/// Errors of stored data that this program can't read.
///
/// Thread-safe: stateless.
public final class FormatErrors {
  private FormatErrors() {}

  /// A newer version wrote `object` (a file, a key): nothing is wrong with it, and trying again
  /// does not help. OPERATION_UNSUPPORTED, in one line with both versions and the remedy.
  public static DbException newer(String object, long found, long known) {
    return DbException.described(
        ErrorCode.OPERATION_UNSUPPORTED,
        object
            + " has format version "
            + found
            + ", this version reads up to "
            + known
            + "; start it with the newer version that wrote it");
  }
}
