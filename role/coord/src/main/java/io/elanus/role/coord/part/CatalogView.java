package io.elanus.role.coord.part;

import io.elanus.base.id.CollectionId;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Read access to the catalog in memory. Every answer is a value that was current at some moment of
/// the call; two calls may see a change in between.
///
/// Thread-safe: reads concurrent maps, never blocks.
public interface CatalogView {
  /// Null when the collection doesn't exist (any more).
  @Nullable CollectionMeta collection(CollectionId id);

  /// Every collection, ordered by id.
  List<CollectionMeta> collections();

  /// Index definitions of a collection, ordered by id; empty when there are none.
  List<IndexMeta> indexes(CollectionId id);

  /// Null when the collection is not to be loaded.
  @Nullable LoadMeta load(CollectionId id);

  /// Every load, ordered by collection id.
  List<LoadMeta> loads();

  /// Where each VChannel of the collection begins: position and tick of its CreateCollection
  /// message, in shard order. A consumer without a later checkpoint starts there. Empty when it is
  /// gone.
  List<ChannelCheckpoint> starts(CollectionId id);
}
