package io.elanus.role.data.indexbuild;

import io.elanus.base.column.Column;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.MetricType;
import io.elanus.engine.index.vector.BuildContext;
import io.elanus.engine.index.vector.BuildParams;
import io.elanus.engine.index.vector.IndexParams;
import io.elanus.engine.index.vector.IndexType;
import io.elanus.engine.index.vector.VectorIndex;
import io.elanus.engine.index.vector.VectorIndexBuilder;
import io.elanus.engine.index.vector.VectorIndexFormat;
import io.elanus.engine.segment.SealedSegment;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.service.DataNodeService.BuildIndex;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;

/// Builds the index of one segment. The object is stored whole or not at all, and carries checksums
/// of every section ([VectorIndexFormat]).
///
/// Confined to the caller, which it blocks.
public final class IndexTask {
  private final ObjectStore store;
  private final Executor helpers;
  private final int parallelism;

  /// Uses up to `parallelism - 1` threads of `helpers` besides the caller's.
  public IndexTask(ObjectStore store, Executor helpers, int parallelism) {
    this.store = store;
    this.helpers = helpers;
    this.parallelism = parallelism;
  }

  /// Answers what is stored at the path asked for.
  public SegmentIndexMeta run(BuildIndex request) {
    IndexMeta index = request.index();
    Map<String, String> params = index.buildParams();
    BuildParams build = IndexParams.parseBuild(typeOf(params), params);
    MetricType metric = MetricType.ofName(params.getOrDefault("metric_type", ""));
    SealedSegment segment = SealedSegment.open(store, request.segment().path());
    try {
      Column vectors = segment.column(index.fieldId());
      if (vectors == null) {
        throw DbException.described(
            ErrorCode.SEGMENT_LOAD_FAILED,
            "segment " + request.segment().id() + " has no field " + index.fieldId());
      }
      long seed = request.segment().id().value() * 31 + index.id().value();
      VectorIndex built =
          VectorIndexBuilder.build(
              build, metric, vectors, new BuildContext(seed, helpers, parallelism));
      store.put(request.path(), channel -> VectorIndexFormat.write(built, channel));
      return new SegmentIndexMeta(
          index.id(),
          index.fieldId(),
          request.path(),
          VectorIndexFormat.sizeBytes(built),
          vectors.rows());
    } finally {
      // The build has returned, so nothing reads the mapped vectors any more.
      segment.release();
    }
  }

  private static IndexType typeOf(Map<String, String> params) {
    String name = params.getOrDefault("index_type", "");
    IndexType type = IndexType.ofName(name.toUpperCase(Locale.ROOT));
    if (type == null) {
      throw DbException.described(ErrorCode.INDEX_NOT_SUPPORTED, name);
    }
    return type;
  }
}
