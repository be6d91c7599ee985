package io.elanus.base.id;

/// Id of a partition; never reused.
///
/// Immutable.
public record PartitionId(long value) implements Comparable<PartitionId> {
  @Override
  public int compareTo(PartitionId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
