package io.elanus.wire.meta;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.IndexId;
import io.elanus.base.time.HybridTs;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// An index definition. `userParams` are what the client gave and DescribeIndex echoes
/// (`index_type`, `metric_type`, ...); `buildParams` are complete, after AUTOINDEX and defaults.
///
/// Immutable.
public record IndexMeta(
    IndexId id,
    CollectionId collectionId,
    FieldId fieldId,
    String name,
    Map<String, String> userParams,
    Map<String, String> buildParams,
    HybridTs createdTs) {
  public IndexMeta {
    userParams = Collections.unmodifiableMap(new TreeMap<>(userParams));
    buildParams = Collections.unmodifiableMap(new TreeMap<>(buildParams));
  }
}
