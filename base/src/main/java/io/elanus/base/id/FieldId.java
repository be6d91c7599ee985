package io.elanus.base.id;

/// Id of a field within its collection: 0 row id, 1 timestamp, user fields from 100.
///
/// Immutable.
public record FieldId(long value) implements Comparable<FieldId> {
  @Override
  public int compareTo(FieldId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
