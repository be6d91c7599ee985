package io.elanus.role.coord.segments;

import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.service.DataCoordService.IndexStatus;

/// Progress of indexes over the segments that are live now (indexes.md, section 4).
///
/// Owned by: the coordinator's data loop.
record IndexProgress(
    CollectionMeta collection, CollectionSegments state, IndexScheduler builds, int minRows) {
  private static final int IN_PROGRESS = 2;
  private static final int FINISHED = 3;
  private static final int FAILED = 4;

  /// Counts the segments that have rows from before `asOf`; all when it is zero.
  IndexStatus of(IndexMeta index, HybridTs asOf) {
    long total = 0;
    long indexed = 0;
    int status = FINISHED;
    StringBuilder reasons = new StringBuilder();
    for (SegmentRecord record : state.live()) {
      boolean isCounted =
          asOf.equals(HybridTs.ZERO) || asOf.isAtLeast(record.meta().stats().minTs());
      if (!isCounted) {
        continue;
      }
      int rows = record.meta().stats().rows();
      total += rows;
      if (!IndexRules.isMissing(record.meta(), index, collection, minRows)) {
        indexed += rows;
        continue;
      }
      String failure = builds.failureOf(collection.id(), record.id(), index.id());
      if (failure != null) {
        status = FAILED;
        reasons.append(record.id()).append(": ").append(failure).append(';');
      } else if (status != FAILED) {
        status = IN_PROGRESS;
      }
    }
    return new IndexStatus(index, status, reasons.toString(), total, indexed, total - indexed);
  }
}
