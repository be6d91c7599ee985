package io.elanus.wire.meta;

import io.elanus.base.id.DatabaseId;
import io.elanus.base.time.HybridTs;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// A database.
///
/// Immutable.
public record DatabaseMeta(
    DatabaseId id, String name, Map<String, String> properties, HybridTs createdTs) {
  public static final String DEFAULT_NAME = "default";
  public static final DatabaseId DEFAULT_ID = new DatabaseId(1);

  public DatabaseMeta {
    properties = Collections.unmodifiableMap(new TreeMap<>(properties));
  }
}
