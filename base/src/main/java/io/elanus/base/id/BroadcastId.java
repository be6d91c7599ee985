package io.elanus.base.id;

/// Id of one broadcast of the Broadcaster.
///
/// Immutable.
public record BroadcastId(long value) implements Comparable<BroadcastId> {
  @Override
  public int compareTo(BroadcastId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
