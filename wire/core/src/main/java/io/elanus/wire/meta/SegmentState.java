package io.elanus.wire.meta;

/// Life of a segment as the coordinator sees it: GROWING → SEALED → FLUSHED → DROPPED. A segment
/// made by compaction starts as FLUSHED. Numbers are the wire's.
///
/// Immutable.
public enum SegmentState {
  /// Takes rows; lives in the WAL and in its delegator.
  GROWING(2),
  /// Takes no more rows, not yet in the object store.
  SEALED(3),
  /// In the object store.
  FLUSHED(4),
  /// Replaced or deleted; its files go when no view pins it.
  DROPPED(6);

  private final int number;

  SegmentState(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
