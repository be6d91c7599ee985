package io.elanus.engine.storage.meta;

import java.util.Arrays;

/// A key as stored: its value, the store revision of the transaction that created it, the one that
/// changed it last, and the lease it dies with ([LeaseId#NONE] when it has none). Nobody may write
/// to `value`.
///
/// Immutable.
public record KeyValue(
    String key, byte[] value, long createRevision, long modRevision, LeaseId lease) {

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyValue that
        && key.equals(that.key)
        && createRevision == that.createRevision
        && modRevision == that.modRevision
        && lease.equals(that.lease)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * key.hashCode() + Long.hashCode(modRevision);
  }

  @Override
  public String toString() {
    return key + "@" + modRevision + "[" + value.length + " bytes]";
  }
}
