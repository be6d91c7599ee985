package io.elanus.role.coord.segments;

import io.elanus.base.id.SegmentId;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;

/// A stored segment as the catalog holds it. `replacedBy` names the segment that has its rows since
/// a compaction: [#NOTHING] while there is none, [#NO_ROWS] when no row was left.
///
/// | | state | replacedBy |
/// | --- | --- | --- |
/// | live | FLUSHED | NOTHING |
/// | replaced, maybe still read by a view | FLUSHED | set |
/// | dropped, its files go; kept until no replay of the log can meet its rows | DROPPED | any |
///
/// Immutable.
public record SegmentRecord(SegmentMeta meta, SegmentId replacedBy) {
  public static final SegmentId NOTHING = new SegmentId(0);
  public static final SegmentId NO_ROWS = new SegmentId(-1);

  public static SegmentRecord live(SegmentMeta meta) {
    return new SegmentRecord(meta, NOTHING);
  }

  public SegmentId id() {
    return meta.id();
  }

  public boolean isLive() {
    return meta.state() == SegmentState.FLUSHED && replacedBy.equals(NOTHING);
  }

  public boolean isReplaced() {
    return meta.state() == SegmentState.FLUSHED && !replacedBy.equals(NOTHING);
  }

  public boolean isDropped() {
    return meta.state() == SegmentState.DROPPED;
  }

  SegmentRecord withMeta(SegmentMeta newMeta) {
    return new SegmentRecord(newMeta, replacedBy);
  }

  SegmentRecord replaced(SegmentId by) {
    return new SegmentRecord(meta, by);
  }

  SegmentRecord dropped() {
    return new SegmentRecord(meta.withState(SegmentState.DROPPED), replacedBy);
  }
}
