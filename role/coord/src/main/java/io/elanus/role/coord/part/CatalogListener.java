package io.elanus.role.coord.part;

import io.elanus.base.id.CollectionId;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;

/// Hears of catalog changes that trigger work. Called after the change is durable and visible in
/// the [CatalogView], before the DDL answers. A call may be repeated (a callback that failed is run
/// again) and may be lost (the coordinator stopped right after the change), so it is a hint: a part
/// reconciles itself with the view when it starts.
///
/// Called on the broadcaster's loop: must not block; start work on the part's own threads. What it
/// throws is logged and makes the callback run again.
public interface CatalogListener {
  default void collectionCreated(CollectionMeta collection) {}

  /// Its indexes and load are gone from the view too; no separate calls are made for them.
  default void collectionDropped(CollectionMeta collection) {}

  default void partitionDropped(CollectionMeta collection, PartitionMeta partition) {}

  /// Properties, name or schema changed.
  default void collectionAltered(CollectionMeta collection) {}

  default void indexCreated(IndexMeta index) {}

  default void indexAltered(IndexMeta index) {}

  default void indexDropped(IndexMeta index) {}

  /// A load began, or its partitions, fields or replicas changed.
  default void loadChanged(LoadMeta load) {}

  default void loadDropped(CollectionId collectionId) {}
}
