package io.elanus.engine.storage.meta;

/// Id of a lease; [#NONE] on keys that belong to no lease.
///
/// Immutable.
public record LeaseId(long value) implements Comparable<LeaseId> {
  public static final LeaseId NONE = new LeaseId(0);

  public boolean isNone() {
    return value == 0;
  }

  @Override
  public int compareTo(LeaseId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
