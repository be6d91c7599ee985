package io.elanus.base.id;

/// Id of a segment; never reused.
///
/// Immutable.
public record SegmentId(long value) implements Comparable<SegmentId> {
  @Override
  public int compareTo(SegmentId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
