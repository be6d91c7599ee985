package io.elanus.base.id;

/// Id of an index definition; never reused.
///
/// Immutable.
public record IndexId(long value) implements Comparable<IndexId> {
  @Override
  public int compareTo(IndexId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
