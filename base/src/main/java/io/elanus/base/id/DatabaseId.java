package io.elanus.base.id;

/// Id of a database; `default` is 1.
///
/// Immutable.
public record DatabaseId(long value) implements Comparable<DatabaseId> {
  @Override
  public int compareTo(DatabaseId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
