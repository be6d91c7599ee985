package io.elanus.wire.meta;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.time.HybridTs;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A collection as the catalog holds it. `vchannels` has one entry a shard, in shard order.
///
/// `updateTs` is the largest tick over all copies of its last schema-changing broadcast (rule
/// C-04); it is also what clients send back as `schema_timestamp`.
///
/// Immutable.
public record CollectionMeta(
    Owner owner,
    CollectionSchema schema,
    List<VChannel> vchannels,
    List<PartitionMeta> partitions,
    Options options,
    HybridTs createdTs,
    HybridTs updateTs) {

  /// Identity: never changes but by a rename into another database.
  public record Owner(DatabaseId databaseId, String databaseName, CollectionId collectionId) {}

  /// What AlterCollection may change besides the schema.
  public record Options(ConsistencyLevel consistency, Map<String, String> properties) {
    public Options {
      properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    }
  }

  public CollectionMeta {
    vchannels = List.copyOf(vchannels);
    partitions = List.copyOf(partitions);
  }

  public CollectionId id() {
    return owner.collectionId();
  }

  public String name() {
    return schema.name();
  }

  public int shards() {
    return vchannels.size();
  }

  public @Nullable PartitionMeta partition(String name) {
    for (PartitionMeta partition : partitions) {
      if (partition.name().equals(name)) {
        return partition;
      }
    }
    return null;
  }

  public @Nullable PartitionMeta partition(PartitionId id) {
    for (PartitionMeta partition : partitions) {
      if (partition.id().equals(id)) {
        return partition;
      }
    }
    return null;
  }

  public CollectionMeta withSchema(CollectionSchema newSchema) {
    return new CollectionMeta(
        owner, newSchema, vchannels, partitions, options, createdTs, updateTs);
  }

  public CollectionMeta withOwner(Owner newOwner) {
    return new CollectionMeta(
        newOwner, schema, vchannels, partitions, options, createdTs, updateTs);
  }

  public CollectionMeta withPartitions(List<PartitionMeta> newPartitions) {
    return new CollectionMeta(
        owner, schema, vchannels, newPartitions, options, createdTs, updateTs);
  }

  public CollectionMeta withOptions(Options newOptions) {
    return new CollectionMeta(
        owner, schema, vchannels, partitions, newOptions, createdTs, updateTs);
  }

  public CollectionMeta withTimes(HybridTs newCreatedTs, HybridTs newUpdateTs) {
    return new CollectionMeta(
        owner, schema, vchannels, partitions, options, newCreatedTs, newUpdateTs);
  }
}
