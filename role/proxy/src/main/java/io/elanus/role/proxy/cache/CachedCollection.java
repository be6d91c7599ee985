package io.elanus.role.proxy.cache;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.plan.FilterPlans;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.CatalogService;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A collection as this proxy knows it, with what requests need of its schema at hand.
///
/// Thread-safe: immutable but for its filter plans, which guard themselves.
public final class CachedCollection {
  private final CatalogService.CollectionView view;
  private final FieldSchema primaryKey;
  private final @Nullable FieldSchema partitionKey;
  private final @Nullable FieldSchema dynamicField;
  private final List<FieldSchema> vectorFields;
  private final List<PartitionMeta> hashedPartitions;
  private final FilterPlans filters;

  public CachedCollection(CatalogService.CollectionView view) {
    this.view = view;
    CollectionSchema schema = view.meta().schema();
    this.primaryKey = schema.primaryKey();
    this.dynamicField = schema.dynamicField();
    this.vectorFields = schema.vectorFields();
    FieldSchema key = null;
    for (FieldSchema field : schema.fields()) {
      if (field.flags().partitionKey()) {
        key = field;
      }
    }
    this.partitionKey = key;
    List<PartitionMeta> byNumber = new ArrayList<>(key == null ? List.of() : meta().partitions());
    byNumber.sort(Comparator.comparingInt(CachedCollection::suffix));
    this.hashedPartitions = List.copyOf(byNumber);
    this.filters = new FilterPlans(schema);
  }

  private static int suffix(PartitionMeta partition) {
    String name = partition.name();
    try {
      return Integer.parseInt(name.substring(name.lastIndexOf('_') + 1));
    } catch (NumberFormatException e) {
      return Integer.MAX_VALUE; // Not made by hashing: never chosen before the hashed ones.
    }
  }

  public CatalogService.CollectionView view() {
    return view;
  }

  public CollectionMeta meta() {
    return view.meta();
  }

  public CollectionId id() {
    return view.meta().id();
  }

  public CollectionSchema schema() {
    return view.meta().schema();
  }

  public FieldSchema primaryKey() {
    return primaryKey;
  }

  public @Nullable FieldSchema partitionKey() {
    return partitionKey;
  }

  public @Nullable FieldSchema dynamicField() {
    return dynamicField;
  }

  public List<FieldSchema> vectorFields() {
    return vectorFields;
  }

  /// Partitions of a collection with a partition key, in the order in which hashes name them.
  public List<PartitionMeta> hashedPartitions() {
    return hashedPartitions;
  }

  public FilterPlans filters() {
    return filters;
  }

  public boolean isProperty(String key, String value) {
    return value.equalsIgnoreCase(meta().options().properties().get(key));
  }

  /// A partition by name; error 200 when there is none.
  public PartitionId partitionId(String name) {
    PartitionMeta partition = meta().partition(name);
    if (partition == null) {
      throw DbException.withFields(ErrorCode.PARTITION_NOT_FOUND, "partition", name).asInput();
    }
    return partition.id();
  }
}
