package io.elanus.wire.service;

import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Work on stored segments: index builds and compactions. Each call answers when its result is in
/// the object store; running one twice gives the same result under another path.
///
/// Thread-safe.
public interface DataNodeService {
  CompletableFuture<IndexBuilt> buildIndex(CallContext context, BuildIndex request);

  /// Writes one segment with the rows of `inputs` that no delete with a tick ≤ `readTs` covers,
  /// each with its own row timestamp. Answers a segment of 0 rows when nothing is left.
  CompletableFuture<Compacted> compact(CallContext context, Compact request);

  record BuildIndex(SegmentMeta segment, CollectionMeta collection, IndexMeta index, String path) {}

  record IndexBuilt(SegmentIndexMeta index) {}

  record Compact(
      CollectionMeta collection,
      List<SegmentMeta> inputs,
      List<DeltaLogMeta> deltas,
      Output output) {
    /// Id and folder of the new segment; deletes up to `readTs` are applied.
    public record Output(SegmentId id, String path, HybridTs readTs) {}
  }

  record Compacted(SegmentMeta segment) {}
}
