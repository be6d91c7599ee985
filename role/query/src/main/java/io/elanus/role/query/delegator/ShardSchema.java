package io.elanus.role.query.delegator;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.engine.index.vector.IndexType;
import io.elanus.role.query.load.TimeToLive;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a read needs to know of the shard's collection.
///
/// Immutable.
record ShardSchema(
    CollectionId collection,
    CollectionSchema schema,
    long ttlMs,
    LoadMeta load,
    List<IndexMeta> indexes) {
  static ShardSchema of(CollectionMeta meta, LoadMeta load, List<IndexMeta> indexes) {
    return new ShardSchema(
        meta.id(),
        meta.schema(),
        TimeToLive.millis(meta.options().properties()),
        load,
        List.copyOf(indexes));
  }

  /// The same with what AlterCollection made of the collection.
  ShardSchema altered(CollectionMeta after) {
    if (after.schema().version() < schema.version()) {
      return this; // An old message on replay: what the recovery gave is newer.
    }
    return of(after, load, indexes);
  }

  ShardSchema loaded(LoadMeta newLoad, List<IndexMeta> newIndexes) {
    return new ShardSchema(collection, schema, ttlMs, newLoad, List.copyOf(newIndexes));
  }

  boolean hasTextKeys() {
    return schema.primaryKey().type() != DataType.INT64;
  }

  boolean isLoaded(PartitionId partition) {
    return load.wholeCollection() || load.partitions().contains(partition);
  }

  /// The kind of index that is defined on a field; null when none is, or none that is known here.
  @Nullable IndexType indexType(FieldId field) {
    for (IndexMeta index : indexes) {
      if (index.fieldId().equals(field)) {
        String type = index.buildParams().get("index_type");
        if (type == null) {
          type = index.userParams().get("index_type");
        }
        return type == null ? null : IndexType.ofName(type);
      }
    }
    return null;
  }
}
