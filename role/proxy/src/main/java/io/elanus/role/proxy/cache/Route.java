package io.elanus.role.proxy.cache;

import io.elanus.base.id.FieldId;
import io.elanus.base.id.PartitionId;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.service.QueryCoordService;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Who serves reads of a loaded collection, and the indexes of its fields, which give the metric.
///
/// Immutable.
public record Route(
    List<QueryCoordService.Shard> shards,
    Set<PartitionId> loadedPartitions,
    Map<FieldId, IndexMeta> indexes) {
  public Route {
    shards = List.copyOf(shards);
    loadedPartitions = new TreeSet<>(loadedPartitions);
    indexes = new TreeMap<>(indexes);
  }

  public @Nullable IndexMeta index(FieldId field) {
    return indexes.get(field);
  }
}
