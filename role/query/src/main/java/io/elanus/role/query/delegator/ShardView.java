package io.elanus.role.query.delegator;

import io.elanus.base.error.Invariant;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// Everything that a read of the shard looks at: each row that was consumed is in exactly one of
/// the segments. A read pins the view; its segments stay in memory until the last pin is gone.
///
/// Thread-safe: immutable but for the count of pins.
final class ShardView {
  private final long version;
  private final HybridTs readableFrom;
  private final ShardSchema schema;
  private final List<ShardSegment> local;
  private final SortedMap<NodeId, List<SegmentId>> remote;
  private final AtomicInteger pins = new AtomicInteger(1);
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private final CompletableFuture<Void> allDrained;

  /// Takes hold of the local segments. `before` is what reads used until now.
  ShardView(
      long version,
      HybridTs readableFrom,
      ShardSchema schema,
      List<ShardSegment> local,
      SortedMap<NodeId, List<SegmentId>> remote,
      CompletableFuture<Void> before) {
    this.version = version;
    this.readableFrom = readableFrom;
    this.schema = schema;
    this.local = List.copyOf(local);
    this.remote = remote;
    this.allDrained = CompletableFuture.allOf(before, drained);
    for (ShardSegment segment : local) {
      Invariant.check(segment.segment().retain(), "segment %s is freed", segment.id());
    }
  }

  long version() {
    return version;
  }

  /// Rows deleted before are missing: no read may be at an earlier moment.
  HybridTs readableFrom() {
    return readableFrom;
  }

  ShardSchema schema() {
    return schema;
  }

  List<ShardSegment> local() {
    return local;
  }

  SortedMap<NodeId, List<SegmentId>> remote() {
    return remote;
  }

  /// False when the view is not current any more and nobody else uses it.
  boolean pin() {
    while (true) {
      int now = pins.get();
      if (now == 0) {
        return false;
      }
      if (pins.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  void unpin() {
    int left = pins.decrementAndGet();
    Invariant.check(left >= 0, "view unpinned too often");
    if (left == 0) {
      for (ShardSegment segment : local) {
        segment.segment().release();
      }
      drained.complete(null);
    }
  }

  /// Completes when no read uses this view or one before it.
  CompletableFuture<Void> allDrained() {
    return allDrained;
  }
}
