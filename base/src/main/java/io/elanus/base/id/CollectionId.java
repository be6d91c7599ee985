package io.elanus.base.id;

/// Id of a collection; kept across renames, never reused.
///
/// Immutable.
public record CollectionId(long value) implements Comparable<CollectionId> {
  @Override
  public int compareTo(CollectionId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
