package io.elanus.role.query.load;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.elanus.base.column.Column;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.engine.index.vector.VectorIndex;
import io.elanus.engine.index.vector.VectorIndexFormat;
import io.elanus.engine.segment.DeltaLog;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.service.QueryNodeService.LoadSegment;
import java.lang.foreign.Arena;
import java.util.Arrays;

/// Brings a segment, its indexes and deletes from the object store into memory. Blocks.
///
/// Thread-safe: stateless but for a cache of delta logs, which many segments share.
final class SegmentLoader {
  private static final long CACHED_DELETES = 2_000_000;

  private final ObjectStore store;
  private final Cache<String, DeltaLog> deltas =
      Caffeine.newBuilder()
          .maximumWeight(CACHED_DELETES)
          .weigher((String path, DeltaLog log) -> 1 + log.ticks().length)
          .executor(Runnable::run)
          .build();

  SegmentLoader(ObjectStore store) {
    this.store = store;
  }

  /// A segment with everything in the request. Error 604 naming what is missing or damaged.
  LoadedSegment load(LoadSegment request) {
    try {
      SealedSegment segment = SealedSegment.open(store, request.segment().path());
      try {
        segment.verifyAll();
        LoadedSegment loaded = new LoadedSegment(request.segment(), segment, request.collection());
        update(loaded, request);
        return loaded;
      } catch (RuntimeException e) {
        segment.release();
        throw e;
      }
    } catch (DbException e) {
      throw loadFailed(request, e);
    }
  }

  /// Adds the indexes and deletes that the segment does not have yet. Error 604 as above; the
  /// segment keeps what it has.
  void refresh(LoadedSegment loaded, LoadSegment request) {
    try {
      update(loaded, request);
    } catch (DbException e) {
      throw loadFailed(request, e);
    }
  }

  private static DbException loadFailed(LoadSegment request, DbException cause) {
    return DbException.verbatim(
            ErrorCode.SEGMENT_LOAD_FAILED,
            "segment load failed[segment=" + request.segment().id() + "]: " + cause.getMessage())
        .causedBy(cause);
  }

  private void update(LoadedSegment loaded, LoadSegment request) {
    loaded.collection(request.collection());
    for (SegmentIndexMeta index : request.segment().indexes()) {
      if (!index.path().isEmpty() && !loaded.indexPaths.contains(index.path())) {
        loaded
            .segment()
            .attachIndex(
                index.fieldId(), (vectors, arena) -> openIndex(index.path(), vectors, arena));
        loaded.indexPaths.add(index.path());
      }
    }
    for (DeltaLogMeta delta : request.deltas()) {
      if (!loaded.deltas.contains(delta.id())) {
        apply(loaded, read(delta));
        loaded.deltas.add(delta.id());
      }
    }
  }

  /// The coordinator drops the index that an error names, so each must name this one.
  private VectorIndex openIndex(String path, Column vectors, Arena arena) {
    try {
      return VectorIndexFormat.open(path, store.map(path, arena), vectors);
    } catch (DbException e) {
      boolean isNamed = String.valueOf(e.getMessage()).contains(path);
      throw isNamed ? e : e.inContext("object " + path);
    }
  }

  private DeltaLog read(DeltaLogMeta meta) {
    DeltaLog known = deltas.getIfPresent(meta.path());
    if (known == null) {
      known = DeltaLog.read(store, meta.path());
      deltas.put(meta.path(), known);
    }
    return known;
  }

  private static void apply(LoadedSegment loaded, DeltaLog log) {
    long partition = loaded.partition().value();
    int[] mine = new int[log.ticks().length];
    int n = 0;
    for (int i = 0; i < mine.length; i++) {
      long where = log.partitions()[i];
      if (where == DeltaLog.ALL_PARTITIONS || where == partition) {
        mine[n++] = i;
      }
    }
    if (n == mine.length) {
      loaded.segment().applyDeletes(log.keys(), log.ticks());
      return;
    }
    int[] taken = Arrays.copyOf(mine, n);
    long[] ticks = new long[n];
    for (int i = 0; i < n; i++) {
      ticks[i] = log.ticks()[taken[i]];
    }
    loaded.segment().applyDeletes(log.keys().take(taken), ticks);
  }
}
