package io.elanus.role.coord.segments;

import io.elanus.base.schema.FieldSchema;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Which index of which segment is a file of its own.
///
/// - Vector indexes are, from the least number of rows on; FLAT and BIN_FLAT are the exact search
///   that needs no file.
/// - Scalar indexes are accepted and not yet used to speed up filters: a filter scans the column,
///   with the same result. They count as finished with an empty path.
///
/// Thread-safe: stateless.
final class IndexRules {
  private IndexRules() {}

  static boolean hasFile(IndexMeta index, CollectionMeta collection) {
    FieldSchema field = collection.schema().field(index.fieldId());
    if (field == null || !field.type().isVector()) {
      return false;
    }
    String type = index.buildParams().getOrDefault("index_type", "").toUpperCase(Locale.ROOT);
    return !type.equals("FLAT") && !type.equals("BIN_FLAT");
  }

  static @Nullable SegmentIndexMeta built(SegmentMeta segment, IndexMeta index) {
    for (SegmentIndexMeta built : segment.indexes()) {
      if (built.indexId().equals(index.id())) {
        return built;
      }
    }
    return null;
  }

  /// True when the index has to be built for this segment and is not.
  static boolean isMissing(
      SegmentMeta segment, IndexMeta index, CollectionMeta collection, int minRows) {
    return segment.stats().rows() >= minRows
        && hasFile(index, collection)
        && built(segment, index) == null;
  }

  /// The segment with its finished indexes: those built, and with an empty path those that need no
  /// file. Indexes that are not defined any more are left out.
  static SegmentMeta withFinished(
      SegmentMeta segment, List<IndexMeta> indexes, CollectionMeta collection, int minRows) {
    List<SegmentIndexMeta> finished = new ArrayList<>();
    for (IndexMeta index : indexes) {
      SegmentIndexMeta built = built(segment, index);
      if (built != null) {
        finished.add(built);
      } else if (!isMissing(segment, index, collection, minRows)) {
        finished.add(
            new SegmentIndexMeta(index.id(), index.fieldId(), "", 0, segment.stats().rows()));
      }
    }
    return segment.withIndexes(finished);
  }
}
