package io.elanus.base.id;

/// Id of a process that serves roles; unique for the life of a cluster.
///
/// Immutable.
public record NodeId(long value) implements Comparable<NodeId> {
  @Override
  public int compareTo(NodeId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
