package io.elanus.role.coord.world;

import io.elanus.base.id.CollectionId;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A catalog that a test changes; the test sends the events.
public final class FakeCatalog implements CatalogView {
  public final TreeMap<CollectionId, CollectionMeta> collections = new TreeMap<>();
  public final List<IndexMeta> indexes = new ArrayList<>();
  public final TreeMap<CollectionId, LoadMeta> loads = new TreeMap<>();
  public final List<ChannelCheckpoint> starts = new ArrayList<>();

  @Override
  public @Nullable CollectionMeta collection(CollectionId id) {
    return collections.get(id);
  }

  @Override
  public List<CollectionMeta> collections() {
    return List.copyOf(collections.values());
  }

  @Override
  public List<IndexMeta> indexes(CollectionId id) {
    return indexes.stream().filter(index -> index.collectionId().equals(id)).toList();
  }

  @Override
  public @Nullable LoadMeta load(CollectionId id) {
    return loads.get(id);
  }

  @Override
  public List<LoadMeta> loads() {
    return List.copyOf(loads.values());
  }

  @Override
  public List<ChannelCheckpoint> starts(CollectionId id) {
    return List.copyOf(starts);
  }
}
