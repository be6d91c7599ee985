package io.elanus.role.coord.segments;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;

/// Where objects lie: `segments/<collection>/<partition>/<segment>/…`,
/// `indexes/<collection>/<segment>/<index>-<build>`, `deltas/<collection>/<vchannel>/<id>`.
///
/// Thread-safe: stateless.
final class ObjectPaths {
  static final String SEGMENTS = "segments/";
  static final String INDEXES = "indexes/";
  static final String DELTAS = "deltas/";

  private ObjectPaths() {}

  static String segment(CollectionId collection, PartitionId partition, SegmentId segment) {
    return SEGMENTS + collection + "/" + partition + "/" + segment;
  }

  static String index(CollectionId collection, SegmentId segment, IndexId index, long build) {
    return indexes(collection, segment) + index + "-" + build;
  }

  /// The folder of all indexes of a segment, with the slash.
  static String indexes(CollectionId collection, SegmentId segment) {
    return INDEXES + collection + "/" + segment + "/";
  }

  /// `path` as the prefix of everything in that folder.
  static String folder(String path) {
    return path.endsWith("/") ? path : path + "/";
  }
}
